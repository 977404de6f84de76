import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { UpdateResult } from '../../../../schemas/listing_changes.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import { startService, type TestService } from '../../../service.js';
import { withLabels } from '../../../store/jobs/labels.js';
import { ask } from '../../../store/raw.js';
import { createPowerCut, edit, finish, readListings, makeJob, makeListing, type Made } from './rig.js';

/* Rows of releases that stored labels instead of refs: jobs to undo, jobs in flight, and pending values. */

const power = createPowerCut();
let service: TestService;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' }, { wrapPorts: power.wrapPorts });
});
afterAll(() => service.close());

/** The values of TWO make its label the same as that of another combination's, and hard to parse. */
const variations = {
  properties: [
    { property_id: 513, name: 'Glaze', values: ['Sand', 'Moss, Foot: "No"]'] },
    { property_id: 514, name: 'Foot', values: ['Raw', 'Cut'] },
  ],
  offerings: [
    { glaze: 'Sand', foot: 'Raw', price: 20, quantity: 5, sku: 'ONE' },
    { glaze: 'Moss, Foot: "No"]', foot: 'Cut', price: 21, quantity: 5, sku: 'TWO' },
  ],
};
const TWO = 'variations.offerings[Glaze: Moss, Foot: "No"], Foot: Cut].price';

let made: Made;
beforeEach(async () => {
  made = await makeListing(service, { photos: 1, more: { variations } });
});

/** Turns all rows into those of such a release. @returns how many changed */
async function store(): Promise<number> {
  let changed = 0;
  for (const [table, column, ...keys] of [
    ['job_parts', 'progress', 'job_id', 'part_id'],
    ['publications', 'progress', 'listing_pk', 'shop_id'],
    ['jobs', 'plan', 'job_id', 'account_id'],
  ] as const) {
    const where = keys.map((key) => `${key} = ?`).join(' AND ');
    const rows = await ask<Record<string, string | number>>(
      service.data_dir,
      `SELECT ${[...keys, column].join(', ')} FROM ${table}`,
    );
    for (const row of rows) {
      const [is, was] = [String(row[column]), JSON.stringify(withLabels(JSON.parse(String(row[column]))))];
      if (is === was) continue;
      changed += 1;
      const values = [was, ...keys.map((key) => row[key] ?? null)];
      await ask(service.data_dir, `UPDATE ${table} SET ${column} = ? WHERE ${where}`, values);
    }
  }
  const refs = await ask(service.data_dir, `SELECT 1 AS one FROM job_parts WHERE progress LIKE '%"ref":%'`);
  expect(refs).toEqual([]);
  return changed;
}

const update = (changes: object, more: object = {}) =>
  service.call<UpdateResult>('listing_update', { listing_pk: made.listing_pk, changes, ...more });
const read = () =>
  service.call<{ request: ListingRequest; shops: { pending?: unknown; differs?: unknown }[] }>(
    'listing_get',
    { listing_pk: made.listing_pk },
  );
const readTwo = async () => (await read()).request.variations?.offerings?.find(({ sku }) => sku === 'TWO');
const listPrices = async () =>
  (await readListings(service, made)).map((listing) =>
    listing?.inventory.products.flatMap(({ sku, offering }) =>
      sku === '' ? [] : [offering.price_amount / 100],
    ),
  );

it('undoes a finished update, with the manual edit of a combination that it adopted', async () => {
  await edit(service, made, { products: [{ sku: 'TWO', price: 31 }] });
  const { job_id } = await update({ offerings: [{ sku: 'ONE', price: 40 }] });
  expect(await readTwo()).toMatchObject({ price: 31 });
  expect(await store()).toBeGreaterThan(0);
  const { results } = await service.call<UpdateResult>('listing_undo', {
    listing_pk: made.listing_pk,
    job_id,
  });
  expect(results?.map(({ status }) => status)).toEqual(['ok', 'ok']);
  expect(await listPrices()).toEqual([
    [20, 31],
    [20, 31],
  ]);
  expect(await readTwo()).toMatchObject({ price: 31 });
});

it('shows a pending value, does not call it an edit, and writes it with the next stock', async () => {
  await edit(service, made, { state: 'sold_out' });
  await update({ offerings: [{ sku: 'TWO', price: 44 }] });
  expect(await store()).toBeGreaterThan(0);
  const { shops } = await read();
  const shown = { pending: [{ field: TWO, before: 21, after: 44 }] };
  expect(shops).toMatchObject([shown, shown]);
  expect(shops.map(({ differs }) => differs)).toEqual([undefined, undefined]);
  await update({ offerings: [{ sku: 'TWO', quantity: 3 }] });
  expect(await listPrices()).toEqual([
    [20, 44],
    [20, 44],
  ]);
});

/** @returns the id of the job, whose process ended before the write */
async function endBeforeWrite(): Promise<string> {
  await edit(service, made, { title: 'Theirs' });
  power.setPoint('before marketplace.updateListing');
  await makeJob(service, made, {
    kind: 'change',
    changes: { fields: { title: 'Ours' } },
    on_drift: 'overwrite',
  });
  await service.app.core.listings.resume();
  const job_id = await power.waitForJob(service);
  power.setPoint(undefined);
  expect(await store()).toBeGreaterThan(0);
  return job_id;
}

describe('an update in flight that overwrites a manual edit', () => {
  const warnings = [{ code: 'overwritten', fields: ['listing.title'] }];

  it('overwrites it, and reports that once', async () => {
    const { results } = await finish(service, await endBeforeWrite());
    expect(results).toMatchObject([
      { status: 'ok', warnings },
      { status: 'ok', warnings },
    ]);
    expect(results?.map((result) => result.warnings?.length)).toEqual([1, 1]);
  });

  it('does not treat the edit as known if it fails', async () => {
    const job_id = await endBeforeWrite();
    const action = { type: 'status', status: 400, body: { error: 'Not today' } };
    await service.control('POST', '/faults', { rules: [{ operation: 'updateListing', times: 2, action }] });
    const { results } = await finish(service, job_id);
    await service.control('DELETE', '/faults');
    expect(results).toMatchObject([
      { status: 'error', warnings: [] },
      { status: 'error', warnings: [] },
    ]);
    const drift = [{ field: 'listing.title', ours: 'Stoneware mug', theirs: 'Theirs' }];
    const refused = { status: 'error', details: { code: 'DRIFT', drift } };
    expect((await update({ listing: { title: 'Ours' } })).results).toMatchObject([refused, refused]);
  });
});
