import { describe, expect, it } from 'vitest';
import type { BindingMatch, Store } from '../../src/core/ports/index.js';
import { buildListing } from './listing_samples.js';
import { createTwoAccounts, openWorld, START } from './world.js';

const REPLAY_MS = 600_000;
const DAY_MS = 86_400_000;

describe('a key', () => {
  it('gives the same listing and job for 30 days, and is free afterwards', async () => {
    const { store, mine } = await createWorldWithAccount();
    await create(store, mine, { key: 'k' });

    expect(await find(store, mine, { key: 'k', digest: 'digest-1' }, 30 * DAY_MS - 1)).toBe('same job_1');
    expect(await find(store, mine, { key: 'k', digest: 'digest-1' }, 30 * DAY_MS)).toBe('none');
    const later = { key: 'k', digest: 'digest-2', job_id: 'job_2', now: after(30 * DAY_MS) };
    expect(await create(store, mine, later)).toBe('created job_2');
    expect(await find(store, mine, { key: 'k', digest: 'digest-2' }, 31 * DAY_MS)).toBe('same job_2');
  });

  it('is refused with another body, and creates nothing', async () => {
    const { store, mine } = await createWorldWithAccount();
    await create(store, mine, { key: 'k' });

    expect(await create(store, mine, { key: 'k', digest: 'digest-2', job_id: 'job_2' })).toBe('reused');
    expect(await store.listings.findJob(mine, 'job_2')).toBeUndefined();
    expect(await find(store, mine, { key: null, digest: 'digest-2' })).toBe('none');
  });

  it('ignores that the same body came without a key, or with another one', async () => {
    const { store, mine } = await createWorldWithAccount();
    await create(store, mine, {});

    expect(await create(store, mine, { key: 'a', job_id: 'job_2' })).toBe('created job_2');
    expect(await create(store, mine, { key: 'b', job_id: 'job_3' })).toBe('created job_3');
  });

  it('goes on giving the first job when the listing has a later one', async () => {
    const { store, mine } = await createWorldWithAccount();
    await create(store, mine, { key: 'k' });
    await finish(store, mine, 'job_1', START);
    const plan = (await store.listings.findJob(mine, 'job_1'))?.plan;
    if (!plan) throw new Error('the job is gone');
    const next = {
      account_id: mine,
      listing_pk: 1,
      job_id: 'job_2',
      state: 'active',
      plan,
      now: START,
    } as const;
    await store.listings.createJob(next);

    expect(await find(store, mine, { key: 'k', digest: 'digest-1' })).toBe('same job_1');
  });
});

describe('a body without a key', () => {
  it('joins its running job however long that takes', async () => {
    const { store, mine } = await createWorldWithAccount();
    await create(store, mine, {});

    expect(await create(store, mine, { job_id: 'job_2', now: after(DAY_MS) })).toBe('same job_1');
    expect(await store.listings.findJob(mine, 'job_2')).toBeUndefined();
  });

  it('replays its job for the replay time after the end', async () => {
    const { store, mine } = await createWorldWithAccount();
    await create(store, mine, {});
    await finish(store, mine, 'job_1', after(5000));

    expect(await find(store, mine, { key: null, digest: 'digest-1' }, 5000 + REPLAY_MS - 1)).toBe(
      'same job_1',
    );
    const late = { job_id: 'job_2', now: after(5000 + REPLAY_MS) };
    expect(await create(store, mine, late)).toBe('created job_2');
    expect(await find(store, mine, { key: null, digest: 'digest-1' }, 5000 + REPLAY_MS)).toBe('same job_2');
  });

  it('replays a draft for the replay time after its saving', async () => {
    const { store, mine } = await createWorldWithAccount();
    await create(store, mine, { draft: true });

    expect(await find(store, mine, { key: null, digest: 'digest-1' }, REPLAY_MS - 1)).toBe('same none');
    expect(await find(store, mine, { key: null, digest: 'digest-1' }, REPLAY_MS)).toBe('none');
  });

  it('recognises what came with a key, the last one of several', async () => {
    const { store, mine } = await createWorldWithAccount();
    await create(store, mine, { key: 'a' });
    expect(await create(store, mine, { job_id: 'job_2' })).toBe('same job_1');
    await create(store, mine, { key: 'b', job_id: 'job_3' });

    expect(await create(store, mine, { job_id: 'job_4' })).toBe('same job_3');
  });
});

async function createWorldWithAccount(): Promise<{ store: Store; mine: string }> {
  const { store } = await openWorld();
  const { mine } = await createTwoAccounts(store);
  return { store, mine };
}

async function create(
  store: Store,
  account_id: string,
  options: Parameters<typeof buildListing>[1],
): Promise<string> {
  const answer = await store.listings.createListing(buildListing(account_id, options), REPLAY_MS);
  return answer.match === 'created' ? `created ${answer.job?.job_id ?? 'none'}` : describeMatch(answer);
}

async function find(
  store: Store,
  account_id: string,
  binding: { key: string | null; digest: string },
  after_ms = 0,
): Promise<string> {
  return describeMatch(await store.listings.findBinding(account_id, binding, after(after_ms), REPLAY_MS));
}

async function finish(store: Store, account_id: string, job_id: string, now: string): Promise<void> {
  const lease = await store.listings.claimJob(account_id, job_id, 'worker', after(60_000), START);
  if (!lease) throw new Error('the job could not be claimed');
  const end = { status: 'completed', error_message: null, listing_status: 'published' } as const;
  await store.listings.finishJob(lease, { ...end, publications: [], results: [], now });
}

function describeMatch(answer: BindingMatch): string {
  return answer.match === 'same' ? `same ${answer.job?.job_id ?? 'none'}` : answer.match;
}

function after(duration_ms: number): string {
  return new Date(Date.parse(START) + duration_ms).toISOString();
}
