import { existsSync, readFileSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { findUserFolders } from './user_folders.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The folder's English name, and its variable in user-dirs.dirs. */
const FOLDERS = [
  ['Pictures', 'XDG_PICTURES_DIR'],
  ['Downloads', 'XDG_DOWNLOAD_DIR'],
  ['Desktop', 'XDG_DESKTOP_DIR'],
] as const;

/** Variables that Windows sets to a person's and a company's OneDrive folders. */
const ONEDRIVE = ['OneDrive', 'OneDriveConsumer', 'OneDriveCommercial'] as const;

/**
 * The folders for pictures, downloads and the desktop, as the system knows them: on Linux by their names in
 * the user's language, on Windows also those in OneDrive, if there are any.
 */
export function findUploadFolders(
  platform: NodeJS.Platform,
  environment: Environment,
  home: string,
  isThere: (path: string) => boolean = existsSync,
): string[] {
  if (platform === 'win32') return findOnWindows(environment, home, isThere);
  const plain = FOLDERS.map(([name]) => posix.join(home, name));
  if (platform === 'darwin') return plain;
  const named = readUserDirs(
    posix.join(findUserFolders(platform, environment, home).app_data, USER_DIRS),
    home,
  );
  return FOLDERS.map(([name, variable]) => named.get(variable) ?? posix.join(home, name));
}

/**
 * A OneDrive folder may exist in addition to the one with the same name in the home folder, so both are read.
 */
function findOnWindows(environment: Environment, home: string, isThere: (path: string) => boolean): string[] {
  const named = ONEDRIVE.flatMap((variable) => environment[variable] ?? []);
  const drives = new Set([...named, win32.join(home, 'OneDrive')].filter((drive) => win32.isAbsolute(drive)));
  return FOLDERS.flatMap(([name]) => [
    win32.join(home, name),
    ...[...drives].map((drive) => win32.join(drive, name)).filter((path) => isThere(path)),
  ]);
}

/**
 * By the rules of xdg-user-dirs: absolute or below $HOME; a folder that is the home folder itself counts as
 * switched off.
 */
function readUserDirs(file: string, home: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, variable = '', below, absolute] of readText(file).matchAll(USER_DIR)) {
    const path = posix.resolve(unescape(below === undefined ? (absolute ?? '') : home + below));
    if (path !== posix.resolve(home)) found.set(variable, path);
  }
  return found;
}

function unescape(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const USER_DIRS = 'user-dirs.dirs';
const USER_DIR = /^[ \t]*(XDG_\w+_DIR)="(?:\$HOME((?:\/(?:\\.|[^"\\\n])*)?)|(\/(?:\\.|[^"\\\n])*))"/gm;
