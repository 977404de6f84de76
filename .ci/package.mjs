// The package as npm would publish it, for the checks and bundles that start from that.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Checks and packs bundles. */
export const MCPB = '@anthropic-ai/mcpb@2.1.2';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** In the package npm reads `dependencies`, which are joined into its files, only as a list: nothing is installed for them. */
export const listJoined = (text) => text.replace('"dependencies": {', '"joinedDependencies": {');
export const restoreJoined = (text) => text.replace('"joinedDependencies": {', '"dependencies": {');

/** What the command writes to stdout; throws when it ends with anything but 0. */
export function run(command, args, cwd, env = {}) {
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1e8,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Builds and packs into a folder; answers the path of the tarball. */
export function pack(folder) {
  const args = ['pack', '--json', '--ignore-scripts=false', '--pack-destination', folder];
  const [{ filename }] = JSON.parse(run('npm', args, root));
  return join(folder, filename);
}

/** Installs a package of the registry into a folder of its own, in this one; answers its node_modules. */
export function borrow(name, folder) {
  const home = join(folder, name.replaceAll(/\W/g, '-'));
  mkdirSync(home);
  // A script of its own puts the program of this computer in place.
  const allowScripts = { node: true, '@anthropic-ai/claude-code': true };
  writeFileSync(join(home, 'package.json'), JSON.stringify({ allowScripts }));
  run('npm', ['install', '--no-save', '--no-audit', '--no-fund', name], home);
  return join(home, 'node_modules');
}
