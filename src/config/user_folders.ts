import { posix, win32 } from 'node:path';

/** Where this user's programs keep their configuration. */
export type UserFolders = {
  home: string;
  /** Application Support on macOS, %APPDATA% on Windows, XDG's configuration folder elsewhere. */
  app_data: string;
  /** The folder of Claude Code's file; CLAUDE_CONFIG_DIR changes it. */
  claude_code: string;
  /**
   * On Windows, the folder in which packaged programs (such as those from the Store) have folders of their
   * own.
   */
  packages?: string;
  /** Joins paths like the platform. */
  join: (...parts: string[]) => string;
};

export function findUserFolders(
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): UserFolders {
  const { join } = platform === 'win32' ? win32 : posix;
  const claude_code = environment['CLAUDE_CONFIG_DIR'] || home;
  if (platform === 'darwin') {
    return { home, app_data: join(home, 'Library', 'Application Support'), claude_code, join };
  }
  if (platform === 'win32') {
    const app_data = environment['APPDATA'] || join(home, 'AppData', 'Roaming');
    const packages = join(environment['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'Packages');
    return { home, app_data, claude_code, packages, join };
  }
  // The XDG specification says to ignore a relative path.
  const xdg = environment['XDG_CONFIG_HOME'] ?? '';
  return { home, app_data: posix.isAbsolute(xdg) ? xdg : join(home, '.config'), claude_code, join };
}
