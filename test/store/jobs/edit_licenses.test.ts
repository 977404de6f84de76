import { describe, expect, it } from 'vitest';
import type { LicensedCall } from '../../../src/core/ports/index.js';
import { buildListing } from '../samples/listing_samples.js';
import { createTwoAccounts, openWorld } from '../world.js';

const HOUR_MS = 60 * 60_000;
const CALL: LicensedCall = { credential: 'key:a', digest: 'body' };
const LICENSE = { shop_id: 101, field: 'listing.title', value_digest: 'shown' };

describe('licenses to overwrite manual edits', () => {
  it('go to the first job with the same credential and body, and to no other', async () => {
    const { world, mine, create } = await openWithLicense();
    expect(await create({ ...CALL, credential: 'key:b' })).toBeUndefined();
    expect(await create({ ...CALL, digest: 'other' })).toBeUndefined();
    expect(await create(CALL)).toEqual([LICENSE]);
    expect(await create(CALL)).toBeUndefined();
    await world.store.listings.saveEditLicenses(mine, CALL, [LICENSE], HOUR_MS);
    expect(await create(CALL)).toEqual([LICENSE]);
  });

  it('are replaced by the next dry run of the same call', async () => {
    const { world, mine, create } = await openWithLicense();
    const next = { ...LICENSE, shop_id: 102 };
    await world.store.listings.saveEditLicenses(mine, CALL, [next], HOUR_MS);
    expect(await create(CALL)).toEqual([next]);
  });

  it('belong to their account', async () => {
    const { world, other, create } = await openWithLicense();
    await world.store.listings.saveEditLicenses(other, CALL, [], HOUR_MS);
    expect(await create(CALL)).toEqual([LICENSE]);
  });

  it('expire by the clock of the database, and are then swept', async () => {
    const { world, create } = await openWithLicense();
    world.clock.advance(HOUR_MS - 1);
    expect(await world.store.retention.sweepEditLicenses(10)).toBe(0);
    world.clock.advance(1);
    expect(await world.store.retention.sweepEditLicenses(10)).toBe(1);
    const again = await openWithLicense();
    again.world.clock.advance(HOUR_MS);
    expect(await again.create(CALL)).toBeUndefined();
    expect(await create(CALL)).toBeUndefined();
  });
});

async function openWithLicense() {
  const world = await openWorld();
  const { listings } = world.store;
  const { mine, other } = await createTwoAccounts(world.store);
  const made = await listings.createListing(buildListing(mine), 0);
  if (made.match !== 'created') throw new Error('no listing was created');
  await finish(made.job?.job_id ?? '');
  await listings.saveEditLicenses(mine, CALL, [LICENSE], HOUR_MS);
  let jobs = 0;

  /** Creates a job, and returns the edits it may overwrite. */
  async function create(license: LicensedCall) {
    jobs += 1;
    const { job } = await listings.createJob({
      kind: 'update',
      account_id: mine,
      listing_pk: 1,
      job_id: `update_${jobs}`,
      plan: { purpose: 'update', shops: [], warnings: [], request: null },
      license,
    });
    await finish(job.job_id);
    return job.kind === 'update' ? job.plan?.licensed : undefined;
  }

  async function finish(job_id: string): Promise<void> {
    const claim = await listings.claimJob(mine, job_id, HOUR_MS);
    if (!claim) throw new Error('the job is claimed');
    await listings.finishJob(claim, { status: 'completed', results: [], error_message: null });
  }

  return { world, mine, other, create };
}
