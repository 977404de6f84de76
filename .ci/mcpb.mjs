// Builds the bundle that Claude Desktop installs: the package, what it needs, and manifest.json. An argument names the file.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MCPB, pack, root, run } from './package.mjs';

const { name, version, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const file = resolve(process.argv[2] ?? join(root, `${name}-${version}.mcpb`));
const folder = mkdtempSync(join(tmpdir(), 'listing-mcpb-'));

try {
  run('tar', ['-xzf', pack(folder)], folder);
  const content = join(folder, 'package');
  const production = ['--omit=dev', '--omit=optional', '--ignore-scripts'];
  run('npm', ['ci', ...production], content);
  // The version whose package holds one addon a platform, for every Node from 22 on. The other is compiled for one Node.
  const addon = dependencies['better-sqlite3'].split('||').at(-1).trim();
  run('npm', ['install', '--no-save', ...production, `better-sqlite3@${addon}`], content);
  copyFileSync(join(root, 'manifest.json'), join(content, 'manifest.json'));
  // What compiles the addon is not needed where it is compiled.
  const sources = ['deps', 'src', 'binding.gyp'].map((part) => `node_modules/better-sqlite3/${part}\n`);
  writeFileSync(join(content, '.mcpbignore'), `${sources.join('')}node_modules/node-addon-api\n`);
  run('npx', ['--yes', MCPB, 'validate', join(content, 'manifest.json')], folder);
  run('npx', ['--yes', MCPB, 'pack', content, file], folder);
  process.stdout.write(`${file}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
