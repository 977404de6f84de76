// Installs the packages that the program needs to run into a copy of it, for Node 22 and later and without a
// compiler: exactly those in the lockfile in `production`. Its other dependencies are bundled into its files,
// so its package.json keeps only those that stay separate. The SBOM of the copy goes into the same folder.
// Arguments are passed to npm.
// The lockfile of the repository also has the SQLite addon that runs on Node 20, which is built for a single
// Node version. The later addon here has a build for each platform that fits every Node. `npm install
// --package-lock-only` in `production` updates the versions.
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
// It would take precedence over the lockfile.
rmSync(join(folder, 'npm-shrinkwrap.json'), { force: true });
copyFileSync(join(locked, 'package-lock.json'), join(folder, 'package-lock.json'));
execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...more], {
  cwd: folder,
  stdio: ['ignore', 2, 2],
});
writeSbom(folder, sbom);
