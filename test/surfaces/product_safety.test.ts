import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDashboard, type TestDashboard } from '../dashboard/visitor.js';
import { buildMug, TARGETS } from '../service.js';
import { openMcpHttp, openRest, type Face, type Output } from './faces.js';

/*
 * The six product-safety fields (GPSR), over REST and over MCP. Only the marketplace knows which values are
 * valid.
 */

let dashboard: TestDashboard;
let faces: { rest: Face; mcp: Face };
beforeAll(async () => {
  dashboard = await startDashboard();
  const { key } = await dashboard.service.app.core.accounts.createKey(dashboard.account_id, 'test');
  faces = { rest: openRest(dashboard.url, key), mcp: await openMcpHttp(dashboard.url, key) };
});
afterAll(async () => {
  await faces.mcp.close();
  await dashboard.close();
});

const { clay, linen } = TARGETS;

const OPERATORS = {
  manufacturer_type: 'economic_operator',
  manufacturer_id: 71,
  responsible_person_type: 'economic_operator',
  responsible_person_id: '72',
};
const PRODUCT = { serial_number: 'MUG-7', safety_warnings: 'Hot when filled & heavy' };

/**
 * The codes of all warnings of an answer, including those of single shops; the mug names no processing
 * profile.
 */
function listCodes({ warnings = [], results = [] }: Output): string[] {
  const all = [warnings, ...(results as Output[]).map((result) => result['warnings'] ?? [])].flat();
  return (all as { code: string }[])
    .map(({ code }) => code)
    .filter((code) => code !== 'processing_profile_defaulted');
}

type Result = { shop_id: string; status: string; listing_id: number };

const editThere = (listing_id: unknown, fields: Output) =>
  dashboard.service.control('POST', `/listings/${String(listing_id)}/edit`, fields);

it("the listing's page shows the product-safety fields", async () => {
  const visitor = await dashboard.signIn();
  const mug = buildMug([{ ...clay, gpsr: { manufacturer_id: 71 } }]);
  const listing = { ...mug.listing, gpsr: { safety_warnings: 'Hot <b>' } };
  const { listing_pk } = await dashboard.service.call('listing_create', { ...mug, listing });
  const { text } = await visitor.get(`/dashboard/listings/${String(listing_pk)}`);
  const words = text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  expect(words).toContain('Manufacturer 71');
  expect(words).toContain('Safety warnings Hot &lt;b>');
});

