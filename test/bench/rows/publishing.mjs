import { join } from 'node:path';
import { compose } from '../../../.build/src/compose.js';
import { loadConfig } from '../../../.build/src/config.js';
import { startSandbox } from '../../../.build/src/sandbox/index.js';
import { operations } from '../../../.build/tools/index.js';
import { alternate } from '../harness/numbers.mjs';
import { buildSettings, makeFolder } from '../harness/processes.mjs';
import { SHOP_ID } from '../harness/requests.mjs';

/*
 * Drafts made on the sandbox, which answers after 150 ms, beside the least that this can take: the longer of one shop's chain of
 * calls (the listing, then its images one after the other) times the latency, and the number of calls over the rate. The allowance of a
 * first second is there at once, so that few calls may take less.
 */

const ROUNDS = 5;
const LATENCY_MS = 150;
const RATES = [5, 50];
const SHAPES = [
  { shops: 1, images: 1 },
  { shops: 1, images: 10 },
  { shops: 2, images: 10 },
];
const SHOPS = [SHOP_ID, 52660914];
const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures');
const MUG = {
  title: 'Stoneware mug',
  description: 'A mug.',
  listing_type: 'physical',
  taxonomy_id: 1062,
  price: 24.5,
  quantity: 4,
  who_made: 'i_did',
  when_made: 'made_to_order',
  is_supply: false,
};

export async function measure() {
  const lines = [];
  for (const rate of RATES) {
    const service = await open(rate);
    for (const { shops, images } of SHAPES) {
      const counts = [];
      const { ours } = await alternate(ROUNDS, {
        ours: async () => {
          await service.refill();
          const before = await service.countCalls();
          const took_ms = await service.publish(shops, images);
          counts.push(await service.countCalls(before));
          return took_ms;
        },
      });
      const [calls] = counts.slice(-1);
      const total = Object.values(calls).reduce((sum, count) => sum + count, 0);
      const bound_ms = Math.max((1 + images) * LATENCY_MS, (total / rate) * 1000);
      const told = Object.entries(calls).map(([name, count]) => `${count} ${name}`);
      lines.push({
        what: `publishing, ${shops} × ${images} images, ${rate} calls a second (${told.join(', ')})`,
        against: 'the bound',
        unit: 'ms',
        ours,
        reference: ours.map(() => bound_ms),
        target: { most: 1.1 },
        needs_quiet: true,
      });
    }
    await service.close();
  }
  return lines;
}

async function open(rate) {
  const folder = await makeFolder();
  const extra = {
    SANDBOX_RATE: String(rate),
    SANDBOX_LATENCY_MS: String(LATENCY_MS),
    UPLOAD_ROOTS: FIXTURES,
  };
  const app = await compose(loadConfig({}, buildSettings(folder.path, extra)), { is_http: false });
  const { account_id } = await app.core.accounts.getDefault();
  const call = { caller: { account_id, credential: 'local' }, face: 'cli' };
  const invoke = async (id, value) => {
    const operation = operations.find((known) => known.id === id);
    const outcome = await app.service.invoke(operation, { value }, call);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.error.error));
    return outcome.output;
  };
  const targets = [];
  for (const shop_id of SHOPS) {
    const { shipping_profiles, return_policies } = await invoke('store_sync', { shop_id });
    targets.push({
      shop_id,
      shipping_profile_id: shipping_profiles[0].shipping_profile_id,
      return_policy_id: return_policies[0].return_policy_id,
    });
  }
  const photos = [];
  for (let number = 1; number <= 10; number += 1) {
    const path = join(FIXTURES, `photo-${String(number).padStart(2, '0')}.jpg`);
    photos.push({ url: (await invoke('file_upload', { path })).url });
  }
  const door = await startSandbox({ database_file: join(folder.path, 'sandbox.db'), control: true });
  let made = 0;
  return {
    async publish(shops, images) {
      made += 1;
      const begin = performance.now();
      const job = await invoke('listing_create', {
        shops: targets.slice(0, shops),
        listing: MUG,
        images: photos.slice(0, images),
        state: 'publish',
        idempotency_key: `bench-${made}`,
      });
      const took_ms = performance.now() - begin;
      if (job.status !== 'completed') throw new Error(JSON.stringify(job));
      return took_ms;
    },
    /** Marketplace calls by operation since the world began, or since an earlier count. */
    async countCalls(before = {}) {
      const state = await fetch(`${door.url}/_sandbox/state`);
      const { calls } = await state.json();
      const added = Object.entries(calls).map(([name, count]) => [name, count - (before[name] ?? 0)]);
      return Object.fromEntries(added.filter(([, count]) => count > 0));
    },
    /** What the marketplace allows in a second is whole again. */
    refill: () =>
      new Promise((resolve) => {
        setTimeout(resolve, 1_100);
      }),
    async close() {
      await app.close();
      await door.close();
      await folder.remove();
    },
  };
}
