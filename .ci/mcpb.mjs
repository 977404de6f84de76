// Builds the bundle that Claude Desktop installs: the package, its dependencies, and manifest.json. An
// argument names the file.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MCPB, pack, root, run } from './package.mjs';

const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const target = resolve(process.argv[2] ?? join(root, `${name}-${version}.mcpb`));
const folder = mkdtempSync(join(tmpdir(), 'listing-mcpb-'));

try {
  run('tar', ['-xzf', pack(folder)], folder);
  const content = join(folder, 'package');
  run(process.execPath, [join(root, '.ci', 'install_production.mjs'), content, '--omit=optional'], folder);
  for (const file of ['manifest.json', 'icon.png']) copyFileSync(join(root, file), join(content, file));
  // The addon's sources are not needed once it is compiled.
  const sources = ['deps', 'src', 'binding.gyp'].map((part) => `node_modules/better-sqlite3-13/${part}\n`);
  writeFileSync(join(content, '.mcpbignore'), `${sources.join('')}node_modules/node-addon-api\n`);
  run('npx', ['--yes', MCPB, 'validate', join(content, 'manifest.json')], folder);
  run('npx', ['--yes', MCPB, 'pack', content, target], folder);
  process.stdout.write(`${target}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
