// Installs what the package needs to run, in a copy of it, for Node 22 and later and without a compiler. Arguments go to npm.
// The rest of its dependencies are joined into its files, so that its package.json is left with those that stand apart.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { APART } from './apart.mjs';

const [folder = '.', ...more] = process.argv.slice(2);
const file = join(folder, 'package.json');
const {
  dependencies,
  optionalDependencies,
  devDependencies: _,
  ...rest
} = JSON.parse(readFileSync(file, 'utf8'));
const pick = (all) => Object.fromEntries(Object.entries(all).filter(([name]) => APART.has(name)));
// The lockfile has the version that runs on Node 20, whose addon is made for one Node. The later one of the range holds an
// addon for each platform that fits every Node.
const version = dependencies['better-sqlite3'].split('||').at(-1).trim();
const needed = {
  ...rest,
  dependencies: { ...pick(dependencies), 'better-sqlite3': version },
  optionalDependencies: pick(optionalDependencies),
};
writeFileSync(file, `${JSON.stringify(needed, undefined, 2)}\n`);
rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...more], {
  cwd: folder,
  stdio: ['ignore', 2, 2],
});
