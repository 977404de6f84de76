import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../schemas/error.js';
import type { Operation } from '../../src/core/operations/operation.js';
import type { Call } from '../../src/core/operations/call.js';
import { SANDBOX_SHOPS } from '../../src/sandbox/index.js';
import { operations } from '../../tools/index.js';
import { buildMug, CLAY, LINEN, MUGS, startService, TARGETS, type TestService } from '../service.js';

/*
 * Every error that an operation declares can happen: each pair of operation and code is produced once. (Tests
 * check on every call that operations return no other codes.)
 */

type Input = Record<string, unknown>;
/** How to make an operation return a code: changes to its example input, and steps before the call. */
type Scene = (operation: Operation) => Promise<{ change?: Input; call?: Partial<Call> }>;

let service: TestService;
let readOnly: TestService;
/** Its marketplace requests a long pause, which applies to everything sent there afterwards. */
let paused: TestService;
/** Has room for one draft and little more. */
let tight: TestService;
const taken: Record<string, string> = {};
/** A listing on the marketplace without any changes. */
const placed = new Map<TestService, number>();

beforeAll(async () => {
  service = await startService();
  readOnly = await startService({ READ_ONLY: 'on' });
  paused = await startService();
  const limits = {
    drafts: 1,
    draft_bytes: 1_000_000,
    upload_bytes: 1_000_000,
    open_plans: 0,
    sheets: 0,
    saved_filters: 0,
  };
  tight = await startService({}, { limits });
  for (const where of [service, paused]) placed.set(where, await publishIn(where));
  const uploaded = await play('file_upload');
  taken['UPLOAD_URL'] = String(uploaded['url']);
});
afterAll(async () => {
  await service.close();
  await readOnly.close();
  await paused.close();
  await tight.close();
});

const findOperation = (id: string) => operations.find((operation) => operation.id === id) as Operation;

function buildInput(operation: Operation): Input {
  const [example] = operation.examples;
  let text = JSON.stringify(example?.input ?? {});
  for (const [variable, { value }] of Object.entries(example?.taken ?? {})) {
    text = text.replaceAll(value, taken[variable] ?? 'job_none');
  }
  return JSON.parse(text) as Input;
}

const play = (id: string, change: Input = {}) =>
  service.call(id, { ...buildInput(findOperation(id)), ...change }, { face: 'rest' });

const NOWHERE = 999_999;
let fresh = 2_000_000;

/** A saved draft with a unique title; publishing reads its category if it has not been read yet. */
async function saveDraft(where: TestService, taxonomy_id: number): Promise<number> {
  const { listing, shops } = buildInput(findOperation('listing_create')) as {
    listing: Input;
    shops: unknown;
  };
  const title = `Mug ${(fresh += 1)}`;
  const saved = await where.call('listing_create', { shops, listing: { ...listing, title, taxonomy_id } });
  return Number(saved['listing_pk']);
}

/** One draft that fills all but a few bytes of the room. Unknown fields are saved too. */
async function fillDrafts(): Promise<number> {
  const { listings } = await tight.call<{ listings: { listing_pk: number }[] }>('listings_list');
  for (const { listing_pk } of listings) await tight.call('listing_delete', { listing_pk });
  const { listing, shops } = buildInput(findOperation('listing_create')) as {
    listing: Input;
    shops: unknown;
  };
  const fill = (chars: number) => {
    const notes = [1, 2, 3, 4, 5].map((n) => [`note_${n}`, 'x'.repeat(chars / 5)]);
    return { shops, listing: { ...listing, ...Object.fromEntries(notes) } };
  };
  const rest = JSON.stringify(fill(0)).length;
  const saved = await tight.call('listing_create', fill(1_000_000 - rest - 50));
  return Number(saved['listing_pk']);
}

/** A listing on the marketplace, in one shop. */
async function publishIn(where: TestService, target: object = TARGETS.clay): Promise<number> {
  const { listing, ...rest } = buildMug([target], { state: 'publish' });
  const title = `Mug ${(fresh += 1)}`;
  const { listing_pk } = await where.call('listing_create', { ...rest, listing: { ...listing, title } });
  return Number(listing_pk);
}

