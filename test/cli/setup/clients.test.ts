import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listClients, pickClients } from '../../../src/cli/setup/clients.js';
import { findUserFolders } from '../../../src/config/user_folders.js';

function listFiles(
  platform: NodeJS.Platform,
  environment: Record<string, string>,
  home: string,
): Record<string, string> {
  const clients = listClients(findUserFolders(platform, environment, home));
  return Object.fromEntries(clients.map(({ id, file }) => [id, file]));
}

describe("a client's configuration", () => {
  it('is in Application Support on macOS', () => {
    expect(listFiles('darwin', {}, '/Users/ada')).toEqual({
      'claude-desktop': '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
      'claude-code': '/Users/ada/.claude.json',
      cursor: '/Users/ada/.cursor/mcp.json',
      vscode: '/Users/ada/Library/Application Support/Code/User/mcp.json',
      'vscode-insiders': '/Users/ada/Library/Application Support/Code - Insiders/User/mcp.json',
    });
  });

  it('is in %APPDATA% on Windows, wherever that is', () => {
    expect(listFiles('win32', { APPDATA: 'D:\\Roaming' }, 'C:\\Users\\Ada')).toEqual({
      'claude-desktop': 'D:\\Roaming\\Claude\\claude_desktop_config.json',
      'claude-code': 'C:\\Users\\Ada\\.claude.json',
      cursor: 'C:\\Users\\Ada\\.cursor\\mcp.json',
      vscode: 'D:\\Roaming\\Code\\User\\mcp.json',
      'vscode-insiders': 'D:\\Roaming\\Code - Insiders\\User\\mcp.json',
    });
    expect(listFiles('win32', {}, 'C:\\Users\\Ada')).toMatchObject({
      vscode: 'C:\\Users\\Ada\\AppData\\Roaming\\Code\\User\\mcp.json',
    });
  });

  it('is in the package folder if Claude Desktop was installed as a package', async () => {
    const local = await mkdtemp(join(tmpdir(), 'packages-'));
    onTestFinished(() => rm(local, { recursive: true }));
    const packages = join(local, 'Packages');
    const folders = { ...findUserFolders('win32', {}, 'C:\\Users\\Ada'), packages, join };
    const getDesktop = () => listClients(folders)[0]?.file;
    const usual = join(folders.app_data, 'Claude', 'claude_desktop_config.json');
    expect(getDesktop()).toBe(usual);
    // The leftovers of an uninstalled package.
    await mkdir(join(packages, 'Claude_old', 'Settings'), { recursive: true });
    expect(getDesktop()).toBe(usual);
    const roaming = join(packages, 'Claude_1a2b3c', 'LocalCache', 'Roaming');
    await mkdir(roaming, { recursive: true });
    expect(getDesktop()).toBe(join(roaming, 'Claude', 'claude_desktop_config.json'));
  });

  it('is searched in packages under %LOCALAPPDATA%', () => {
    expect(findUserFolders('win32', { LOCALAPPDATA: 'D:\\Local' }, 'C:\\Users\\Ada').packages).toBe(
      'D:\\Local\\Packages',
    );
    expect(findUserFolders('win32', {}, 'C:\\Users\\Ada').packages).toBe(
      'C:\\Users\\Ada\\AppData\\Local\\Packages',
    );
  });

  it("is in XDG's folder on other systems, if that path is absolute", () => {
    const usual = {
      'claude-desktop': '/home/ada/.config/Claude/claude_desktop_config.json',
      'claude-code': '/home/ada/.claude.json',
      cursor: '/home/ada/.cursor/mcp.json',
      vscode: '/home/ada/.config/Code/User/mcp.json',
      'vscode-insiders': '/home/ada/.config/Code - Insiders/User/mcp.json',
    };
    expect(listFiles('linux', {}, '/home/ada')).toEqual(usual);
    expect(listFiles('linux', { XDG_CONFIG_HOME: 'relative' }, '/home/ada')).toEqual(usual);
    expect(listFiles('linux', { XDG_CONFIG_HOME: '/etc/ada' }, '/home/ada')).toMatchObject({
      'claude-desktop': '/etc/ada/Claude/claude_desktop_config.json',
      cursor: '/home/ada/.cursor/mcp.json',
    });
  });

  it('moves with CLAUDE_CONFIG_DIR for Claude Code', () => {
    expect(listFiles('linux', { CLAUDE_CONFIG_DIR: '/srv/claude' }, '/home/ada')['claude-code']).toBe(
      '/srv/claude/.claude.json',
    );
  });
});

it('clients are picked by id, and listed if the id is unknown', () => {
  const clients = listClients(findUserFolders('linux', {}, '/home/ada'));
  expect(pickClients(clients, 'cursor, vscode').map(({ name }) => name)).toEqual(['Cursor', 'VS Code']);
  expect(() => pickClients(clients, 'cursor,emacs')).toThrow(
    'There is no client emacs. Use one of: claude-desktop, claude-code, cursor, vscode, vscode-insiders.',
  );
});
