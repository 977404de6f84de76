import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BatchesPage, BatchEdit } from '../../schemas/batch.js';
import { CLAY, LINEN } from '../service.js';
import { makeListings, openBatches, UP } from '../core/batches/rig.js';
import { edit, type Made } from '../core/listings/update/rig.js';
import { startDashboard, toText, type TestDashboard, type Visitor } from './visitor.js';

/* The checkboxes of a plan: rows are left out, and edits made on Etsy are replaced. */

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

const toId = (path: string) => path.split('/').at(-1) ?? '';

async function listRows(batch_id: string) {
  const { items = [] } = await dashboard.service.call<BatchesPage>('batches_list', { batch_id });
  return items.map(({ listing_pk, shop_id, status }) => ({ row: `${listing_pk}:${shop_id}`, status }));
}

/** Submits the checkboxes of a plan's rows: all but the dropped ones are kept. */
async function update(batch_id: string, dropped: readonly string[], replaced: readonly string[] = []) {
  const { status, location } = await send(batch_id, 'again', dropped, replaced);
  expect(status).toBe(303);
  return toId(location);
}

async function send(
  batch_id: string,
  action: 'again' | 'start',
  dropped: readonly string[],
  replaced: readonly string[] = [],
) {
  const rows = (await listRows(batch_id)).filter(({ status }) => status === 'planned');
  const fields: [string, string][] = [
    ['rows', '1'],
    ...rows.map(({ row }): [string, string] => ['row', row]),
    ...rows.flatMap(({ row }): [string, string][] => (dropped.includes(row) ? [] : [['keep', row]])),
    ...replaced.map((row): [string, string] => ['replace', row]),
  ];
  return seller.post(`/dashboard/changes/${batch_id}/${action}`, [['sum', '0.00'], ['shops', ''], ...fields]);
}

it('a plan leaves out the rows whose checkbox is cleared, also when it is updated again', async () => {
  const { batch_id } = await batches.plan(mugs, UP);
  const [first, second, ...others] = (await listRows(batch_id)).map(({ row }) => row);
  // Only the button that Enter on a checkbox presses, which is hidden.
  const buttons = (await seller.get(`/dashboard/changes/${batch_id}`)).text.match(
    /<button[^>]*>Update the plan/g,
  );
  expect(buttons).toEqual([expect.stringContaining(' hidden ')]);
  const once = await update(batch_id, [first ?? '']);
  expect((await batches.list(batch_id)).status).toBe('canceled');
  expect((await listRows(once)).map(({ row }) => row)).toEqual([second, ...others]);
  const twice = await update(once, [second ?? '']);
  expect((await listRows(twice)).map(({ row }) => row)).toEqual(others);
  const none = await send(twice, 'again', others);
  expect([none.status, toText(none.text)]).toEqual([400, expect.stringContaining('No listing is selected.')]);
  expect((await batches.list(twice)).status).toBe('planned');
});

it('a plan is shown again if it is started with a checkbox cleared since', async () => {
  const { batch_id } = await batches.plan(mugs, UP);
  const { text } = await seller.get(`/dashboard/changes/${batch_id}`);
  const button = new RegExp(`<button type="submit" form="([^"]+)" formaction="[^"]*/${batch_id}/start"`).exec(
    text,
  );
  expect(text).toContain(`<form class="stack" id="${button?.[1]}"`);
  // Pressing Enter on a checkbox presses the first button of its form.
  const [pressed = ''] = new RegExp(`<button[^>]* form="${button?.[1]}"[^>]*>`).exec(text) ?? [];
  expect(pressed).not.toContain('formaction');
  const [first = '', ...others] = (await listRows(batch_id)).map(({ row }) => row);
  const { location } = await send(batch_id, 'start', [first]);
  const updated = toId(location.split('?')[0] ?? '');
  expect((await batches.list(batch_id)).status).toBe('canceled');
  expect((await batches.list(updated)).status).toBe('planned');
  expect(toText((await seller.get(location)).text)).toContain('The plan was updated with your selection.');
  expect((await send(updated, 'start', [])).status).toBe(303);
  await batches.follow({ batch_id: updated }, 'completed');
  expect((await listRows(updated)).map(({ row, status }) => [row, status])).toEqual(
    others.map((row) => [row, 'ok']),
  );
  // A second click on a page left open starts nothing else.
  expect((await send(updated, 'start', [others[0] ?? ''])).location).toContain(updated);
});

