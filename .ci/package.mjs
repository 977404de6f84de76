// The package as npm would publish it, for the checks and bundles that start from it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Checks and packs bundles. */
export const MCPB = '@anthropic-ai/mcpb@2.1.2';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** npm treats the bundled `dependencies` in the package only as a list: nothing is installed for them. */
export const listJoined = (text) => text.replace('"dependencies": {', '"joinedDependencies": {');
export const restoreJoined = (text) => text.replace('"joinedDependencies": {', '"dependencies": {');

/** Returns the command's stdout; throws if it exits with anything but 0. */
export function run(command, args, cwd, env = {}) {
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1e8,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Builds and packs into a folder; returns the path of the tarball. */
export function pack(folder) {
  const args = ['pack', '--json', '--ignore-scripts=false', '--pack-destination', folder];
  const [{ filename }] = JSON.parse(run('npm', args, root));
  return join(folder, filename);
}

/** Installs a package from the registry into a subfolder of its own; returns its node_modules. */
export function borrow(name, folder) {
  const home = join(folder, name.replaceAll(/\W/g, '-'));
  mkdirSync(home);
  // Their install script puts the executable for this computer in place.
  const allowScripts = { node: true, '@anthropic-ai/claude-code': true };
  writeFileSync(join(home, 'package.json'), JSON.stringify({ allowScripts }));
  run('npm', ['install', '--no-save', '--no-audit', '--no-fund', name], home);
  return join(home, 'node_modules');
}