const UP = { edits: [{ field: 'price', op: 'increase_percent', value: 10 }] };

/** A batch over one listing of its own. @returns the id of the batch, and of the listing in its shop */
async function planBatch(edits: object = UP): Promise<{ batch_id: string; listing_pk: number }> {
  const listing_pk = await publishIn(service);
  const { batch_id } = await service.call('batch_create', {
    select: { listing_pks: [listing_pk] },
    ...edits,
  });
  return { batch_id: String(batch_id), listing_pk };
}

async function activate(): Promise<unknown> {
  const { listing_pk } = await play('listing_create', {
    state: 'active',
    idempotency_key: `paid-${(fresh += 1)}`,
  });
  return listing_pk;
}

/** Afterwards, activating it costs a fee. */
async function expire(listing_pk: unknown): Promise<void> {
  const { shops } = await service.call<{ shops: { listing_id: number }[] }>('listing_get', { listing_pk });
  for (const { listing_id } of shops) {
    await service.control('POST', `/listings/${listing_id}/state`, { state: 'expired' });
  }
}

async function planPaid(): Promise<string> {
  const listing_pk = await activate();
  await expire(listing_pk);
  const edits = [{ field: 'state', op: 'active' }];
  const { batch_id } = await service.call('batch_create', { select: { listing_pks: [listing_pk] }, edits });
  return String(batch_id);
}

async function revoke({ shop_id }: { shop_id: number }): Promise<void> {
  const shop = SANDBOX_SHOPS.find((one) => one.shop_id === shop_id);
  await service.control('POST', '/tokens/revoke', { user_id: shop?.user_id });
}

/** Makes the marketplace fail this way, and changes the input so that the operation has to call it. */
function strike(action: object, getService = () => service): Scene {
  return async ({ id }) => {
    await getService().control('POST', '/faults', { rules: [{ path: '/application/', times: 50, action }] });
    if (id === 'listing_create') {
      const { listing } = buildInput(findOperation(id)) as { listing: Input };
      return { change: { listing: { ...listing, taxonomy_id: (fresh += 1) } } };
    }
    if (id === 'listing_publish') return { change: { listing_pk: await saveDraft(getService(), fresh) } };
    if (id === 'listing_update') {
      const changes = { listing: { taxonomy_id: (fresh += 1) } };
      return { change: { listing_pk: placed.get(getService()), changes } };
    }
    if (id === 'listing_copy') {
      return { change: { listing_pk: await saveDraft(getService(), fresh), state: 'publish' } };
    }
    return id === 'listing_schema' ? { change: { category_id: (fresh += 1) } } : {};
  };
}

