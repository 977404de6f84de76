import { spawn } from 'node:child_process';

/** Opens an address as a click would. Where there is no browser, nothing happens. */
export function openBrowser(url: string): void {
  const [command, ...args] = COMMANDS[process.platform] ?? ['xdg-open'];
  if (command === undefined) return;
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.once('error', () => undefined);
  child.unref();
}

/** On Windows not through a shell, which would read the & of the address. */
const COMMANDS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
