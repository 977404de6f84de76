import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildListing } from '../samples/listing_samples.js';
import { copyFrozen } from '../frozen_folder.js';
import { compileChildren, type Children } from './children.js';
import { makeDirectory, openWorld } from '../world.js';

const PROCESSES = 3;
const ROUNDS = 20;
const EACH_ROUND_ONE = Array.from({ length: ROUNDS }, () => 1);

let children: Children;
beforeAll(() => {
  children = compileChildren();
}, 120_000);
afterAll(() => {
  children.remove();
});

describe('three processes at once', () => {
  it('start for the first time, and agree on the schema, the key and the default account', async () => {
    for (let round = 0; round < 3; round += 1) {
      const data_dir = join(makeDirectory(), 'data');
      const outcomes = await children.run('open', data_dir, PROCESSES);
      const { store, log } = await openWorld({ data_dir });
      const account = await store.accounts.getDefaultAccount();

      expect(outcomes).toEqual(
        Array.from({ length: PROCESSES }, () => ({ account_id: account.account_id, is_ready: true })),
      );
      expect(await store.accounts.listAccounts()).toEqual([account]);
      expect(log.lines).toEqual([]);
    }
  });

  it('start on a folder of an earlier release, and one of them migrates it', async () => {
    const data_dir = join(makeDirectory(), 'data');
    await copyFrozen('version_41/data', data_dir);
    const outcomes = await children.run('open', data_dir, PROCESSES);
    const { store, log } = await openWorld({ data_dir });
    const { account_id } = await store.accounts.getDefaultAccount();

    expect(outcomes).toEqual(Array.from({ length: PROCESSES }, () => ({ account_id, is_ready: true })));
    expect(log.lines).toEqual([]);
  });

  it('create each listing once', async () => {
    const { store, data_dir } = await openWorld();
    const { account_id } = await store.accounts.getDefaultAccount();
    const outcomes = await children.run('create', data_dir, PROCESSES);

    expect(countRounds(outcomes, 'created')).toEqual(EACH_ROUND_ONE);
    expect(outcomes.flat().filter((match) => match === 'same')).toHaveLength(ROUNDS * (PROCESSES - 1));
    expect(await store.listings.listListings(account_id, { limit: 1, offset: 0 })).toMatchObject({
      total: ROUNDS,
    });
  });

  it('claim each job once', async () => {
    const { store, data_dir } = await openWorld();
    const { account_id } = await store.accounts.getDefaultAccount();
    for (let round = 0; round < ROUNDS; round += 1) {
      const job = { digest: `digest-${round}`, job_id: `job_${round}` };
      await store.listings.createListing(buildListing(account_id, job), 0);
    }
    const outcomes = await children.run('claim', data_dir, PROCESSES);

    expect(countRounds(outcomes, 1)).toEqual(EACH_ROUND_ONE);
    // A claim of a process that is gone is granted again, with a higher fence.
    const again = [2, 3].flatMap((fence) => countRounds(outcomes, fence));
    expect(again.filter((times) => times > 1)).toEqual([]);
    expect(await store.listings.listClaimableJobs()).toHaveLength(ROUNDS);
  });

  it('allow no more calls than the limit', async () => {
    const { data_dir } = await openWorld();
    const outcomes = await children.run('take', data_dir, PROCESSES);

    expect(outcomes.flat()).toHaveLength(PROCESSES * 300);
    expect(outcomes.flat().filter((is_allowed) => is_allowed === true)).toHaveLength(700);
  });

  it('refresh tokens one after another', async () => {
    const { store, data_dir } = await openWorld();
    const { account_id } = await store.accounts.getDefaultAccount();
    await children.run('refresh', data_dir, PROCESSES);

    expect(await store.tokens.findTokens({ account_id, shop_id: 101 })).toMatchObject({
      refresh_token: String(PROCESSES * ROUNDS),
    });
  });
});

describe('a process killed while it writes', () => {
  it('loses nothing it has reported as done, and makes the next start check the database', async () => {
    const data_dir = join(makeDirectory(), 'data');
    for (const after_lines of [1, 60, 200]) {
      const committed = await children.kill('write', data_dir, after_lines);
      const { store, log } = await openWorld({ data_dir });
      const kept = new Set((await store.accounts.listAccounts()).map((account) => account.account_id));
      await store.close();

      expect(committed.length).toBeGreaterThanOrEqual(after_lines);
      expect(committed.filter((account_id) => !kept.has(account_id))).toEqual([]);
      expect(log.lines.map((line) => line.message)).toEqual([
        'the last stop was not clean: checking the database',
      ]);
    }
  });
});

describe('a process killed while it holds the tokens of a shop', () => {
  it('blocks no other process', async () => {
    const { store, clock, data_dir } = await openWorld();
    const { account_id } = await store.accounts.getDefaultAccount();
    expect(await children.kill('hold', data_dir, 1)).toEqual(['held']);
    const passed_ms = clock.monotonic();
    const shop = { account_id, shop_id: 101 };
    expect(await store.tokens.withRefreshLock(shop, async () => 'in')).toBe('in');
    // Nothing had to wait.
    expect(clock.monotonic()).toBe(passed_ms);
  });
});

/** For each round, the number of processes that got this answer. */
function countRounds(outcomes: unknown[], wanted: unknown): number[] {
  return EACH_ROUND_ONE.map(
    (_, round) => outcomes.filter((answers) => Array.isArray(answers) && answers[round] === wanted).length,
  );
}