const SCENES: Partial<Record<ErrorCode, Scene>> = {
  STORE_NOT_FOUND: () => Promise.resolve({ change: { shop_id: NOWHERE } }),
  LISTING_NOT_FOUND: () => Promise.resolve({ change: { listing_pk: NOWHERE } }),
  JOB_NOT_FOUND: ({ id }) =>
    Promise.resolve({
      change: { job_id: 'job_none', ...(id === 'listing_undo' && { listing_pk: placed.get(service) }) },
    }),
  async NOTHING_TO_UNDO({ id }) {
    if (id === 'listing_undo') return { change: { listing_pk: placed.get(service) } };
    return { change: { batch_id: (await planBatch()).batch_id } };
  },
  BATCH_NOT_FOUND: ({ id }) =>
    Promise.resolve({
      change:
        id === 'batch_create' || id === 'batch_sheet'
          ? { select: { batch_id: 'batch_none' } }
          : { batch_id: 'batch_none' },
    }),
  SHEET_INVALID: () =>
    Promise.resolve({
      change: { select: undefined, edits: undefined, sheet: 'service-upload://upl_none/sheet.csv' },
    }),
  async BATCH_EXPIRED({ id }) {
    const { batch_id } = await planBatch();
    if (id === 'batch_start') {
      await service.call('batch_cancel', { batch_id });
      return { change: { batch_id } };
    }
    await service.call('batch_start', { batch_id });
    const again = { batch_id, idempotency_key: 'undo' };
    const planned = await service.call('batch_undo', { ...again, dry_run: true });
    await service.call('batch_cancel', { batch_id: planned['batch_id'] });
    return { change: again };
  },
  async BATCH_RUNNING({ id }) {
    const slow = (operation: string) =>
      service.control('POST', '/faults', {
        rules: [{ operation, times: 1, action: { type: 'slow', ms: 3_000 } }],
      });
    if (id === 'batch_undo') {
      const { batch_id } = await planBatch();
      await slow('updateListingInventory');
      await service.call('batch_start', { batch_id }, { wait_ms: 100 });
      return { change: { batch_id } };
    }
    const listing_pk = await publishIn(service);
    await slow('getListingInventory');
    const input = { select: { listing_pks: [listing_pk] }, ...UP };
    const { batch_id } = await service.call('batch_create', input, { wait_ms: 100 });
    return { change: { batch_id } };
  },
  CATEGORY_NOT_FOUND: () => Promise.resolve({ change: { category_id: NOWHERE } }),
  DELIVERY_NOT_FOUND: () => Promise.resolve({ change: { id: NOWHERE, delivery_id: NOWHERE } }),
  READ_ONLY: () => Promise.resolve({}),
  FILE_TOO_LARGE: () => Promise.resolve({ change: { file: 'A'.repeat(8 * 1024 * 1024) } }),
  MARKETPLACE_RATE_LIMIT: strike(
    { type: 'status', status: 429, headers: { 'retry-after': '3600' }, body: { error: 'slow down' } },
    () => paused,
  ),
  MARKETPLACE_UNAVAILABLE: strike({ type: 'status', status: 503, body: 'maintenance', raw: true }),
  MARKETPLACE_ERROR: strike({ type: 'status', status: 403, body: { error: 'not allowed' } }),
  async ALREADY_IN_SHOP() {
    const { listing_pk } = await play('listing_create');
    return { change: { listing_pk, shops: [{ shop_id: CLAY.shop_id }] } };
  },
  async LISTING_BUSY() {
    const listing_pk = await publishIn(service);
    await service.control('POST', '/faults', {
      rules: [{ operation: 'updateListing', times: 1, action: { type: 'slow', ms: 3_000 } }],
    });
    // The job continues after the answer.
    const changes = { listing: { title: 'Mug, slowly' } };
    await service.call('listing_update', { listing_pk, changes }, { wait_ms: 100 });
    return { change: { listing_pk } };
  },
  async IDEMPOTENCY_KEY_REUSED({ id }) {
    const { listing_pk } = await play('listing_create', { state: 'draft', idempotency_key: 'first' });
    if (id === 'listing_undo') {
      return { change: { listing_pk: placed.get(service) }, call: { idempotency_key: 'first' } };
    }
    if (id === 'batch_create' || id === 'batch_undo') {
      const { batch_id, listing_pk } = await planBatch({ ...UP, idempotency_key: `batch-of-${id}` });
      const change = id === 'batch_undo' ? { batch_id } : { select: { listing_pks: [listing_pk] } };
      if (id === 'batch_undo') await service.call('batch_start', { batch_id });
      return { change: { ...change, idempotency_key: `batch-of-${id}` } };
    }
    const other = id === 'listing_update' ? {} : { state: 'publish' };
    const change = { idempotency_key: 'first', ...other };
    return { change: id === 'listing_publish' ? { ...change, listing_pk } : change };
  },
  async ACTIVATION_DECLINED({ id }) {
    const call: Partial<Call> = { askConsent: () => Promise.resolve('declined'), face: 'dashboard' };
    if (id === 'batch_start') return { change: { batch_id: await planPaid() }, call };
    if (id === 'batch_undo') {
      const listing_pk = await activate();
      const edits = [{ field: 'state', op: 'inactive' }];
      const { batch_id } = await service.call('batch_create', {
        select: { listing_pks: [listing_pk] },
        edits,
      });
      await service.call('batch_start', { batch_id });
      await expire(listing_pk);
      return { change: { batch_id, pay: true }, call };
    }
    const { listing_pk } = await play('listing_create');
    return id === 'listing_create'
      ? { call, change: { state: 'active', idempotency_key: 'fee' } }
      : { call, change: { listing_pk, state: 'active' } };
  },
  async QUOTA_EXCEEDED({ id }) {
    if (id === 'file_upload') {
      const file = Buffer.from('word '.repeat(300_000)).toString('base64');
      return { change: { type: 'digital', filename: 'words.txt', file } };
    }
    if (id === 'batch_create' || id === 'batch_sheet') {
      return { change: { select: { listing_pks: [await publishIn(tight)] } } };
    }
    if (id === 'listing_copy') return { change: { listing_pk: await fillDrafts() } };
    if (id === 'listing_update') {
      const changes = { listing: { materials: Array.from({ length: 13 }, (_, n) => `stoneware ${n}`) } };
      return { change: { listing_pk: await fillDrafts(), changes, dry_run: false } };
    }
    await saveDraft(tight, MUGS);
    return { change: { images: undefined, variations: undefined, state: 'draft' } };
  },
  async NOT_DELETABLE() {
    const { listing_pk } = await play('listing_create');
    return { change: { listing_pk } };
  },
  async WEBHOOK_NOT_CONFIGURED({ id }) {
    if (id === 'webhook_delivery_retry') {
      await play('webhook_endpoint_set');
      const { delivery_id } = await play('webhook_test');
      await play('webhook_endpoint_delete');
      return { change: { delivery_id } };
    }
    return {};
  },
  async STORE_RECONNECT_REQUIRED({ id }) {
    if (id === 'listing_copy') {
      const listing_pk = await saveDraft(service, MUGS);
      await revoke(LINEN);
      await service.refuse('store_sync', { shop_id: LINEN.shop_id });
      return { change: { listing_pk, state: 'publish' } };
    }
    if (id === 'listing_update') {
      const listing_pk = await publishIn(service, TARGETS.linen);
      await revoke(LINEN);
      // Data of the shop that is not cached is read before there is a job.
      const changes = { shops: [{ shop_id: LINEN.shop_id, shipping_profile_id: NOWHERE }] };
      return { change: { listing_pk, changes } };
    }
    const change =
      id === 'listing_publish'
        ? { listing_pk: await saveDraft(service, MUGS), state: 'publish' }
        : { idempotency_key: 'revoked' };
    await revoke(CLAY);
    return { change };
  },
};

