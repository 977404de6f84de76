import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeListings, OFF_SALE, openBatches, slow, UP } from '../core/batches/rig.js';
import { edit, type Made } from '../core/listings/update/rig.js';
import { startDashboard, toText, type TestDashboard, type Visitor } from './visitor.js';

/* Changes of many listings: reviewed first, started once, undone. */

let dashboard: TestDashboard;
let seller: Visitor;
let mugs: Made[];
let batches: ReturnType<typeof openBatches>;

beforeAll(async () => {
  dashboard = await startDashboard({ CONFIRM_SPENDING: 'off', MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
  seller = await dashboard.signIn();
  batches = openBatches(dashboard.service);
  mugs = await makeListings(dashboard.service, 2);
});
afterAll(() => dashboard.close());

const see = async (path: string) => toText((await seller.get(path)).text);

it('a plan is shown, started with its button, and undone', async () => {
  const { batch_id } = await batches.plan(mugs, UP);
  const path = `/dashboard/changes/${batch_id}`;
  const plan = await see(path);
  expect(plan).toContain('Prices +10%');
  expect(plan).toContain('Not started 2 listings in 2 shops');
  expect(plan).toMatch(/Stoneware mug 1 Will change ClayAndOak Price from 20\.00 USD → 21\.90 USD/);
  expect(plan).toContain('4 changes to 2 listings. Nothing has changed yet');
  expect(plan).toContain('Change 2 listings Free.');
  expect(plan).toContain('Prices of 20.00 USD become 21.90 USD . Prices of 20.00 EUR become 21.90 EUR .');

  const started = await seller.post(`${path}/start`, { sum: '0.00', shops: '' });
  expect([started.status, started.location]).toEqual([303, path]);
  await batches.follow({ batch_id }, 'completed');
  const done = await see(path);
  expect(done).toContain('Done 2 listings in 2 shops');
  expect(done).toContain('Result 4 changed Undo…');
  expect(await see(`${path}?is=error`)).toContain('No listings match this filter.');

  const undone = await seller.post(`${path}/undo`);
  expect(undone.status).toBe(303);
  const undo = await see(undone.location);
  expect(undo).toContain('Undo: Prices +10%');
  expect(undo).toMatch(/Price from 21\.90 USD → 20\.00 USD/);
  expect(undo).toContain('Undo these changes? 4 changes to 2 listings. Nothing has been restored yet.');
  await seller.post(`${undone.location}/start`, { sum: '0.00', shops: '' });
  const undo_id = undone.location.split('/').at(-1) ?? '';
  await batches.follow({ batch_id: undo_id }, 'completed');
  expect(await see(undone.location)).toMatch(/Result 4 restored Redo….* Stoneware mug 1 Restored ClayAndOak/);
  const list = await see('/dashboard/changes');
  expect(list).toMatch(
    /Undo: Prices \+10% You 2 listings in 2 shops Done 4 restored .* Prices \+10% You 2 listings in 2 shops Undone 4 changed/,
  );
  const page = await seller.get(path);
  expect(page.text).toContain(`<a href="${undone.location}">Undone</a>`);
  expect(toText(page.text)).not.toContain('Undo…');
  // Undoing the undo brings the change back.
  const redone = await seller.post(`${undone.location}/undo`);
  expect((await see('/dashboard/changes')).match(/Not started/g)).toBeNull();
  await seller.post(`${redone.location}/start`, { sum: '0.00', shops: '' });
  await batches.follow({ batch_id: redone.location.split('/').at(-1) ?? '' }, 'completed');
  expect(await see(path)).toContain('Result 4 changed Undo…');
});

it('a change is undone if the undo found some of the old values already there', async () => {
  const [mug] = mugs;
  if (!mug) throw new Error('no mug');
  const { batch_id } = await batches.plan([mug], [{ field: 'title', op: 'append', value: ' (sale)' }]);
  const path = `/dashboard/changes/${batch_id}`;
  await seller.post(`${path}/start`, { sum: '0.00', shops: '' });
  await batches.follow({ batch_id }, 'completed');
  await edit(dashboard.service, { ...mug, shops: mug.shops.slice(0, 1) }, { title: 'Stoneware mug 1' });
  const { location } = await seller.post(`${path}/undo`);
  expect(await see(location)).toContain('1 change to 1 listing');
  await seller.post(`${location}/start`, { sum: '0.00', shops: '' });
  await batches.follow({ batch_id: location.split('/').at(-1) ?? '' }, 'completed');
  expect((await seller.get(path)).text).toContain(`<a href="${location}">Undone</a>`);
});

it('a plan asks again if the fees are not the ones the page showed', async () => {
  await dashboard.service.call('listing_publish', { listing_pk: mugs[0]?.listing_pk, state: 'inactive' });
  const { shops } = mugs[0] ?? { shops: [] };
  for (const { listing_id } of shops) {
    await dashboard.service.control('POST', `/listings/${listing_id}/edit`, { state: 'expired' });
  }
  const { batch_id } = await batches.plan(mugs.slice(0, 1), [{ field: 'state', op: 'active' }]);
  const path = `/dashboard/changes/${batch_id}`;
  const plan = await see(path);
  expect(plan).toContain('Publish 1 listing for $0.40');
  expect(plan).toContain('ClayAndOak : 1 listing fee, $0.20');
  const stale = await seller.post(`${path}/start`, { sum: '0.20', shops: `${shops[0]?.shop_id}` });
  expect(toText(stale.text)).toContain('The fees have changed since this page was opened.');
  expect((await batches.list(batch_id)).status).toBe('planned');
  const sum = /name="sum" value="([^"]*)"/.exec(stale.text)?.[1] ?? '';
  const shown = /name="shops" value="([^"]*)"/.exec(stale.text)?.[1] ?? '';
  expect((await seller.post(`${path}/start`, { sum, shops: shown })).status).toBe(303);
  expect((await batches.follow({ batch_id }, 'completed')).counts).toMatchObject({ ok: 2 });
});

