import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readListings, makeListing, type Made } from '../core/listings/update/rig.js';
import { startDashboard, type TestDashboard } from '../dashboard/visitor.js';
import { openMcpHttp, openRest, type Face, type Output } from './faces.js';

/* The effect of an undo on a sold-out or inactive listing, over REST and over MCP: pending values and fees. */

let dashboard: TestDashboard;
let faces: { rest: Face; mcp: Face };
beforeAll(async () => {
  dashboard = await startDashboard({ MAX_ACTIVATIONS_PER_DAY: 'unlimited', CONFIRM_SPENDING: 'off' });
  const { key } = await dashboard.service.app.core.accounts.createKey(dashboard.account_id, 'test');
  faces = { rest: openRest(dashboard.url, key), mcp: await openMcpHttp(dashboard.url, key) };
});
afterAll(async () => {
  await faces.mcp.close();
  await dashboard.close();
});

let made: Made;
let shop_ids: number[];
beforeEach(async () => {
  const both = await makeListing(dashboard.service, { photos: 1, listing: { quantity: 3, sku: 'MUG' } });
  made = { ...both, shops: both.shops.slice(0, 1) };
  shop_ids = made.shops.map(({ shop_id }) => shop_id);
});

const listing_id = () => made.shops[0]?.listing_id ?? 0;
const sellOut = () => dashboard.service.control('POST', `/listings/${listing_id()}/sell`, { quantity: 3 });
const edit = (body: object) => dashboard.service.control('POST', `/listings/${listing_id()}/edit`, body);
const readThere = async () => {
  const [there] = await readListings(dashboard.service, made);
  const { price_amount = 0, quantity } = there?.inventory.products[0]?.offering ?? {};
  return [there?.state, price_amount / 100, quantity];
};
const countFees = async () => {
  const { fees } = await dashboard.service.control<{ fees: { listing_id: number }[] }>('GET', '/state');
  return fees.filter((fee) => fee.listing_id === listing_id()).length;
};
const countCalls = async (operation: string) => {
  const { calls } = await dashboard.service.control<{ calls: Record<string, number> }>('GET', '/state');
  return calls[operation];
};
const endsIn = (seconds: number) => edit({ ends_at_epoch_s: Math.floor(Date.now() / 1000) + seconds });