it('a plan replaces the edits on Etsy of rows whose checkbox is ticked, and asks again about all others', async () => {
  const [mug, other] = mugs;
  if (!mug || !other) throw new Error('there is no mug');
  await edit(dashboard.service, mug, { title: 'Edited by hand' });
  const { batch_id } = await batches.plan(mugs, [{ field: 'title', op: 'append', value: ' in oat' }]);
  const before = await listRows(batch_id);
  const refused = before.filter(({ status }) => status === 'refused').map(({ row }) => row);
  expect(refused).toHaveLength(2);
  expect((await seller.get(`/dashboard/changes/${batch_id}`)).text).toContain(
    `name="replace" value="${refused[0]}"`,
  );
  // Edited after the plan that the seller has seen.
  await edit(dashboard.service, other, { title: 'Edited since' });
  const [ticked = '', unticked = ''] = refused;
  const updated = await update(batch_id, [], [ticked]);
  const rows = await listRows(updated);
  expect(rows.filter(({ status }) => status === 'planned').map(({ row }) => row)).toEqual([ticked]);
  expect(rows).toHaveLength(before.length);
  const { text } = await seller.get(`/dashboard/changes/${updated}`);
  expect(text).toContain(`name="replace" value="${unticked}"`);
  expect(toText(text)).toContain('Edited since');
  expect(toText(text).match(/Replaces an edit made on Etsy\./g)).toHaveLength(1);

  // The ticked row stays replaced when the plan is updated again, and nothing else is.
  const again = await update(updated, [], [unticked]);
  await seller.post(`/dashboard/changes/${again}/start`, { sum: '0.00', shops: '' });
  await batches.follow({ batch_id: again }, 'completed');
  const done = (await listRows(again)).filter(({ status }) => status === 'ok').map(({ row }) => row);
  expect(done.toSorted()).toEqual([ticked, unticked].toSorted());
  const { listings } = await dashboard.service.control<{ listings: { fields: { title: string } }[] }>(
    'GET',
    '/state',
  );
  const titles = listings.map(({ fields }) => fields.title);
  expect(titles.filter((title) => title === 'Edited by hand in oat')).toHaveLength(2);
  expect(titles.filter((title) => title === 'Edited since')).toHaveLength(2);
});

it.each<[string, string, Record<string, string>, Partial<BatchEdit>]>([
  ['renew', 'auto_on', {}, { field: 'should_auto_renew', op: 'set', value: true }],
  ['renew', 'renew', { stock: '3' }, { field: 'state', op: 'active', stock: 3 }],
  ['photos', 'remove', { value: '2' }, { field: 'images', op: 'remove', value: [2] }],
  [
    'photos',
    'set_alt_text',
    { rank: '1', value: 'A mug' },
    { field: 'images', op: 'set_alt_text', value: [{ rank: 1, alt_text: 'A mug' }] },
  ],
])('the form %s %s creates its plan', async (kind, op, fields, planned) => {
  const shops = (mugs[0]?.shops ?? []).map(({ shop_id }): [string, string] => ['in', `${shop_id}`]);
  const form: [string, string][] = [
    ['do', kind],
    ['op', op],
    ['listing', `${mugs[0]?.listing_pk}`],
    ...shops,
    ...Object.entries(fields),
  ];
  const { location } = await seller.post('/dashboard/changes/new', form);
  const { batches: found } = await dashboard.service.call<BatchesPage>('batches_list', {
    batch_id: toId(location),
  });
  const edits = found[0]?.edits;
  expect(edits).toEqual([planned]);
});

