import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const simulate = (...args: string[]) =>
  run(process.execPath, [join(import.meta.dirname, 'run.mjs'), '--jobs', '1', ...args]);

/** Each run bundles the whole program first. */
const TIMEOUT_MS = 180_000;

describe('the simulator', { timeout: TIMEOUT_MS }, () => {
  it('lives through a few seeds twice, each the same to the letter, and finds nothing', async () => {
    const { stdout } = await simulate('--seeds', '3', '--hours', '1', '--twice');
    expect(stdout).toMatch(/^seeds 3, virtual hours \d+, .*found 0$/m);
  });

  it('connects a shop again whose grant ends when all that is left is to finish', async () => {
    const { stdout } = await simulate('--seed', '188');
    expect(stdout).toMatch(/^seeds 1, .*found 0$/m);
  });

  it('finds a fault that is planted', async () => {
    const { stdout } = await simulate('--planted', '--seeds', '1', 'signed_for_another_time');
    expect(stdout).toMatch(/^signed_for_another_time: found with 1 seed/m);
  });
});
