import { describe, expect, it } from 'vitest';
import type { BindingMatch } from '../../../src/core/ports/index.js';
import { buildListing } from '../samples/listing_samples.js';
import type { TestClock } from '../ports.js';
import { createTwoAccounts, openWorld, START, type World } from '../world.js';

const REPLAY_MS = 600_000;
const DAY_MS = 86_400_000;

describe('an idempotency key', () => {
  it('returns the same listing and job for 30 days, and can be reused after that', async () => {
    const { world, mine } = await createWorldWithAccount();
    await create(world, mine, { key: 'k' });

    expect(await find(world, mine, { key: 'k', digest: 'digest-1' }, 30 * DAY_MS - 1)).toBe('same job_1');
    expect(await find(world, mine, { key: 'k', digest: 'digest-1' }, 30 * DAY_MS)).toBe('none');
    const later = { key: 'k', digest: 'digest-2', job_id: 'job_2' };
    expect(await create(world, mine, later)).toBe('created job_2');
    expect(await find(world, mine, { key: 'k', digest: 'digest-2' }, 31 * DAY_MS)).toBe('same job_2');
  });

  it('is refused with another body, and creates nothing', async () => {
    const { world, mine } = await createWorldWithAccount();
    await create(world, mine, { key: 'k' });

    expect(await create(world, mine, { key: 'k', digest: 'digest-2', job_id: 'job_2' })).toBe('reused');
    expect(await world.store.listings.findJob(mine, 'job_2')).toBeUndefined();
    expect(await find(world, mine, { key: null, digest: 'digest-2' })).toBe('none');
  });

  it('creates a new listing even if the same body came without a key or with another key', async () => {
    const { world, mine } = await createWorldWithAccount();
    await create(world, mine, {});

    expect(await create(world, mine, { key: 'a', job_id: 'job_2' })).toBe('created job_2');
    expect(await create(world, mine, { key: 'b', job_id: 'job_3' })).toBe('created job_3');
  });

  it('still returns the first job when the listing has a later one', async () => {
    const { world, mine } = await createWorldWithAccount();
    await create(world, mine, { key: 'k' });
    await finish(world, mine);
    const plan = (await world.store.listings.findPublishJob({ account_id: mine, job_id: 'job_1' }))?.plan;
    if (!plan) throw new Error('the job is gone');
    const next = {
      kind: 'publish',
      account_id: mine,
      listing_pk: 1,
      job_id: 'job_2',
      state: 'active',
      plan,
    } as const;
    await world.store.listings.createJob(next);

    expect(await find(world, mine, { key: 'k', digest: 'digest-1' })).toBe('same job_1');
  });
});

describe('a body without a key', () => {
  it('returns its running job, however long the job takes', async () => {
    const { world, mine } = await createWorldWithAccount();
    await create(world, mine, {});

    expect(await create(world, mine, { job_id: 'job_2' }, DAY_MS)).toBe('same job_1');
    expect(await world.store.listings.findJob(mine, 'job_2')).toBeUndefined();
  });

  it('returns its finished job during the replay time', async () => {
    const { world, mine } = await createWorldWithAccount();
    await create(world, mine, {});
    await finish(world, mine, 5000);

    expect(await find(world, mine, { key: null, digest: 'digest-1' }, 5000 + REPLAY_MS - 1)).toBe(
      'same job_1',
    );
    expect(await create(world, mine, { job_id: 'job_2' }, 5000 + REPLAY_MS)).toBe('created job_2');
    expect(await find(world, mine, { key: null, digest: 'digest-1' }, 5000 + REPLAY_MS)).toBe('same job_2');
  });

  it('is not replayed if there is no replay time, whatever the clock of the process that finished its job', async () => {
    const { world, mine } = await createWorldWithAccount();
    await create(world, mine, {});
    await finish(world, mine, REPLAY_MS);
    world.clock.set(-60_000);

    const { match } = await world.store.listings.findBinding(mine, { key: null, digest: 'digest-1' }, 0);
    expect(match).toBe('none');
  });

  it('returns its draft during the replay time after it was saved', async () => {
    const { world, mine } = await createWorldWithAccount();
    await create(world, mine, { draft: true });

    expect(await find(world, mine, { key: null, digest: 'digest-1' }, REPLAY_MS - 1)).toBe('same none');
    expect(await find(world, mine, { key: null, digest: 'digest-1' }, REPLAY_MS)).toBe('none');
  });

  it('matches a request that came with a key, the last one if there are several', async () => {
    const { world, mine } = await createWorldWithAccount();
    await create(world, mine, { key: 'a' });
    expect(await create(world, mine, { job_id: 'job_2' })).toBe('same job_1');
    await create(world, mine, { key: 'b', job_id: 'job_3' });

    expect(await create(world, mine, { job_id: 'job_4' })).toBe('same job_3');
  });
});

async function createWorldWithAccount(): Promise<{ world: World; mine: string }> {
  const world = await openWorld();
  const { mine } = await createTwoAccounts(world.store);
  return { world, mine };
}

/** @param at_ms after the start, as in all of these; default 0 */
async function create(
  { store, clock }: World,
  account_id: string,
  options: Parameters<typeof buildListing>[1],
  at_ms = 0,
): Promise<string> {
  goTo(clock, at_ms);
  const answer = await store.listings.createListing(buildListing(account_id, options), REPLAY_MS);
  return answer.match === 'created' ? `created ${answer.job?.job_id ?? 'none'}` : describeMatch(answer);
}

async function find(
  { store, clock }: World,
  account_id: string,
  binding: { key: string | null; digest: string },
  at_ms = 0,
): Promise<string> {
  goTo(clock, at_ms);
  return describeMatch(await store.listings.findBinding(account_id, binding, REPLAY_MS));
}

async function finish({ store, clock }: World, account_id: string, at_ms = 0): Promise<void> {
  const claimed = await store.listings.claimJob(account_id, 'job_1', 60_000);
  if (!claimed) throw new Error('the job could not be claimed');
  goTo(clock, at_ms);
  const end = { status: 'completed', error_message: null, listing_status: 'published' } as const;
  await store.listings.finishJob(claimed, { ...end, publications: [], results: [] });
}

function goTo(clock: TestClock, at_ms: number): void {
  if (at_ms > 0) clock.advance(Date.parse(START) + at_ms - clock.now().getTime());
}

function describeMatch(answer: BindingMatch): string {
  return answer.match === 'same' ? `same ${answer.job?.job_id ?? 'none'}` : answer.match;
}
