/*
 * One of several processes on a data directory. Arguments: the directory and a task. Prints `ready`, waits for a
 * line on stdin, runs the task, and prints its result as one line of JSON.
 */
import { once } from 'node:events';
import { openStore } from '../../../src/store/index.js';
import type { Store } from '../../../src/core/ports/index.js';
import { createRealClock, createTestClock, createTestIds, createTestLog } from '../ports.js';
import { buildListing } from '../samples/listing_samples.js';
import { systemRandomness } from '../../../src/world/randomness.js';

const REPLAY_MS = 600_000;
const ROUNDS = 20;
const TAKES = 300;
const NOW = '2026-11-20T10:00:00.000Z';
const CLAIM_MS = 600_000;

const TASKS: Record<string, (store: Store, account_id: string) => Promise<unknown>> = {
  open: async (store, account_id) => ({ account_id, is_ready: (await store.listTroubles()).length === 0 }),
  create: (store, account_id) => repeat((round) => create(store, account_id, round)),
  claim: (store, account_id) => repeat((round) => claim(store, account_id, round)),
  take: (store, account_id) => repeat(() => take(store, account_id), TAKES),
  refresh: (store, account_id) => refresh(store, account_id),
  hold: (store, account_id) => hold(store, account_id),
  write: (store) => writeForever(store),
};

const [data_dir = '', task = ''] = process.argv.slice(2);
process.stdout.write('ready\n');
await once(process.stdin, 'data');
process.stdin.destroy();
const store = await openStore({
  randomness: systemRandomness,
  data_dir,
  // All counted calls come at the same moment.
  clock: task === 'take' ? createTestClock() : createRealClock(),
  ids: createTestIds(),
  log: createTestLog(),
});
const { account_id } = await store.accounts.getDefaultAccount();
const outcome = await TASKS[task]?.(store, account_id);
process.stdout.write(`${JSON.stringify(outcome)}\n`);
await store.close();

async function repeat<T>(work: (round: number) => Promise<T>, rounds = ROUNDS): Promise<T[]> {
  const answers: T[] = [];
  for (let round = 0; round < rounds; round += 1) answers.push(await work(round));
  return answers;
}

async function create(store: Store, account_id: string, round: number): Promise<string> {
  const job_id = `job_${round}_${process.pid}`;
  const options = round % 2 === 0 ? { key: `key-${round}` } : {};
  const listing = buildListing(account_id, { ...options, digest: `digest-${round}`, job_id });
  return (await store.listings.createListing(listing, REPLAY_MS)).match;
}

/** Resolves with the fence. */
async function claim(store: Store, account_id: string, round: number): Promise<number | undefined> {
  return (await store.listings.claimJob(account_id, `job_${round}`, CLAIM_MS))?.fence;
}

async function take(store: Store, account_id: string): Promise<boolean> {
  const limits = { per_second: 700, per_day: 5000 };
  return (await store.rates.take(account_id, limits)).is_allowed;
}

/** Increments the number in the refresh token; two processes at once would read the same number. */
async function refresh(store: Store, account_id: string): Promise<number> {
  const shop = { account_id, shop_id: 101 };
  for (let round = 0; round < ROUNDS; round += 1) {
    await store.tokens.withRefreshLock(shop, async () => {
      const tokens = await store.tokens.findTokens(shop);
      const refresh_token = String(Number(tokens?.refresh_token ?? '0') + 1);
      await store.tokens.saveTokens(shop, {
        access_token: 'a',
        refresh_token,
        access_expires_at: NOW,
        scopes: [],
      });
    });
  }
  return ROUNDS;
}

/** Holds the tokens of a shop exclusively, and prints so, until the process is killed. */
async function hold(store: Store, account_id: string): Promise<void> {
  await store.tokens.withRefreshLock({ account_id, shop_id: 101 }, async () => {
    process.stdout.write('held\n');
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  });
}

/** Prints every account once it is committed, until the process is killed (or has created far too many). */
async function writeForever(store: Store): Promise<void> {
  for (let n = 0; n < 100_000; n += 1) {
    const account = await store.accounts.createAccount(`durable ${process.pid} ${n}`);
    process.stdout.write(`${account.account_id}\n`);
  }
}
