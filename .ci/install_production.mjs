// Installs what the package needs to run, in a copy of it, for Node 22 and later and without a compiler: exactly what the lockfile in
// `production` names. The rest of its dependencies are joined into its files, so that its package.json is left with those that stand
// apart. Beside them goes the list of all that the copy is made of. Arguments go to npm.
//
// The lockfile of the repository also has the SQLite addon that runs on Node 20, which is made for one Node. The later one here holds an
// addon for each platform that fits every Node. `npm install --package-lock-only` in `production` takes newer versions.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './package.mjs';
import { buildProductionSbom, writeSbom } from './sbom.mjs';

const [folder = '.', ...more] = process.argv.slice(2);
const locked = join(root, '.ci', 'production');
const sbom = buildProductionSbom(!more.includes('--omit=optional'));

const file = join(folder, 'package.json');
const { devDependencies: _, ...rest } = JSON.parse(readFileSync(file, 'utf8'));
const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(locked, 'package.json'), 'utf8'));
writeFileSync(file, `${JSON.stringify({ ...rest, dependencies, optionalDependencies }, undefined, 2)}\n`);
// It would count before the lockfile.
rmSync(join(folder, 'npm-shrinkwrap.json'), { force: true });
copyFileSync(join(locked, 'package-lock.json'), join(folder, 'package-lock.json'));
execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...more], {
  cwd: folder,
  stdio: ['ignore', 2, 2],
});
writeSbom(folder, sbom);
