import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { findUploadFolders } from '../../src/config/upload_folders.js';

/** The environment of a Linux desktop with this user-dirs.dirs. */
async function buildEnvironment(text: string): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'user-dirs-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'user-dirs.dirs'), text);
  return { XDG_CONFIG_HOME: folder };
}

describe('the default folders for uploads', () => {
  it.skipIf(process.platform !== 'linux')("have the desktop's names", async () => {
    const environment = await buildEnvironment('XDG_PICTURES_DIR="$HOME/Bilder"\n');
    expect(loadConfig({}, environment).upload_roots).toEqual(
      ['Bilder', 'Downloads', 'Desktop'].map((name) => join(homedir(), name)),
    );
    expect(loadConfig({}, { ...environment, UPLOAD_ROOTS: '/photos' }).upload_roots).toEqual(['/photos']);
  });

  it('follow user-dirs.dirs: below the home folder, absolute, the last one of a name, with escapes', async () => {
    const environment = await buildEnvironment(
      [
        '# XDG_PICTURES_DIR="$HOME/no"',
        'XDG_PICTURES_DIR="$HOME/older"',
        'XDG_PICTURES_DIR="$HOME/Imágenes \\"2026\\"/"',
        'XDG_DOWNLOAD_DIR="/mnt/Téléchargements"',
        'XDG_MUSIC_DIR="$HOME/Musik"',
        '',
      ].join('\n'),
    );
    expect(findUploadFolders('linux', environment, '/home/ada')).toEqual([
      '/home/ada/Imágenes "2026"',
      '/mnt/Téléchargements',
      '/home/ada/Desktop',
    ]);
  });

  it('are never the home folder, nor a path that the file does not give in full', async () => {
    const environment = await buildEnvironment(
      [
        'XDG_PICTURES_DIR="$HOME/"',
        'XDG_DOWNLOAD_DIR="$HOME"',
        'XDG_DESKTOP_DIR="relative"',
        'XDG_DESKTOP_DIR="$HOMEX/desk"',
        'XDG_PICTURES_DIR="$HOME/a/.."',
        'XDG_PICTURES_DIR="/home/ada"',
      ].join('\n'),
    );
    const plain = ['/home/ada/Pictures', '/home/ada/Downloads', '/home/ada/Desktop'];
    expect(findUploadFolders('linux', environment, '/home/ada')).toEqual(plain);
    expect(findUploadFolders('linux', { XDG_CONFIG_HOME: '/nowhere' }, '/home/ada')).toEqual(plain);
  });

  it('are in OneDrive too, if Windows has moved them', () => {
    const there = new Set([
      String.raw`C:\Users\Ada\OneDrive\Pictures`,
      String.raw`D:\OneDrive - Clay\Desktop`,
      String.raw`D:\OneDrive - Clay\Pictures`,
    ]);
    const find = (environment: Record<string, string>) =>
      findUploadFolders('win32', environment, String.raw`C:\Users\Ada`, (path) => there.has(path));
    expect(find({})).toEqual([
      String.raw`C:\Users\Ada\Pictures`,
      String.raw`C:\Users\Ada\OneDrive\Pictures`,
      String.raw`C:\Users\Ada\Downloads`,
      String.raw`C:\Users\Ada\Desktop`,
    ]);
    expect(find({ OneDriveCommercial: String.raw`D:\OneDrive - Clay`, OneDrive: 'relative' })).toEqual([
      String.raw`C:\Users\Ada\Pictures`,
      String.raw`D:\OneDrive - Clay\Pictures`,
      String.raw`C:\Users\Ada\OneDrive\Pictures`,
      String.raw`C:\Users\Ada\Downloads`,
      String.raw`C:\Users\Ada\Desktop`,
      String.raw`D:\OneDrive - Clay\Desktop`,
    ]);
  });

  it('have their English names on a Mac, whatever Finder shows', () => {
    expect(findUploadFolders('darwin', {}, '/Users/ada')).toEqual([
      '/Users/ada/Pictures',
      '/Users/ada/Downloads',
      '/Users/ada/Desktop',
    ]);
  });
});
