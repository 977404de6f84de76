import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildMug, CLAY, LINEN, listTargets, upload } from '../service.js';
import { startDashboard, toText, type TestDashboard, type Visitor } from './visitor.js';

let dashboard: TestDashboard;
let visitor: Visitor;

beforeAll(async () => {
  dashboard = await startDashboard({ CONFIRM_SPENDING: 'off' });
  visitor = await dashboard.signIn();
});
afterAll(() => dashboard.close());

const see = async (path: string) => toText((await visitor.get(path)).text);
const call = <Output>(id: string, input: object) => dashboard.service.call<Output>(id, input);

type Made = { listing_pk: number; job_id: string };

async function make(title: string, more: object = {}): Promise<Made> {
  const images = [{ url: await upload(dashboard.service, 'mug-front.jpg') }];
  const mug = buildMug(await listTargets(dashboard.service), { images });
  return call('listing_create', { ...mug, listing: { ...mug.listing, title }, state: 'active', ...more });
}

async function findHref(path: string, words: string): Promise<string> {
  const { text } = await visitor.get(path);
  const link = [...text.matchAll(/<a href="([^"]+)"[^>]*>(?:<[^>]+>)*([^<]*)/g)].find(
    ([, , label]) => label === words,
  );
  return link?.[1] ?? '';
}

describe('a change of one listing', () => {
  it('is listed with its author, its fields and its result, and is undone on its page', async () => {
    const { listing_pk } = await make('Plain mug');
    await call('listing_update', { listing_pk, changes: { listing: { title: 'Painted mug' } } });
    const list = await see('/dashboard/changes');
    expect(list).toMatch(/Edit Painted mug: title Command line 2 shops Done 2 changed/);
    expect(list).toMatch(/Publish Painted mug Command line 2 shops Done 2 changed/);
    const href = await findHref('/dashboard/changes', 'Edit Painted mug: title');
    const page = await see(href);
    expect(page).toContain('Title from Plain mug → Painted mug');
    const question = await see(`${href}/undo`);
    expect(question).toContain('Undo this change? ClayAndOak Title from Painted mug → Plain mug');
    const undone = await visitor.post(`${href}/undo`);
    expect(undone.location).toMatch(/^\/dashboard\/changes\/jobs\/job_/);
    expect(await see(undone.location)).toMatch(/Undo a change to Plain mug Done You , /);
    expect(await see(`/dashboard/listings/${listing_pk}`)).toContain('Plain mug');
    expect((await visitor.get(href)).text).toContain(`<a href="${undone.location}">Undone</a>`);
    expect(await see(href)).not.toContain('Undo…');
    expect(await see('/dashboard/changes')).toContain('Edit Plain mug: title Command line 2 shops Undone');
  });

  it('names an edit made on Etsy since, and keeps or replaces it as the seller chooses', async () => {
    const made = await make('Sea mug');
    await call('listing_update', {
      listing_pk: made.listing_pk,
      changes: { listing: { title: 'Seaside mug' } },
    });
    const { results } = await call<{ results: { shop_id: string; listing_id: number }[] }>(
      'listing_create_status',
      { job_id: made.job_id },
    );
    const there = results.find(({ shop_id }) => shop_id === String(LINEN.shop_id))?.listing_id;
    await dashboard.service.control('POST', `/listings/${there}/edit`, { title: 'Edited on Etsy' });
    const href = await findHref('/dashboard/changes', 'Edit Seaside mug: title');
    expect(await see(`${href}/undo`)).toContain('Fields edited on Etsy since Keep the edits made on Etsy');
    const { location } = await visitor.post(`${href}/undo`, { on_drift: 'skip' });
    const page = await see(location);
    expect(page).toContain('ClayAndOak Changed Title from Seaside mug → Sea mug');
    const state = await dashboard.service.control<{
      listings: { listing_id: number; fields: { title: string } }[];
    }>('GET', '/state');
    expect(state.listings.find(({ listing_id }) => listing_id === there)?.fields.title).toBe(
      'Edited on Etsy',
    );
  });

  it('that failed in a shop can be finished from its page', async () => {
    const refusal = { type: 'status', status: 400, body: { error: 'No.' } };
    const rules = [{ operation: 'createDraftListing', times: 1, action: refusal }];
    await dashboard.service.control('POST', '/faults', { rules });
    const { job_id, listing_pk } = await make('Half mug', { state: 'publish' });
    const path = `/dashboard/changes/jobs/${job_id}`;
    expect(await see(path)).toMatch(/Save Half mug as a draft on Etsy Failed .* 1 failed/);
    const { text } = await visitor.get(path);
    expect(text).toContain(`action="/dashboard/listings/${listing_pk}/publish"`);
    await visitor.post(`/dashboard/listings/${listing_pk}/publish`);
    expect(await see(path)).not.toContain('Finish the rest');
  });
});

