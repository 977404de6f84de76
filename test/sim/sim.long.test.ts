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
  it('finds a planted fault, and finds nothing without it', async () => {
    const { stdout } = await simulate('--planted', '--seeds', '1', 'signed_for_another_time');
    expect(stdout).toMatch(/^signed_for_another_time: found with 1 seed/m);
  });

  it('refuses an unknown fault, and lists the known ones', async () => {
    const refused = await simulate('--seed', '1', '--with', 'no_such_fault').catch(
      (error: { code: number; stderr: string }) => error,
    );
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toMatch(
      /^No fault is named no_such_fault\. There are:\n {2}intent_after_create: /,
    );
  });

  it('exits with 1 if something is found, shrunk, with the command that finds it again', async () => {
    const failed: { code?: number; stdout?: string } = await simulate(
      '--seeds',
      '1',
      '--hours',
      '2',
      '--with',
      'signed_for_another_time',
    ).then(
      () => ({}),
      (error: { code: number; stdout: string }) => error,
    );
    expect(failed.code).toBe(1);
    const [, command = ''] = /^Again: npm run sim -- (.*)$/m.exec(failed.stdout ?? '') ?? [];
    expect(command).toMatch(/^--seed 1 --hours 2 --with signed_for_another_time --without \S+ --trace$/);
    expect(failed.stdout).toMatch(/^Planned: seed 1, hours [12], /m);
    expect(failed.stdout).toMatch(/^ {2}(orders|collections)\.\d+: .*at \d\d:\d\d:\d\d, /m);
    const [, hash] = /^hash ([0-9a-f]{64})$/m.exec(failed.stdout ?? '') ?? [];
    expect(hash).toBeDefined();

    const again: { code?: number; stdout?: string } = await simulate(...command.split(' ')).then(
      () => ({}),
      (error: { code: number; stdout: string }) => error,
    );
    expect(again.code).toBe(1);
    expect(again.stdout).toContain(`hash ${hash}`);
    expect(again.stdout).toMatch(/^seed 1: webhook \S+: its time is [\d.]+ s off$/m);
  });
});