it("the form offers the shops' profiles by name, and plans the chosen one", async () => {
  const listing = `${mugs[0]?.listing_pk}`;
  const page = await seller.get(`/dashboard/changes/new?do=profile&listing=${listing}`);
  const [, name = ''] = /<option value="([^"]+)"/.exec(page.text) ?? [];
  const shops = (mugs[0]?.shops ?? []).map(({ shop_id }): [string, string] => ['in', `${shop_id}`]);
  const form: [string, string][] = [
    ['do', 'profile'],
    ['op', 'shipping_profile_id'],
    ['value', name],
    ['listing', listing],
    ...shops,
  ];
  const { location } = await seller.post('/dashboard/changes/new', form);
  const { batches: found } = await dashboard.service.call<BatchesPage>('batches_list', {
    batch_id: toId(location),
  });
  const edits = found[0]?.edits;
  expect(edits).toEqual([{ field: 'shipping_profile_id', op: 'set', value: name }]);
});

it('the form plans copies to a shop, with the chosen price and profiles', async () => {
  const { listing_ids } = await dashboard.service.control<{ listing_ids: number[] }>('POST', '/listings', {
    shop_id: CLAY.shop_id,
    count: 1,
    is_plain: true,
  });
  const shop = { shop_id: CLAY.shop_id, listing_ids };
  const { results } = await dashboard.service.call<{ results: Pick<Made, 'listing_pk'>[] }>(
    'listing_import',
    shop,
  );
  const listing = `${results[0]?.listing_pk}`;
  const page = await seller.get(`/dashboard/changes/new?do=copy&listing=${listing}`);
  // The shop that it is in already is not offered.
  expect(toText(page.text)).not.toContain('To ClayAndOak');
  const form = page.text.slice(page.text.indexOf('To NordLinen'));
  const [, profile = '', name = ''] =
    /name="shipping_profile_id">.*?<option value="(\d+)">([^<]+)/s.exec(form) ?? [];
  const chosen = {
    do: 'copy',
    op: `to_${LINEN.shop_id}`,
    shipping_profile_id: profile,
    shop_section_id: 'none',
    listing,
  };
  const blank = await seller.post('/dashboard/changes/new', chosen);
  expect([blank.status, toText(blank.text)]).toEqual([
    400,
    expect.stringContaining('Price in EUR Enter a number'),
  ]);
  const { location } = await seller.post('/dashboard/changes/new', { ...chosen, price: '25' });
  const planned = await listRows(toId(location));
  expect(planned).toContainEqual({ row: `${listing}:${LINEN.shop_id}`, status: 'planned' });
  const plan = await seller.get(location);
  expect(toText(plan.text)).toContain('Create 1 draft in NordLinen');
  expect(toText(plan.text)).toMatch(
    new RegExp(`Status Draft Price 25\\.00 EUR Shipping profile ${name} Return policy .* Include`),
  );
  const [, back = ''] = /href="([^"]*)">Change these choices/.exec(plan.text) ?? [];
  const again = await seller.get(back.replaceAll('&amp;', '&'));
  expect(again.text).toMatch(/name="price"[^>]* value="25"/);
  expect(again.text).toContain(`<option value="${profile}" selected>`);
  expect(again.text).toContain('<option value="none" selected>');
});

it('a plan can be replaced although the account has no room for another one', async () => {
  const { batch_id } = await batches.plan(mugs, UP);
  const spare = () =>
    batches.plan(mugs.slice(0, 1), UP).then(
      () => true,
      () => false,
    );
  let count = 1;
  while (await spare()) count += 1;
  expect(count).toBeGreaterThan(50);
  const { status } = await seller.post(`/dashboard/changes/${batch_id}/again`, { on_drift: 'overwrite' });
  expect(status).toBe(303);
});
