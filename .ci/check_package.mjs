// Packs, unpacks elsewhere, installs without development packages, and asks the installed service a question.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'listing-package-'));
const run = (command, args, cwd, env = {}) =>
  execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

try {
  const [{ filename }] = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts=false', '--pack-destination', folder], root),
  );
  run('tar', ['-xzf', join(folder, filename)], folder);
  const unpacked = join(folder, 'package');
  run('npm', ['ci', '--omit=dev'], unpacked);
  const answer = run(process.execPath, ['dist/src/cli.js', 'call', 'stores_list'], unpacked, {
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'warn',
  });
  const { stores } = JSON.parse(answer);
  if (stores.length !== 2) throw new Error(`two shops were expected: ${answer}`);
  process.stdout.write(`${filename} installs and runs without development packages\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