describe.each(['rest', 'mcp'] as const)('over %s', (name) => {
  const call = async (id: string, input: Output = {}) => {
    const answer = await faces[name].call(id, { listing_pk: made.listing_pk, ...input });
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    return answer.output;
  };
  const update = (changes: Output, more: Output = {}) =>
    call('listing_update', { changes, shops: shop_ids, ...more });
  const undo = (more: Output = {}) => call('listing_undo', { shops: shop_ids, ...more });
  const read = async () => {
    const { shops, request } = await call('listing_get');
    const [shop] = shops as { pending?: unknown; differs?: unknown; price: number }[];
    const own = (request as { shops: { price?: number }[]; listing: { price: number } }) ?? {};
    return {
      pending: shop?.pending,
      differs: shop?.differs,
      price: own.shops[0]?.price ?? own.listing.price,
    };
  };
  const restock = () => call('listing_publish', { state: 'active', stock: 3, shops: shop_ids });

  it('an undo drops a value that an update left pending, and undoing that restores it', async () => {
    await sellOut();
    await update({ listing: { price: 46 } });
    const pending = [{ field: 'listing.price', before: 24.5, after: 46 }];
    expect(await read()).toEqual({ pending, price: 46 });
    expect(await undo({ dry_run: true })).toMatchObject({
      shops: [{ status: 'ok', diff: [], warnings: [{ code: 'pending_dropped', fields: ['listing.price'] }] }],
    });
    expect(await undo()).toMatchObject({
      results: [{ status: 'ok', warnings: [{ code: 'pending_dropped', fields: ['listing.price'] }] }],
    });
    expect(await read()).toEqual({ price: 24.5 });
    expect(await undo()).toMatchObject({ results: [{ status: 'ok', pending }] });
    expect(await read()).toEqual({ pending, price: 46 });
    await restock();
    expect(await readThere()).toEqual(['active', 46, 3]);
  });

  it('an undo goes back to the value that was pending before', async () => {
    await sellOut();
    await update({ listing: { price: 46 } });
    await update({ listing: { price: 50 } });
    await undo();
    expect(await read()).toMatchObject({ pending: [{ field: 'listing.price', after: 46 }], price: 46 });
    const first = await update({ listing: { price: 24.5 } });
    expect(await read()).toEqual({ price: 24.5 });
    await undo({ job_id: first['job_id'] });
    expect(await read()).toMatchObject({ pending: [{ field: 'listing.price', after: 46 }], price: 46 });
  });

  it('an undo keeps the pending values of a later update', async () => {
    await sellOut();
    const { job_id } = await update({ listing: { price: 46 } });
    await update({ listing: { price: 50 } });
    expect(await undo({ job_id })).toMatchObject({
      results: [{ status: 'unchanged', warnings: [{ code: 'not_undone', fields: ['listing.price'] }] }],
    });
    expect(await read()).toMatchObject({ pending: [{ field: 'listing.price', after: 50 }], price: 50 });
  });

  it('an undo keeps a former price as pending if the listing has sold out since', async () => {
    await update({ listing: { price: 30 } });
    expect(await readThere()).toEqual(['active', 30, 3]);
    await sellOut();
    const pending = [{ field: 'listing.price', before: 30, after: 24.5 }];
    expect(await undo({ dry_run: true })).toMatchObject({ shops: [{ status: 'ok', diff: [], pending }] });
    expect(await undo()).toMatchObject({ results: [{ status: 'ok', pending }] });
    expect(await read()).toEqual({ pending, price: 24.5 });
    expect(await readThere()).toEqual(['sold_out', 30, 0]);
    await restock();
    expect(await readThere()).toEqual(['active', 24.5, 3]);
    expect(await read()).toEqual({ price: 24.5 });
  });

  it('an undo writes a price that comes with a stock of 0, and deactivates the listing', async () => {
    const changes = { offerings: [{ sku: 'MUG', price: 31, quantity: 0 }] };
    const diff = [
      { field: 'listing.price', before: 24.5, after: 31 },
      { field: 'state', before: 'active', after: 'inactive' },
    ];
    const shown = (await update(changes, { dry_run: true })) as { shops: { diff: Output[] }[] };
    expect(shown.shops[0]?.diff).toHaveLength(2);
    expect(shown.shops[0]?.diff).toEqual(expect.arrayContaining(diff));
    expect(await update(changes)).toMatchObject({
      results: [{ status: 'ok', diff: expect.arrayContaining(diff) }],
    });
    expect(await readThere()).toEqual(['inactive', 31, 3]);
    expect(await read()).toEqual({ price: 31 });
    await undo();
    expect(await readThere()).toEqual(['active', 24.5, 3]);
    expect(await countFees()).toBe(1);
  });

  it('an undo keeps the last stock and deactivates the listing if sales left no stock to restore', async () => {
    await update({ offerings: [{ sku: 'MUG', price: 31, quantity: 10 }] });
    await dashboard.service.control('POST', `/listings/${listing_id()}/sell`, { quantity: 5 });
    await edit({ translations: { de: { title: 'Becher', description: 'Aus Steinzeug', tags: [] } } });
    const { shops } = (await undo({ dry_run: true })) as { shops: Output[] };
    const codes = [{ code: 'not_undone' }, { code: 'off_sale', fields: ['listing.quantity'] }, {}];
    const diff = [
      { field: 'state', before: 'active', after: 'inactive' },
      { field: 'listing.price', before: 31, after: 24.5 },
    ];
    expect(shops).toMatchObject([{ diff, warnings: codes }]);
    expect(await undo()).toMatchObject({ results: [{ status: 'ok', diff, warnings: codes }] });
    expect(await readThere()).toEqual(['inactive', 24.5, 5]);
    const [there] = await readListings(dashboard.service, made);
    expect(there?.translations).toMatchObject([{ language: 'de', title: 'Becher' }]);
  });

  it('an undo keeps stock that a sold-out listing was given, and restores everything else of that change', async () => {
    await sellOut();
    await update({ listing: { title: 'Other mug', quantity: 5 } });
    const result = {
      status: 'ok',
      diff: [{ field: 'listing.title', after: 'Stoneware mug' }],
      warnings: [{ code: 'off_sale', fields: ['listing.quantity'] }],
    };
    expect(await undo({ dry_run: true })).toMatchObject({ shops: [result] });
    expect(await undo()).toMatchObject({ results: [result] });
    expect(await readThere()).toEqual(['sold_out', 24.5, 5]);
  });

  it('an undo deactivates a listing that the change reactivated, and keeps its stock', async () => {
    await sellOut();
    await restock();
    expect(await undo()).toMatchObject({ results: [{ status: 'ok' }] });
    expect(await readThere()).toEqual(['inactive', 24.5, 3]);
  });

  it('an undo reactivates nothing if the four months end within minutes', async () => {
    await call('listing_publish', { state: 'inactive', shops: shop_ids });
    await endsIn(4 * 60);
    const state = { code: 'not_undone', fields: ['state'] };
    expect(await undo({ dry_run: true })).toMatchObject({ shops: [{ diff: [], warnings: [state] }] });
    expect(await undo()).toMatchObject({ results: [{ status: 'unchanged', warnings: [state] }] });
    expect(await readThere()).toEqual(['inactive', 24.5, 3]);
    expect(await countFees()).toBe(1);
    await endsIn(10 * 60);
    expect(await undo()).toMatchObject({ results: [{ status: 'ok' }] });
    expect(await readThere()).toEqual(['active', 24.5, 3]);
    expect(await countFees()).toBe(1);
  });

  it('an undo sends nothing again if the four months end while an unanswered request is investigated', async () => {
    await call('listing_publish', { state: 'inactive', shops: shop_ids });
    await endsIn(60 * 60);
    const rules = [
      { operation: 'updateListing', action: { type: 'reset' } },
      { operation: 'getListing', action: { type: 'slow', ms: 700 } },
    ];
    await dashboard.service.control('POST', '/faults', { rules });
    const before = await countCalls('updateListing');
    const undone = undo();
    await expect.poll(() => countCalls('updateListing'), { interval: 5 }).not.toBe(before);
    await endsIn(4 * 60);
    expect(await undone).toMatchObject({
      results: [{ status: 'error', error: expect.stringContaining('incurs a fee') }],
    });
    await dashboard.service.control('DELETE', '/faults');
    expect(await readThere()).toEqual(['inactive', 24.5, 3]);
    expect(await countFees()).toBe(1);
  });
});