function getPlace(code: ErrorCode): TestService {
  if (code === 'READ_ONLY') return readOnly;
  if (code === 'QUOTA_EXCEEDED') return tight;
  return code === 'MARKETPLACE_RATE_LIMIT' ? paused : service;
}

describe.each(Object.keys(SCENES) as ErrorCode[])('%s', (code) => {
  const declaring = operations.filter(({ errors, effect }) =>
    code === 'READ_ONLY' ? effect !== 'read' : errors.includes(code),
  );
  it.each(declaring.map((operation) => [operation.id, operation] as const))('%s', async (id, operation) => {
    const { change = {}, call } = await (SCENES[code] as Scene)(operation);
    const where = getPlace(code);
    try {
      const input = { ...buildInput(operation), ...change };
      expect(await where.refuse(id, input, { face: 'rest', ...call })).toMatchObject({ code });
    } finally {
      await service.control('DELETE', '/faults');
    }
  });
});

it('every code that an operation declares has a scene', () => {
  const declared = new Set(operations.flatMap(({ errors }) => errors));
  // Swept payloads (after 30 days) are covered by the tests of deliveries, which move the clock. The tests of
  // selections make a thousand listings.
  expect([...declared].filter((code) => !SCENES[code])).toEqual(['BATCH_TOO_LARGE', 'PAYLOAD_EXPIRED']);
});