it('a plan keeps an edit made on Etsy, or replaces it if the seller says so', async () => {
  const [, mug] = mugs;
  if (!mug) throw new Error('there is no second mug');
  await edit(dashboard.service, { ...mug, shops: mug.shops.slice(0, 1) }, { title: 'Edited <b>by hand</b>' });
  const { batch_id } = await batches.plan([mug], [{ field: 'title', op: 'append', value: ' in oat' }]);
  const path = `/dashboard/changes/${batch_id}`;
  const plan = await see(path);
  expect(plan).toContain('Skipped ClayAndOak');
  expect(plan).toContain('Edited &lt;b>by hand&lt;/b>');
  const mine = await seller.post(`${path}/again`, { on_drift: 'overwrite' });
  expect((await batches.list(batch_id)).status).toBe('canceled');
  const again = await see(mine.location);
  expect(again).toContain('Replaces an edit made on Etsy.');
  expect(again).toContain('2 changes to 1 listing');
  expect(await see(`${mine.location}?is=unchanged`)).toContain('Edits made on Etsy will be replaced');
  const theirs = await seller.post(`${mine.location}/again`, { on_drift: 'refuse' });
  expect(await see(theirs.location)).toContain('1 change to 1 listing');
  const refused = await seller.post(`${mine.location}/start`, { sum: '0.00', shops: '' });
  expect(refused.status).toBe(400);
  expect(toText(refused.text)).toContain('The bulk change is canceled and cannot be started');
});

it('a change shows progress, stops when canceled, and its canceled items can be planned again', async () => {
  await slow(dashboard.service, 'updateListing', 400, 4);
  const { batch_id } = await batches.plan(mugs, [{ field: 'tags', op: 'add', value: ['gift'] }]);
  const path = `/dashboard/changes/${batch_id}`;
  await batches.start({ batch_id }, { wait_ms: 0 });
  const running = await see(path);
  expect(running).toContain('Tags added: gift');
  const going = await see('/dashboard');
  expect(going).toMatch(/In progress Tags added: gift, 2 listings in 2 shops .* remaining/);
  expect(running).toMatch(/In progress .* remaining\. You can close this page\. Cancel/);
  const list = await seller.get('/dashboard/changes');
  expect(list.text).toContain('data-live="/dashboard/changes/events?offset=0"');
  const events = seller.get('/dashboard/changes/events');
  expect((await seller.post(`${path}/cancel`)).status).toBe(303);
  const { counts } = await batches.follow({ batch_id }, 'canceled');
  expect(counts.canceled).toBeGreaterThan(0);
  expect((await events).text).toMatch(/event: part\ndata: .*Tags added: gift.*In progress.*event: end/s);
  expect(await see(path)).toContain(`Try ${counts.canceled} canceled change`);
  // The seller knows about the own cancellation.
  const [needs] = (await see('/dashboard')).split('Last made');
  expect(needs).not.toContain('Tags added: gift');
  const rest = await seller.post(`${path}/again`, { item_status: 'canceled' });
  expect(await see(rest.location)).toContain(`${counts.canceled} change`);
  expect((await seller.post(`${rest.location}/cancel`)).status).toBe(303);
  const discarded = await see(rest.location);
  expect(discarded).toMatch(/Discarded .* Nothing was changed Plan again… What was planned /);
  expect(discarded).not.toMatch(/Canceled|Try \d|will change/i);
  expect(discarded.match(/Discarded/g)).toHaveLength(1);
});

it('planning an undo again covers only what that undo was about', async () => {
  const tags = await batches.plan(mugs, [{ field: 'tags', op: 'add', value: ['oak'] }], {
    on_drift: 'overwrite',
  });
  await batches.start(tags);
  await batches.follow(tags, 'completed');
  const listing_pks = mugs.slice(0, 1).map(({ listing_pk }) => listing_pk);
  const shops = mugs[0]?.shops.slice(0, 1).map(({ shop_id }) => shop_id);
  const { batch_id } = await batches.undo(tags, { listing_pks, shops, dry_run: true });
  const again = await seller.post(`/dashboard/changes/${batch_id}/again`, { on_drift: 'overwrite' });
  const planned = await batches.list(again.location.split('/').at(-1) ?? '');
  expect(planned.items).toMatchObject([{ listing_pk: listing_pks[0], shop_id: `${shops?.[0]}` }]);
  await seller.post(`${again.location}/cancel`);
});

