import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_SHOPS } from '../../../../src/sandbox/world/shops.js';
import { startService, type TestService } from '../../../service.js';
import type { CrashPoint } from '../../../wrapped/crash_point.js';
import { createPowerCut, finish, readListings, makeJob, makeListing, type Made } from './rig.js';

/* A sold-out listing is activated for one fee, even if it sells out in the meantime. */

const power = createPowerCut();
let service: TestService;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' }, { wrapPorts: power.wrapPorts });
});
afterAll(() => service.close());
afterEach(() => service.control('DELETE', '/faults'));

async function makeSoldOut(): Promise<Made & { listing_id: number }> {
  const { listing_pk, shops } = await makeListing(service, { photos: 1 });
  const [shop] = shops;
  if (!shop) throw new Error('there is one');
  await service.control('POST', `/listings/${shop.listing_id}/state`, { state: 'sold_out' });
  // Four months from now end later than the previous four months.
  await service.control('POST', `/listings/${shop.listing_id}/edit`, {
    ends_at_epoch_s: Math.floor(Date.now() / 1000) + 60,
  });
  return { listing_pk, shops: [shop], listing_id: shop.listing_id };
}

/** @returns the id of its job, which is in progress */
async function putOnSale(made: Made): Promise<string> {
  const { job_id } = await makeJob(
    service,
    made,
    { kind: 'state', state: 'active', is_paid: true, stock: 5, seen_state: 'sold_out' },
    'on_sale',
  );
  await service.app.core.listings.resume();
  return job_id;
}

/** The process ends there. @returns the id of the job, which waits for another process */
async function endAt(made: Made, point: CrashPoint): Promise<string> {
  power.setPoint(point);
  const job_id = await putOnSale(made);
  expect(await power.waitForJob(service)).toBe(job_id);
  return job_id;
}

async function countFees({ listing_id }: { listing_id: number }): Promise<number> {
  const { fees } = await service.control<{ fees: { listing_id: number }[] }>('GET', '/state');
  return fees.filter((fee) => fee.listing_id === listing_id).length;
}

describe('a listing that is activated and sells out before the job has ended', () => {
  it.each<[CrashPoint, number, RegExp]>([
    [
      'after marketplace.activateListing',
      1,
      /sold out again before its stock was set\. Activating it again incurs another fee/,
    ],
    // Whether a write that may have been sent has set the stock is unknown.
    ['before marketplace.updateInventory', 1, /sold out again\. Activating it again incurs another fee/],
    ['after marketplace.updateInventory', 5, /sold out again\. Activating it again incurs another fee/],
  ])('costs no second fee (%s)', async (point, quantity, error) => {
    const made = await makeSoldOut();
    const before = await countFees(made);
    const job_id = await endAt(made, point);
    await service.control('POST', `/listings/${made.listing_id}/sell`, { quantity });
    power.setPoint(undefined);
    const { results } = await finish(service, job_id);
    expect((await countFees(made)) - before).toBe(1);
    expect(results).toMatchObject([{ status: 'error', activated: true, activation_cost_usd: 0.2 }]);
    expect(results?.[0]?.error).toMatch(error);
    expect((await readListings(service, made))[0]?.state).toBe('sold_out');
  });

  it('costs no second fee either if no process ended', async () => {
    const made = await makeSoldOut();
    const before = await countFees(made);
    const rules = [{ operation: 'updateListingInventory', times: 1, action: { type: 'slow', ms: 700 } }];
    await service.control('POST', '/faults', { rules });
    const job_id = await putOnSale(made);
    await expect
      .poll(async () => (await readListings(service, made))[0]?.state, { interval: 5 })
      .toBe('active');
    await service.control('POST', `/listings/${made.listing_id}/sell`, { quantity: 1 });
    const { results } = await finish(service, job_id);
    expect((await countFees(made)) - before).toBe(1);
    expect(results).toMatchObject([{ status: 'error', activation_cost_usd: 0.2 }]);
  });
});

it('reports a fee that may have been paid if the shop can no longer be read', async () => {
  const made = await makeSoldOut();
  const before = await countFees(made);
  const job_id = await endAt(made, 'after marketplace.activateListing');
  for (const { user_id } of SANDBOX_SHOPS) await service.control('POST', '/tokens/revoke', { user_id });
  power.setPoint(undefined);
  const { results } = await finish(service, job_id);
  expect((await countFees(made)) - before).toBe(1);
  expect(results?.[0]?.error).toMatch(
    /^It is not known whether the listing was activated and its fee was paid, because it could not be read: .*connect the shop again/,
  );
});
