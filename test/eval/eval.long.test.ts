import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

/*
 * A few of the scenarios that npm run eval plays, and checks that it reports a scenario that does not end as
 * intended.
 */

const RUN = join(import.meta.dirname, 'run.mjs');

function run(
  words: string[],
  environment: Record<string, string> = {},
): Promise<{ code: unknown; stdout: string }> {
  // The test runner sets its own BASE_URL.
  const { BASE_URL: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, [RUN, ...words], { env: { ...env, ...environment } }, (error, stdout) => {
      resolve({ code: error?.code ?? 0, stdout });
    });
  });
}

it('the scenarios about changes of live listings end as intended', async () => {
  const { code, stdout } = await run([
    'undo twice',
    'resent for its title',
    'a shop that has it',
    'on sale again after the yes',
  ]);
  expect(stdout).toMatch(/^all .* 0 +0\.20 +4 of 4 as meant$/m);
  expect(code).toBe(0);
});

it('assistants that make mistakes get the intended result, once', async () => {
  const { code, stdout } = await run(['forgotten', 'asked for twice', 'JSON in strings']);
  const rows = stdout.split('\n').slice(1, -1);
  expect(rows).toHaveLength(4);
  expect(rows.slice(0, -1).every((row) => row.endsWith('as meant'))).toBe(true);
  // No duplicates; and 0.20 USD for each shop: 1 + 2 + 1.
  expect(rows.at(-1)).toMatch(/^all .* 0 +0\.80 +3 of 3 as meant$/);
  expect(code).toBe(0);
});

async function writeRecordings(recordings: { name: string }[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recordings-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const recording of recordings) {
    await writeFile(join(folder, `${recording.name}.json`), JSON.stringify(recording));
  }
  return folder;
}

const call = (idempotency_key: string) => ({
  tool: 'listing_create',
  arguments: {
    state: 'publish',
    idempotency_key,
    shops: [{ shop_id: 48213377, shipping_profile_id: 211740301, return_policy_id: 1142500101 }],
    listing: {
      title: 'A mug',
      description: 'A mug.',
      listing_type: 'physical',
      taxonomy_id: 1062,
      price: 24,
      quantity: 1,
    },
  },
});

it('a request called valid is published, and reported if the marketplace refuses it', async () => {
  const refusal = { type: 'status', status: 400, body: { error: 'Not today.' } };
  const checked = call('a');
  const recording = {
    name: 'valid, then refused',
    intent: { saved: 1 },
    faults: [{ operation: 'createDraftListing', times: 1, action: refusal }],
    calls: [{ ...checked, arguments: { ...checked.arguments, dry_run: true } }],
  };
  const { code, stdout } = await run(['valid'], { EVAL_RECORDINGS: await writeRecordings([recording]) });
  expect(stdout).toMatch(/^valid, then refused .* called valid, then: .*Not today/m);
  expect(code).toBe(1);
});

it('a duplicate listing, an unexpected answer and an unknown scenario are reported', async () => {
  const recordings = [
    { name: 'made twice', intent: { drafts: 1, saved: 1 }, calls: [call('a'), call('b')] },
    {
      name: 'made, not refused',
      intent: { drafts: 1, saved: 1 },
      calls: [{ ...call('a'), expect: 'VALIDATION_FAILED' }],
    },
  ];
  const folder = await writeRecordings(recordings);
  const { code, stdout } = await run(['made'], { EVAL_RECORDINGS: folder });
  expect(stdout).toMatch(
    /^made twice .* 1 +0\.00 +drafts: 2 instead of 1; saved: 2 instead of 1; duplicates: 1 /m,
  );
  expect(stdout).toMatch(/^made, not refused .* listing_create: accepted instead of VALIDATION_FAILED$/m);
  expect(code).toBe(1);
  expect((await run(['no such scenario'])).code).toBe(1);
});