it('discarding a plan does not stop a change started after its page was opened', async () => {
  const planned = await batches.plan(mugs, [{ field: 'tags', op: 'add', value: ['bowl'] }], {
    on_drift: 'overwrite',
  });
  const path = `/dashboard/changes/${planned.batch_id}`;
  const { text } = await seller.get(path);
  expect(text).toContain('name="plan" value="1"');
  await slow(dashboard.service, 'updateListing', 400, 4);
  await batches.start(planned, { wait_ms: 0 });
  const late = await seller.post(`${path}/cancel`, { plan: '1' });
  expect(late.status).toBe(303);
  // The card of the progress is newer than the rest of the page, so only it has numbers.
  await expect
    .poll(() => see(path), { timeout: 10_000 })
    .toMatch(/\d changed, \d remaining.* All Waiting Changed /);
  await expect.poll(async () => (await batches.list(planned.batch_id)).completed_at).not.toBeNull();
  expect(await batches.list(planned.batch_id)).toMatchObject({ status: 'completed', counts: { ok: 4 } });
});

it('failed changes that would be made twice are not offered for another plan', async () => {
  const cups = await makeListings(dashboard.service, 2);
  const planned = await batches.plan(cups, [...UP, OFF_SALE]);
  await slow(dashboard.service, 'updateListingInventory', 1_000);
  await batches.start(planned, { wait_ms: 200 });
  await batches.cancel(planned);
  const { counts } = await batches.follow(planned, 'canceled');
  expect(counts.error).toBe(2);
  const page = await see(`/dashboard/changes/${planned.batch_id}`);
  expect(page).toContain('Try 2 canceled changes again');
  expect(page).not.toContain('Try 2 failed');
  expect(page).toContain('Undo this change first');
  const need = /Needs your attention .*2 failed, 2 canceled\. See why/;
  expect(await see('/dashboard')).toMatch(need);
  const undo = await seller.post(`/dashboard/changes/${planned.batch_id}/undo`);
  await seller.post(`${undo.location}/start`, { sum: '0.00', shops: '' });
  await batches.follow({ batch_id: undo.location.split('/').at(-1) ?? '' }, 'completed');
  expect(await see('/dashboard')).not.toMatch(need);
});

it('undoing a deactivation is offered for a fee only once Etsy charges one', async () => {
  const made = await makeListings(dashboard.service, 1, { should_auto_renew: false });
  const off = await batches.start(await batches.plan(made, [OFF_SALE]));
  const path = `/dashboard/changes/${off.batch_id}`;
  expect(await see(path)).not.toContain('listing fee');
  const free = await see((await seller.post(`${path}/undo`)).location);
  expect(free).toContain('Undo changes to 1 listing Free.');
  expect(free).not.toContain('Etsy charges');
  const listing_ids = made.flatMap(({ shops }) => shops.map(({ listing_id }) => listing_id));
  const advance_ms = 120 * 24 * 60 * 60_000;
  await dashboard.service.control('POST', '/clock', { advance_ms, listing_ids });
  await batches.cancel({ batch_id: (await seller.post(`${path}/undo`)).location.split('/').at(-1) ?? '' });
  const { location } = await seller.post(`${path}/undo`);
  expect(await see(location)).toContain(
    'Nothing would change 2 listings stay inactive, because Etsy charges $0.40 to activate them again. Include them for $0.40…',
  );
  const paid = await seller.post(`${location}/again`, { pay: '1', on_drift: 'refuse' });
  expect(await see(paid.location)).toContain('Undo changes to 1 listing for $0.40');
  expect(await see(paid.location)).not.toContain('stay inactive');
  await seller.post(`${paid.location}/cancel`);
});

it('a change of one listing names that listing', async () => {
  const cups = await makeListings(dashboard.service, 2);
  const [shop_id = 0] = cups[0]?.shops.map((shop) => shop.shop_id) ?? [];
  const shops = [{ shop_id, price: 21 }];
  const title = [{ field: 'any', op: 'merge', value: { listing: { title: 'Blue cup' }, shops } }];
  const one = await batches.plan(cups.slice(0, 1), title);
  const both = await batches.plan(cups, [{ field: 'tags', op: 'add', value: ['cup'] }]);
  const list = await see('/dashboard/changes');
  expect(list).toContain('Edit title, price · Stoneware mug 1 Command line 1 listing in 2 shops Not started');
  expect(list).toContain('Tags added: cup Command line 2 listings in 2 shops');
  expect(await see(`/dashboard/changes/${one.batch_id}`)).toContain(
    'Changes Edit title, price · Stoneware mug 1',
  );
  for (const planned of [one, both]) await batches.cancel(planned);
});

it('an unknown batch is answered with 404', async () => {
  const { status, text } = await seller.get('/dashboard/changes/batch_none');
  expect([status, toText(text)]).toEqual([404, expect.stringContaining('This bulk change does not exist')]);
});
