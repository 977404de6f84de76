// Lets the programs that read our plugin, extension and skills read them, without a model: Claude Code and
// Gemini CLI.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { borrow, root, run } from './package.mjs';

const folder = mkdtempSync(join(tmpdir(), 'listing-skills-'));

try {
  const skills = readdirSync(join(root, 'src', 'skills')).sort();
  const clone = join(folder, 'clone');
  run('git', ['clone', '-q', root, clone], folder);
  const home = join(folder, 'home');
  for (const program of ['.claude', '.gemini']) mkdirSync(join(home, program), { recursive: true });
  const env = { HOME: home, DATA_DIR: join(folder, 'data') };

  const claude = join(borrow('@anthropic-ai/claude-code@2.1.197', folder), '.bin', 'claude');
  const plugin = (...args) => run(claude, ['plugin', ...args], folder, env);
  assert.match(plugin('validate', clone), /Validation passed$/m, 'without a warning');
  plugin('marketplace', 'add', clone);
  plugin('install', 'marketplace-listing-service@marketplace-listing-service');
  const details = plugin('details', 'marketplace-listing-service');
  assert.deepEqual(/Skills \(\d+\) +(.*)/.exec(details)?.[1]?.split(', ').sort(), skills, 'of the plugin');

  const program = join(borrow('@google/gemini-cli@0.61.0', folder), '.bin', 'gemini');
  // It answers on stderr.
  const gemini = (...args) => run('sh', ['-c', '"$0" "$@" 2>&1', program, ...args], folder, env);
  assert.match(gemini('extensions', 'validate', clone), /successfully validated/);
  run(process.execPath, [join(root, 'dist', 'src', 'cli.js'), 'setup', '--skills'], folder, env);
  const listed = gemini('skills', 'list');
  const found = [...listed.matchAll(/^(\S+) \[Enabled\]$/gm)]
    .map(([, name]) => name)
    .toSorted((a, b) => a.localeCompare(b));
  assert.deepEqual(found, skills, 'that setup installs');

  process.stdout.write(`Claude Code and Gemini CLI read ${skills.length} skills\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
