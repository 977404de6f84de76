import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { CLAY, KEY, MUG, openRig, send } from './harness.js';

const folder = mkdtempSync(join(tmpdir(), 'sandbox-sharing-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('several servers on one file', () => {
  it('start three at once on a new file, and share its contents', async () => {
    const database_file = join(folder, 'fresh.db');
    const rigs = await Promise.all([1, 2, 3].map(() => openRig({ database_file })));
    try {
      const [first, second, third] = rigs;
      const counts = await Promise.all(rigs.map((rig) => rig.call('GET', '/listings/active?limit=1')));
      expect(new Set(counts.map((reply) => reply.body.count)).size).toBe(1);
      const made = await first?.call('POST', `/shops/${CLAY.shop_id}/listings`, { form: { ...MUG } });
      const seen = await second?.call('GET', `/listings/${made?.body.listing_id}`);
      expect(seen?.body.title).toBe('Speckled Mug');
      await first?.control('POST', '/faults', {
        rules: [{ operation: 'ping', action: { type: 'status', status: 500 } }],
      });
      const statuses = await Promise.all(rigs.map((rig) => rig.call('GET', '/openapi-ping')));
      expect(statuses.filter((reply) => reply.status === 500)).toHaveLength(1);
      await third?.control('POST', '/settings', { rate_per_second: 2 });
      const limited = await first?.call('GET', '/openapi-ping');
      expect(limited?.headers.get('x-limit-per-second')).toBe('2');
    } finally {
      await Promise.all(rigs.map((rig) => rig.sandbox.close()));
    }
  });

  it('create tables and seed once if three processes race for the first start', async () => {
    const database_file = join(folder, 'raced.db');
    const script = await writeRacer();
    const outcomes = await Promise.all(
      [1, 2, 3].map(() => run(process.execPath, [script, database_file], { timeout: 20_000 })),
    );
    const counts = outcomes.map(({ stdout }) => Number(stdout));
    expect(counts[0]).toBeGreaterThan(100);
    expect(counts).toEqual([counts[0], counts[0], counts[0]]);
  });

  it('assign each id once to writers on different servers', async () => {
    const database_file = join(folder, 'ids.db');
    const rigs = await Promise.all([1, 2].map(() => openRig({ database_file })));
    try {
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          send(`${rigs[index % 2]?.sandbox.url}/v3/application/shops/${CLAY.shop_id}/listings`, 'POST', {
            headers: { 'x-api-key': KEY, authorization: `Bearer ${rigs[0]?.token}` },
            form: { ...MUG },
          }),
        ),
      );
      expect(replies.map((reply) => reply.status)).toEqual(Array(20).fill(201));
      expect(new Set(replies.map((reply) => reply.body.listing_id)).size).toBe(20);
    } finally {
      await Promise.all(rigs.map((rig) => rig.sandbox.close()));
    }
  });
});

const run = promisify(execFile);
const compiled = new URL('../../.build/src/sandbox/index.js', import.meta.url);

/** Child processes run compiled code: the build's output before bundling. */
async function writeRacer(): Promise<string> {
  const script = join(folder, 'race.mjs');
  await writeFile(
    script,
    `import { SANDBOX_APP, startSandbox } from ${JSON.stringify(compiled.href)};
const sandbox = await startSandbox({ database_file: process.argv[2] });
const headers = { 'x-api-key': SANDBOX_APP.keystring + ':' + SANDBOX_APP.shared_secret };
const response = await fetch(sandbox.url + '/v3/application/listings/active?limit=1', { headers });
process.stdout.write(String((await response.json()).count));
await sandbox.close();
`,
  );
  return script;
}
