import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const simulate = (...args: string[]) =>
  run(process.execPath, [join(import.meta.dirname, 'run.mjs'), '--jobs', '1', ...args]);

describe('the simulator', () => {
  it('lives through a few seeds twice, each the same to the letter, and finds nothing', async () => {
    const { stdout } = await simulate('--seeds', '3', '--twice');
    expect(stdout).toMatch(/^seeds 3, virtual hours \d+, .*found 0$/m);
  });

  it('tells the hash of one seed, and the same one for the same seed', async () => {
    const { stdout } = await simulate('--seed', '6');
    expect(stdout).toMatch(/^hash [0-9a-f]{64}$/m);
  });

  it('finds a fault that is planted', async () => {
    const { stdout } = await simulate('--planted', '--seeds', '10', 'unknown_is_failed');
    expect(stdout).toMatch(/^unknown_is_failed: found with \d+ seeds/m);
  });
});