describe('importing listings of a shop', () => {
  it('works for the selected ones, and for all in a state', async () => {
    const { listing_ids } = await dashboard.service.control<{ listing_ids: number[] }>('POST', '/listings', {
      shop_id: CLAY.shop_id,
      count: 3,
    });
    const path = `/dashboard/shops/${CLAY.shop_id}/bring-in`;
    expect(await see(path)).toContain('Bring in listings from ClayAndOak');
    expect((await visitor.post(path)).status).toBe(400);
    const one = await visitor.post(path, { listing: `${listing_ids[0]}` });
    await expect
      .poll(() => see(one.location), { timeout: 20_000, interval: 500 })
      .toMatch(/Bring in 1 listing from ClayAndOak Done .* 1 brought in Show listings/);
    expect((await visitor.get(one.location)).text).toContain(
      `href="/dashboard/listings?shop=${CLAY.shop_id}">Show listings`,
    );
    await visitor.post(path, { all: '1', state: 'active' });
    await expect.poll(() => see(path), { timeout: 20_000 }).toContain('All of these listings are here.');
    expect(await see('/dashboard/changes')).toMatch(/Bring in \d+ listings from ClayAndOak You ClayAndOak/);
  });

  it('works for several shops at once', async () => {
    const path = '/dashboard/bring-in';
    expect((await visitor.post(path)).status).toBe(400);
    const shops: [string, string][] = [CLAY, LINEN].map(({ shop_id }) => ['shop', `${shop_id}`]);
    for (const { shop_id } of [CLAY, LINEN])
      await dashboard.service.control('POST', '/listings', { shop_id, count: 2 });
    const { location } = await visitor.post(path, shops);
    expect(location).toBe('/dashboard/changes');
    await expect.poll(() => see(location), { timeout: 40_000, interval: 2_000 }).not.toContain('In progress');
    for (const { shop_id } of [CLAY, LINEN])
      expect(await see(`/dashboard/shops/${shop_id}/bring-in`)).toContain('All of these listings are here.');
    expect(toText((await visitor.post(path, shops)).text)).toContain('There is nothing to bring in');
  });

  it('is one click away, selects the only shop, and leads to connecting one if there is none', async () => {
    const own = await startDashboard();
    const seller = await own.signIn();
    const { connecting } = own.service.app.core;
    const path = '/dashboard/bring-in';
    for (const page of ['/dashboard', '/dashboard/listings', '/dashboard/shops'])
      expect((await seller.get(page)).text).toContain(`href="${path}"`);
    expect((await seller.get(path)).text).not.toContain(' checked');
    await connecting.disconnect({ account_id: own.account_id, shop_id: LINEN.shop_id });
    const { text } = await seller.get(path);
    expect(text).toMatch(new RegExp(`name="shop" value="${CLAY.shop_id}" checked`));
    expect(text).toContain(`href="/dashboard/shops/${CLAY.shop_id}/bring-in"`);
    await own.service.control('POST', '/listings', { shop_id: CLAY.shop_id });
    const { location } = await seller.post(path, { shop: `${CLAY.shop_id}` });
    expect(toText((await seller.get(location)).text)).toMatch(/Bring in \d+ listings? from ClayAndOak/);
    await connecting.disconnect({ account_id: own.account_id, shop_id: CLAY.shop_id });
    expect(toText((await seller.get(path)).text)).toContain('No shop is connected');
    await own.close();
  });
});
