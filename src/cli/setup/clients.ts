import { existsSync, readdirSync } from 'node:fs';
import type { UserFolders } from '../../config/user_folders.js';

/** A program with assistants that start MCP servers, and its user's configuration of those servers. */
export type Client = {
  id: string;
  name: string;
  file: string;
  /** The member of the file that holds the servers by name. */
  servers: 'mcpServers' | 'servers';
  /** Whether an entry states its transport. */
  has_type: boolean;
  /** Known to read plain JSON only: with comments or trailing commas, it starts no server at all. */
  is_strict: boolean;
  /** One of these exists if the program is installed. */
  signs: readonly string[];
};

export function listClients(folders: UserFolders): Client[] {
  const { home, app_data, claude_code, join } = folders;
  const desktop = findPackagedDesktop(folders) ?? join(app_data, 'Claude');
  const claude_json = join(claude_code, '.claude.json');
  const cursor = join(home, '.cursor');
  return [
    {
      id: 'claude-desktop',
      name: 'Claude Desktop',
      file: join(desktop, 'claude_desktop_config.json'),
      servers: 'mcpServers',
      has_type: false,
      is_strict: true,
      signs: [desktop],
    },
    {
      id: 'claude-code',
      name: 'Claude Code',
      file: claude_json,
      servers: 'mcpServers',
      has_type: true,
      is_strict: true,
      signs: [claude_json, join(home, '.claude')],
    },
    {
      id: 'cursor',
      name: 'Cursor',
      file: join(cursor, 'mcp.json'),
      servers: 'mcpServers',
      has_type: false,
      is_strict: false,
      signs: [cursor],
    },
    buildCode('vscode', 'VS Code', folders, 'Code'),
    buildCode('vscode-insiders', 'VS Code Insiders', folders, 'Code - Insiders'),
  ];
}

function buildCode(id: string, name: string, { app_data, join }: UserFolders, folder_name: string): Client {
  const folder = join(app_data, folder_name);
  return {
    id,
    name,
    file: join(folder, 'User', 'mcp.json'),
    servers: 'servers',
    has_type: true,
    is_strict: false,
    signs: [folder],
  };
}

/**
 * Claude Desktop for Windows is usually installed as a package, which sees a folder of its own instead of
 * %APPDATA%.
 */
function findPackagedDesktop({ packages, join }: UserFolders): string | undefined {
  if (packages === undefined || !existsSync(packages)) return undefined;
  const roaming = readdirSync(packages)
    .filter((name) => name.startsWith('Claude_'))
    .map((name) => join(packages, name, 'LocalCache', 'Roaming'))
    .find((folder) => existsSync(folder));
  return roaming && join(roaming, 'Claude');
}

/** @param names ids, comma-separated. Throws an Error that lists the known ids. */
export function pickClients(clients: readonly Client[], names: string): Client[] {
  return names.split(',').map((part) => {
    const found = clients.find(({ id }) => id === part.trim());
    if (found) return found;
    const ids = clients.map(({ id }) => id).join(', ');
    throw new Error(`There is no client ${part.trim() || '""'}. Use one of: ${ids}.`);
  });
}

export function isInstalled({ signs }: Client): boolean {
  return signs.some((sign) => existsSync(sign));
}
