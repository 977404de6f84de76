import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { BatchAnswer } from '../../../schemas/batch.js';
import type { Call, Consent } from '../../../src/core/operations/call.js';
import { startService, type TestService } from '../../service.js';
import { readListings, type Made } from '../listings/update/rig.js';
import { makeListings, OFF_SALE, ON_SALE, openBatches, slow } from './rig.js';

const FOUR_MONTHS_MS = 120 * 24 * 60 * 60_000;

let service: TestService;
let batches: ReturnType<typeof openBatches>;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
  batches = openBatches(service);
});
afterAll(() => service.close());

type World = { fees: { listing_id: number }[] };

const listIds = (made: readonly Made[]) =>
  made.flatMap(({ shops }) => shops.map(({ listing_id }) => listing_id));
const passTime = (listing_ids: readonly number[], of = service, advance_ms = FOUR_MONTHS_MS) =>
  of.control('POST', '/clock', { advance_ms, listing_ids });
/** The fees the marketplace charged for these listings while `work` ran. */
async function countFees(listing_ids: readonly number[], work: () => Promise<unknown>, of = service) {
  const count = async () =>
    (await of.control<World>('GET', '/state')).fees.filter(({ listing_id }) =>
      listing_ids.includes(listing_id),
    ).length;
  const before = await count();
  await work();
  return (await count()) - before;
}
const listStates = async (made: readonly Made[], of = service) =>
  (await Promise.all(made.map((one) => readListings(of, one)))).flat().map((listing) => listing?.state);

async function makeExpired(count: number, of = service): Promise<Made[]> {
  const made = await makeListings(of, count, { should_auto_renew: false });
  await passTime(listIds(made), of);
  return made;
}

/** A call from an assistant that cannot show a question. */
async function buildAssistant(credential_id: string): Promise<Partial<Call>> {
  const { account_id } = await service.app.core.accounts.getDefault();
  return { face: 'mcp_http', caller: { account_id, credential: 'key', credential_id } };
}
const confirm = ({ batch_id }: BatchAnswer, token: string | undefined, call: Partial<Call>) =>
  service.invoke('batch_start', { batch_id, confirm: token }, call);

it('asks for one confirmation of all fees, bound to batch and credential, and pays each fee once', async () => {
  const made = await makeExpired(2);
  const planned = await batches.plan(made, [ON_SALE]);
  expect(planned.cost_usd).toBe(0.8);
  const [first, second] = [await buildAssistant('first'), await buildAssistant('second')];
  const asked = await batches.start(planned, first);
  expect(asked).toMatchObject({ status: 'confirmation_required', cost_usd: 0.8 });
  expect(asked.message).toContain('costs 0.80 USD');
  expect(asked.message).toContain('"ClayAndOak", "NordLinen"');
  const token = asked.confirm_token;
  const other = await batches.plan(made.slice(1), [ON_SALE]);
  const fees = await countFees(listIds(made), async () => {
    for (const [batch, call] of [
      [planned, second],
      [other, first],
    ] as const) {
      const refused = await confirm(batch, token, call);
      expect(refused).toMatchObject({ ok: false, error: { error: { code: 'VALIDATION_FAILED' } } });
    }
    expect(await confirm(planned, token, first)).toMatchObject({
      ok: true,
      output: { status: 'completed', counts: { ok: 4, error: 0 } },
    });
    for (const again of [token, undefined]) await confirm(planned, again, first);
  });
  expect(fees).toBe(4);
  expect(await listStates(made)).toEqual(['active', 'active', 'active', 'active']);
});

const decline: Consent = () => Promise.resolve('declined');

it('starts nothing and pays nothing if the person says no', async () => {
  const made = await makeExpired(1);
  const planned = await batches.plan(made, [ON_SALE]);
  const call = { ...(await buildAssistant('person')), askConsent: decline };
  const fees = await countFees(listIds(made), async () => {
    const { code } = await service.refuse('batch_start', { batch_id: planned.batch_id }, call);
    expect(code).toBe('ACTIVATION_DECLINED');
  });
  expect(fees).toBe(0);
  expect((await batches.list(planned.batch_id)).status).toBe('planned');
});

it('fails an item with FEE_CHANGED if its four months ended after the plan, and pays nothing for it', async () => {
  const made = await makeListings(service, 2, { should_auto_renew: false });
  await batches.start(await batches.plan(made, [OFF_SALE]));
  const planned = await batches.plan(made, [ON_SALE]);
  expect(planned.cost_usd).toBe(0);
  const [late = 0] = listIds(made);
  await passTime([late]);
  let done: BatchAnswer | undefined;
  const fees = await countFees(listIds(made), async () => {
    done = await batches.start(planned);
  });
  expect(fees).toBe(0);
  expect(done?.items?.map(({ status, issues }) => [status, issues[0]?.code])).toEqual([
    ['error', 'FEE_CHANGED'],
    ['ok', undefined],
    ['ok', undefined],
    ['ok', undefined],
  ]);
  expect(await listStates(made)).toEqual(['inactive', 'active', 'active', 'active']);
});

