import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildMug, CLAY, LINEN, listTargets, upload } from '../service.js';
import { holdCalls, type HeldCalls } from '../wrapped/held_calls.js';
import { startDashboard, toText, type TestDashboard, type Visitor } from './visitor.js';

let held: HeldCalls;
let dashboard: TestDashboard;
let visitor: Visitor;

beforeEach(async () => {
  held = holdCalls();
  dashboard = await startDashboard({ CONFIRM_SPENDING: 'off' }, { wrapPorts: held.wrapPorts });
  visitor = await dashboard.signIn();
});
afterEach(async () => {
  held.release();
  await dashboard.close();
});

const see = async (path: string) => toText((await visitor.get(path)).text);
const start = (id: string, input: object) =>
  dashboard.service.call<{ job_id: string; listing_pk: number }>(id, input, { wait_ms: 0 });

describe('the page of a running job', () => {
  it('cancels a publication before a shop pays its fee; the rest can be finished later', async () => {
    const { service } = dashboard;
    const images = [{ url: await upload(service, 'mug-front.jpg') }];
    held.hold(/^uploadImage$/, LINEN.shop_id);
    const { job_id, listing_pk } = await start(
      'listing_create',
      buildMug(await listTargets(service), { images, state: 'active' }),
    );
    await held.waitUntilHeld();
    const path = `/dashboard/changes/jobs/${job_id}`;
    await expect.poll(() => see(path), { timeout: 20_000 }).toContain('1 changed, 1 in progress');
    expect(await see(path)).toContain(
      'Shops in progress are finished first, but nothing more is activated. Changes already made are not undone.',
    );
    expect((await visitor.get(path)).text).toContain(`action="${path}/cancel"`);
    expect((await visitor.post(`${path}/cancel`)).location).toBe(path);
    expect(await see(path)).toMatch(/ Canceling .*Canceling\. Shops in progress are finished first\./);
    expect((await visitor.get(path)).text).not.toContain(`action="${path}/cancel"`);
    held.release();
    await expect.poll(() => see(path), { timeout: 20_000 }).toContain('1 changed, 1 canceled');
    const page = await see(path);
    expect(page).toContain('Canceled. Work that had not started was skipped');
    expect(page).toContain('Canceled before it was activated. No fee was paid.');
    expect(page).toContain('Fees paid: $0.20');
    expect(await see('/dashboard/changes')).toMatch(/2 shops Canceled 1 changed, 1 canceled/);
    expect(page).toContain('Finish the rest…');
    const listing = await see(`/dashboard/listings/${listing_pk}`);
    expect(listing).toMatch(/NordLinen Canceled .*Canceled before it was activated\. No fee was paid\./);
    expect(listing).not.toContain('It stopped');
    await service.call('listing_publish', { listing_pk, state: 'active' });
    expect(await see(path)).not.toContain('Finish the rest');
    // Too late: nothing happens.
    expect((await visitor.post(`${path}/cancel`)).location).toBe(path);
    expect((await visitor.post('/dashboard/changes/jobs/job_none/cancel')).status).toBe(404);
  });

  it('cancels an import, which skips the listings that it has not started', async () => {
    const { shop_id } = CLAY;
    const { listing_ids } = await dashboard.service.control<{ listing_ids: number[] }>('POST', '/listings', {
      shop_id,
      count: 6,
    });
    held.hold(/^get/, shop_id);
    const { job_id } = await start('listing_import', { shop_id, listing_ids });
    await held.waitUntilHeld();
    const path = `/dashboard/changes/jobs/${job_id}`;
    expect(await see(path)).toContain('Listings in progress are finished first.');
    await visitor.post(`${path}/cancel`);
    held.release();
    await expect.poll(() => see(path), { timeout: 20_000 }).toMatch(/\d brought in, \d canceled/);
    expect(await see(path)).toContain('Canceled before any work started. Nothing was changed.');
    expect((await visitor.get(path)).text).toContain('Bring in the rest');
  });
});
