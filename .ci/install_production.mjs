// Installs what the package needs to run, in its folder, for Node 22 and later and without a compiler. Arguments go to npm.
import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const [folder = '.', ...more] = process.argv.slice(2);
const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const npm = (...args) =>
  execFileSync('npm', [...args, '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', ...more], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
  });

npm('ci');
// The lockfile has the version that runs on Node 20, whose addon is made for one Node. The later one of the range holds an
// addon for each platform that fits every Node.
npm('install', '--no-save', `better-sqlite3@${dependencies['better-sqlite3'].split('||').at(-1).trim()}`);
