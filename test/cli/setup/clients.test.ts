import { describe, expect, it } from 'vitest';
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
    });
  });

  it('is in %APPDATA% on Windows, wherever that is', () => {
    expect(listFiles('win32', { APPDATA: 'D:\\Roaming' }, 'C:\\Users\\Ada')).toEqual({
      'claude-desktop': 'D:\\Roaming\\Claude\\claude_desktop_config.json',
      'claude-code': 'C:\\Users\\Ada\\.claude.json',
      cursor: 'C:\\Users\\Ada\\.cursor\\mcp.json',
      vscode: 'D:\\Roaming\\Code\\User\\mcp.json',
    });
    expect(listFiles('win32', {}, 'C:\\Users\\Ada')).toMatchObject({
      vscode: 'C:\\Users\\Ada\\AppData\\Roaming\\Code\\User\\mcp.json',
    });
  });

  it("is in XDG's folder elsewhere, when that is absolute", () => {
    const usual = {
      'claude-desktop': '/home/ada/.config/Claude/claude_desktop_config.json',
      'claude-code': '/home/ada/.claude.json',
      cursor: '/home/ada/.cursor/mcp.json',
      vscode: '/home/ada/.config/Code/User/mcp.json',
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

it('picks clients by their ids, and lists them when there is none of that name', () => {
  const clients = listClients(findUserFolders('linux', {}, '/home/ada'));
  expect(pickClients(clients, 'cursor, vscode').map(({ name }) => name)).toEqual(['Cursor', 'VS Code']);
  expect(() => pickClients(clients, 'cursor,emacs')).toThrow(
    'There is no client emacs. There are: claude-desktop, claude-code, cursor, vscode.',
  );
});