describe.each(['rest', 'mcp'] as const)('over %s', (name) => {
  const ask = (id: string, input: Output) => faces[name].call(id, input);
  const call = async (id: string, input: Output) => {
    const answer = await ask(id, input);
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    return answer.output;
  };
  /** The six fields by shop, as the marketplace stores them. */
  const readThere = async (listing_pk: unknown) => {
    const { listings } = await dashboard.service.control<{
      listings: { listing_id: number; fields: { gpsr: Record<string, unknown> } }[];
    }>('GET', '/state');
    const { shops } = (await call('listing_get', { listing_pk })) as { shops: Result[] };
    return Object.fromEntries(
      shops.map(({ shop_id, listing_id }) => [
        shop_id,
        listings.find((listing) => listing.listing_id === listing_id)?.fields.gpsr,
      ]),
    );
  };
  const make = async (shops: readonly object[], gpsr?: Output) => {
    const mug = buildMug(shops, { state: 'publish' });
    const made = await call('listing_create', {
      ...mug,
      listing: { ...mug.listing, title: `Mug ${crypto.randomUUID()}`, ...(gpsr && { gpsr }) },
    });
    expect(made).toMatchObject({ status: 'completed' });
    expect(listCodes(made)).toEqual([]);
    return made as { listing_pk: number; job_id: string; results: Result[] };
  };

  it('a listing is created with values for all shops and for single shops', async () => {
    const { listing_pk } = await make(
      [clay, { ...linen, gpsr: { ...OPERATORS, serial_number: 'L-1' } }],
      PRODUCT,
    );
    expect(await readThere(listing_pk)).toEqual({
      [clay.shop_id]: { gpsr_serial_number: 'MUG-7', gpsr_safety_warnings: PRODUCT.safety_warnings },
      [linen.shop_id]: {
        gpsr_manufacturer_type: 'economic_operator',
        gpsr_manufacturer_id: '71',
        gpsr_responsible_person_type: 'economic_operator',
        gpsr_responsible_person_id: '72',
        gpsr_serial_number: 'L-1',
        gpsr_safety_warnings: PRODUCT.safety_warnings,
      },
    });
  });

  it('ids shared by several shops, values of another type, and overlong values are refused', async () => {
    const mug = buildMug([clay, linen]);
    const listing = { ...mug.listing, gpsr: { ...OPERATORS, safety_warnings: 'x'.repeat(1_001) } };
    const refused = await ask('listing_create', { ...mug, listing });
    expect(refused).toMatchObject({ ok: false, error: { code: 'VALIDATION_FAILED', status: 400 } });
    const { message } = (refused as { error: { message: string } }).error;
    expect(message).toContain('listing.gpsr.manufacturer_id: ');
    expect(message).toContain('listing.gpsr.responsible_person_id: ');
    expect(message).toContain('listing.gpsr.safety_warnings: has 1001 characters; at most 1000 are allowed');
    expect(message).not.toContain('_type');
    const mistyped = await ask('listing_create', {
      ...buildMug([{ ...clay, gpsr: { serial_number: true } }]),
    });
    expect(mistyped).toMatchObject({ ok: false, error: { status: 400 } });
    expect(JSON.stringify(mistyped)).toContain('shops[0].gpsr.serial_number');
    // A single shop may have them where all shops may.
    await make([clay], OPERATORS);
  });

  it("an error says where a field belongs that was sent under the marketplace's name", async () => {
    const mug = buildMug([clay]);
    const listing = { ...mug.listing, title: `Mug ${name} by its other name`, gpsr_serial_number: 'MUG-7' };
    const { warnings } = await call('listing_create', { ...mug, listing });
    expect(JSON.stringify(warnings)).toContain('gpsr.serial_number');
  });

  it('an update changes single values, removes them with null, and can be undone', async () => {
    const { listing_pk } = await make([{ ...clay, gpsr: OPERATORS }, linen], PRODUCT);
    const before = await readThere(listing_pk);
    const changes = {
      listing: { gpsr: { safety_warnings: null } },
      shops: [{ shop_id: clay.shop_id, gpsr: { manufacturer_id: 80, serial_number: 'C-1' } }],
    };
    const planned = await call('listing_update', { listing_pk, changes, dry_run: true });
    const [plan] = planned['shops'] as { diff: { field: string; before: unknown; after: unknown }[] }[];
    expect(plan?.diff.toSorted((a, b) => a.field.localeCompare(b.field))).toEqual([
      { field: 'shops[].gpsr.manufacturer_id', before: '71', after: '80' },
      { field: 'shops[].gpsr.safety_warnings', before: PRODUCT.safety_warnings, after: null },
      { field: 'shops[].gpsr.serial_number', before: 'MUG-7', after: 'C-1' },
    ]);
    expect(listCodes(await call('listing_update', { listing_pk, changes }))).toEqual([]);
    expect(await readThere(listing_pk)).toMatchObject({
      [clay.shop_id]: {
        gpsr_manufacturer_id: '80',
        gpsr_responsible_person_id: '72',
        gpsr_serial_number: 'C-1',
        gpsr_safety_warnings: null,
      },
      [linen.shop_id]: { gpsr_serial_number: 'MUG-7', gpsr_safety_warnings: null },
    });
    await call('listing_undo', { listing_pk });
    const after = await readThere(listing_pk);
    expect(after).toMatchObject(before);
    const { request } = await call('listing_get', { listing_pk });
    expect(request).toMatchObject({ listing: { gpsr: PRODUCT }, shops: [{ gpsr: OPERATORS }, {}] });
  });

  it('an update removes the whole group from a shop', async () => {
    const { listing_pk } = await make([{ ...clay, gpsr: { ...OPERATORS, ...PRODUCT } }]);
    await call('listing_update', {
      listing_pk,
      changes: { shops: [{ shop_id: clay.shop_id, gpsr: null }] },
    });
    const there = await readThere(listing_pk);
    expect(new Set(Object.values(there[clay.shop_id] ?? {}))).toEqual(new Set([null]));
  });

  it('a manual edit of the same value is reported, and one of another value is adopted', async () => {
    const { listing_pk, results } = await make([{ ...clay, gpsr: OPERATORS }], PRODUCT);
    await editThere(results[0]?.listing_id, { gpsr_serial_number: 'BY-HAND', gpsr_manufacturer_id: 99 });
    const changes = { listing: { gpsr: { serial_number: 'OURS' } } };
    const refused = await call('listing_update', { listing_pk, changes });
    expect(JSON.stringify(refused)).toContain('shops[].gpsr.serial_number');
    const { results: done } = await call('listing_update', { listing_pk, changes, on_drift: 'overwrite' });
    expect(done).toMatchObject([{ status: 'ok' }]);
    expect(await readThere(listing_pk)).toMatchObject({
      [clay.shop_id]: { gpsr_serial_number: 'OURS', gpsr_manufacturer_id: '99' },
    });
    const { request } = await call('listing_get', { listing_pk });
    expect(request).toMatchObject({
      shops: [{ gpsr: { manufacturer_id: '99', responsible_person_id: '72' } }],
    });
  });

  it('an undo that skips edits keeps a value edited since', async () => {
    const { listing_pk, results } = await make([clay], PRODUCT);
    const before = await readThere(listing_pk);
    const changes = { listing: { gpsr: { serial_number: 'OURS', safety_warnings: 'Hot' } } };
    await call('listing_update', { listing_pk, changes });
    await editThere(results[0]?.listing_id, { gpsr_serial_number: 'BY-HAND' });
    const undone = await call('listing_undo', { listing_pk, on_drift: 'skip' });
    expect(undone['results']).toMatchObject([
      {
        status: 'ok',
        warnings: [{ code: 'not_undone', fields: ['shops[].gpsr.serial_number'] }, { code: 'taken_over' }],
      },
    ]);
    expect(await readThere(listing_pk)).toEqual({
      [clay.shop_id]: { ...before[clay.shop_id], gpsr_serial_number: 'BY-HAND' },
    });
  });

  it('a removal in one shop is adopted, and the other shop keeps its value', async () => {
    const { listing_pk, results } = await make([clay, linen], PRODUCT);
    await editThere(results[0]?.listing_id, { gpsr_serial_number: null });
    const changes = { listing: { title: `Kept ${crypto.randomUUID()}` } };
    expect((await call('listing_update', { listing_pk, changes }))['status']).toBe('completed');
    const { request } = (await call('listing_get', { listing_pk })) as {
      request: { listing: Output; shops: Output[] };
    };
    expect(request.listing['gpsr']).toEqual({ safety_warnings: PRODUCT.safety_warnings });
    expect(request.shops.map(({ gpsr, overrides }) => [gpsr, overrides])).toEqual([
      [undefined, undefined],
      [{ serial_number: 'MUG-7' }, undefined],
    ]);
  });

  it('an import includes the fields, and a copy takes only values given for the new shop', async () => {
    const { listing_ids } = await dashboard.service.control<{ listing_ids: number[] }>('POST', '/listings', {
      shop_id: clay.shop_id,
      is_plain: true,
    });
    await editThere(listing_ids[0], { gpsr_manufacturer_id: 5, gpsr_safety_warnings: 'Sharp' });
    const { results } = await call('listing_import', { shop_id: clay.shop_id, listing_ids });
    const [{ listing_pk } = { listing_pk: 0 }] = results as { listing_pk: number }[];
    const { request } = await call('listing_get', { listing_pk });
    expect(request).toMatchObject({ shops: [{ gpsr: { manufacturer_id: '5', safety_warnings: 'Sharp' } }] });

    const made = await make([clay], { ...OPERATORS, ...PRODUCT });
    const target = { ...linen, price: 20, shop_section_id: null };
    const copied = await call('listing_copy', {
      listing_pk: made.listing_pk,
      shops: [{ ...target, gpsr: { serial_number: 'L-2' } }],
      state: 'publish',
    });
    expect(copied).toMatchObject({ status: 'completed' });
    expect(await readThere(made.listing_pk)).toMatchObject({
      [clay.shop_id]: { gpsr_manufacturer_id: '71', gpsr_serial_number: 'MUG-7' },
      [linen.shop_id]: { gpsr_serial_number: 'L-2' },
    });
    const saved = (await call('listing_get', { listing_pk: made.listing_pk }))['request'] as {
      listing: Output;
      shops: Output[];
    };
    expect(saved.listing).not.toHaveProperty('gpsr');
    expect(saved.shops).toMatchObject([
      { gpsr: { ...OPERATORS, ...PRODUCT } },
      { gpsr: { serial_number: 'L-2' } },
    ]);
    expect((await readThere(made.listing_pk))[linen.shop_id]).toEqual({ gpsr_serial_number: 'L-2' });
  });

  it('a refusal by the marketplace is quoted with the path of the field', async () => {
    const mug = buildMug([clay, { ...linen, gpsr: { manufacturer_id: 'kiln' } }], { state: 'publish' });
    const made = await call('listing_create', {
      ...mug,
      listing: { ...mug.listing, title: `Mug ${name} kiln` },
    });
    expect(JSON.stringify(made)).toContain('shops[1].gpsr.manufacturer_id');
    expect(JSON.stringify(made)).toContain('Invalid value (kiln) for parameter gpsr_manufacturer_id.');
  });

  it('values missing from answers are neither compared nor reported, and requested values are still sent', async () => {
    const { listing_pk } = await make([{ ...clay, gpsr: OPERATORS }]);
    await dashboard.service.control('POST', '/settings', { shows_gpsr: false });
    try {
      const made = await make([{ ...clay, gpsr: OPERATORS }]);
      expect((await readThere(made.listing_pk))[clay.shop_id]).toMatchObject({ gpsr_manufacturer_id: '71' });
      const title = `Unseen ${crypto.randomUUID()}`;
      const renamed = await call('listing_update', { listing_pk, changes: { listing: { title } } });
      expect(renamed).toMatchObject({ results: [{ status: 'ok' }] });
      expect(listCodes(renamed)).toEqual([]);
      const shops = [{ shop_id: clay.shop_id, gpsr: { manufacturer_id: 90, responsible_person_id: null } }];
      const changed = await call('listing_update', { listing_pk, changes: { shops } });
      expect(changed).toMatchObject({ results: [{ status: 'ok' }] });
      expect(listCodes(changed)).toEqual([]);
      expect((await readThere(listing_pk))[clay.shop_id]).toMatchObject({
        gpsr_manufacturer_id: '90',
        gpsr_responsible_person_id: null,
      });
    } finally {
      await dashboard.service.control('POST', '/settings', { shows_gpsr: true });
    }
  });
});