it('does not pay for a listing that was renewed on Etsy after the plan', async () => {
  const made = await makeExpired(1);
  const planned = await batches.plan(made, [ON_SALE]);
  const [renewed = 0, other = 0] = listIds(made);
  await service.control('POST', `/listings/${renewed}/state`, { state: 'active' });
  const fees = await countFees([renewed], () => batches.start(planned));
  expect(fees).toBe(0);
  expect(await listStates(made)).toEqual(['active', 'active']);
  expect(await countFees([other], async () => undefined)).toBe(0);
});

it('claims the fees of the whole batch, reports how many are left, and returns those it did not need', async () => {
  const limited = await startService({ MAX_ACTIVATIONS_PER_DAY: '11' });
  onTestFinished(() => limited.close());
  const own = openBatches(limited);
  // Each costs two of the day's activations, and two more once it has expired.
  const made = await makeExpired(3, limited);
  const [one, two, three] = made as [Made, Made, Made];
  const tooMuch = await own.plan(made, [ON_SALE]);
  const { code, message } = await limited.refuse('batch_start', { batch_id: tooMuch.batch_id });
  expect(code).toBe('VALIDATION_FAILED');
  expect(message).toContain(
    'batch_id: needs 6 activations, but MAX_ACTIVATIONS_PER_DAY allows only 5 more now',
  );
  const planned = await own.plan([one, two], [ON_SALE]);
  await slow(limited, 'updateListing', 1_500);
  await own.start(planned, { wait_ms: 200 });
  const activate = (shop_id: number | undefined) =>
    limited.invoke('listing_publish', { listing_pk: three.listing_pk, state: 'active', shops: [shop_id] });
  const [left, over] = three.shops;
  // The batch has claimed four of five: others can use the fifth, and the batch continues.
  expect(await activate(left?.shop_id)).toMatchObject({ ok: true });
  expect(await activate(over?.shop_id)).toMatchObject({
    ok: false,
    error: { error: { message: expect.stringContaining('activations') } },
  });
  expect((await own.follow(planned, 'completed')).counts).toMatchObject({ ok: 4, error: 0 });
});

it('returns the fees of a canceled batch', async () => {
  const limited = await startService({ MAX_ACTIVATIONS_PER_DAY: '8' });
  onTestFinished(() => limited.close());
  const own = openBatches(limited);
  const made = await makeExpired(2, limited);
  const planned = await own.plan(made, [ON_SALE]);
  await slow(limited, 'updateListing', 1_500);
  await own.start(planned, { wait_ms: 200 });
  await own.cancel(planned);
  const { counts, items } = await own.follow(planned, 'canceled');
  expect(counts).toMatchObject({ ok: 1, canceled: 3 });
  const rest = items.at(-1);
  const shops = made[1]?.shops.map(({ shop_id }) => shop_id);
  const input = { listing_pk: rest?.listing_pk, state: 'active', shops };
  expect(await limited.call('listing_publish', input)).toMatchObject({ status: 'completed' });
});

it('undoes a deactivation for a fee only with pay, and only if the person agrees', async () => {
  const made = await makeListings(service, 1, { should_auto_renew: false });
  const off = await batches.start(await batches.plan(made, [OFF_SALE]));
  await passTime(listIds(made));
  const free = await batches.undo(off);
  expect(free.items?.map(({ status, issues }) => [status, issues[0]?.code])).toEqual([
    ['unchanged', 'not_undone'],
    ['unchanged', 'not_undone'],
  ]);
  const call = await buildAssistant('undoing');
  const body = { batch_id: off.batch_id, pay: true };
  const fees = await countFees(listIds(made), async () => {
    const { code } = await service.refuse('batch_undo', body, { ...call, askConsent: decline });
    expect(code).toBe('ACTIVATION_DECLINED');
    const asked = await batches.undo(off, { pay: true }, call);
    expect(asked).toMatchObject({ status: 'confirmation_required', cost_usd: 0.4 });
    const paid = await batches.undo(off, { pay: true, confirm: asked.confirm_token }, call);
    expect(paid).toMatchObject({ status: 'completed', counts: { ok: 2 } });
    expect((await batches.follow(paid, 'completed')).batch_id).toBe(asked.batch_id);
  });
  expect(fees).toBe(2);
  expect(await listStates(made)).toEqual(['active', 'active']);
});
