import fc from 'fast-check';
import { expect } from 'vitest';
import type { ShopResult } from '../../../../schemas/job.js';
import type { UpdateResult } from '../../../../schemas/listing_changes.js';
import type { TestService } from '../../../service.js';
import type { ModelFault } from './model.js';

type Field = 'title' | 'price' | 'state';
type Hand = { kind: 'hand'; field: 'title' | 'price'; shops: 'all' | 'first' };
export type ModelChange =
  { kind: 'title' | 'price'; on_drift: 'refuse' | 'overwrite' } | Hand | { kind: 'undo' | 'off' | 'on' };

/** What is done with the listings of a history once they are made: to all of them at once, and to each one thing after another. */
export type ModelChanges = {
  /** By the number of the job, as often as there are jobs. */
  rounds: ModelChange[][];
  faults: ModelFault[];
  /** The service is stopped in this round, and while it is down other hands change what they change. */
  stop: { round: number; after_ms: number; hands: (Hand | null)[] } | null;
};

const hand: fc.Arbitrary<Hand> = fc.record({
  kind: fc.constant('hand' as const),
  field: fc.constantFrom('title' as const, 'price' as const),
  shops: fc.constantFrom('all' as const, 'first' as const),
});
const change: fc.Arbitrary<ModelChange> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('title' as const, 'price' as const),
      on_drift: fc.constantFrom('refuse' as const, 'refuse' as const, 'overwrite' as const),
    }),
  },
  { weight: 3, arbitrary: hand },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('undo' as const, 'undo' as const, 'off' as const, 'on' as const),
    }),
  },
);
const fault: fc.Arbitrary<ModelFault> = fc.record({
  operation: fc.constantFrom(
    'updateListing',
    'updateListing',
    'updateListingInventory',
    'updateListingInventory',
    'getListing',
    'getListingInventory',
  ),
  after: fc.integer({ min: 0, max: 4 }),
  times: fc.integer({ min: 1, max: 2 }),
  // Nothing that is written late, when other hands may have written in between: no client can tell.
  action: fc.constantFrom(
    { type: 'reset' },
    { type: 'commit_then_reset' },
    { type: 'commit_then_status', status: 500 },
    { type: 'status', status: 503 },
    { type: 'status', status: 400 },
    { type: 'commit_then_slow', ms: 750 },
  ),
});
export const JOBS = 4;
const ROUNDS = { minLength: 2, maxLength: 4 };

export const changes: fc.Arbitrary<ModelChanges> = fc.record({
  rounds: fc.array(fc.array(change, { minLength: JOBS, maxLength: JOBS }), ROUNDS),
  faults: fc.array(fault, { maxLength: 3 }),
  stop: fc.option(
    fc.record({
      round: fc.integer({ min: 0, max: ROUNDS.minLength - 1 }),
      after_ms: fc.integer({ min: 0, max: 120 }),
      hands: fc.array(fc.option(hand), { minLength: JOBS, maxLength: JOBS }),
    }),
    { freq: 3 },
  ),
});

export type LivingWorld = {
  listings: {
    listing_id: number;
    state: string;
    fields: { title: string; description?: unknown };
    images: { listing_image_id: number; rank: number; sha256: string }[];
    inventory: { products: { offering: { price_amount: number; quantity: number } }[] };
  }[];
  fees: { listing_id: number }[];
};
type Value = string | number;
/** Of who wrote it last: other hands, until they are told of to the caller. What an error told of may be known or not. */
type Known = { allowed: Set<Value>; is_by_hand: boolean; is_told?: boolean };
type LivingShop = { shop_id: number; listing_id: number; rest: unknown; fields: Record<Field, Known> };
export type Living = {
  index: number;
  listing_pk: number;
  has_variations: boolean;
  is_on_sale: boolean;
  shops: LivingShop[];
  /** What was done with it and what was answered, for reading a failed run. */
  lived: unknown[];
  /** What the next undo takes back, by listing; undefined where an error leaves that open. */
  last: Map<number, Map<Field, Value>> | undefined;
};

/** A listing as it stands when nothing was changed yet. */
export function beginLiving(
  world: LivingWorld,
  given: Omit<Living, 'shops' | 'last' | 'lived'>,
  shops: readonly Pick<LivingShop, 'shop_id' | 'listing_id'>[],
): Living {
  return {
    ...given,
    last: new Map(),
    lived: [],
    shops: shops.map(({ shop_id, listing_id }) => {
      const found = describe(world, listing_id);
      const know = (field: Field) => ({ allowed: new Set([found.fields[field]]), is_by_hand: false });
      const fields = { title: know('title'), price: know('price'), state: know('state') };
      return { shop_id, listing_id, rest: found.rest, fields };
    }),
  };
}

/** Each value is another one, so that it says who wrote it. */
export function buildValue(
  { index }: Living,
  round: number,
  kind: 'title' | 'price',
  is_by_hand: boolean,
): Value {
  const number = 2 * (10 * round + index) + (is_by_hand ? 1 : 0);
  return kind === 'title' ? `${is_by_hand ? 'By hand' : 'Ours'} ${number}` : 30 + number;
}

/** Makes the change and answers what is told; undefined for one that was refused before anything was begun. */
export async function send(
  service: TestService,
  living: Living,
  made: Exclude<ModelChange, Hand>,
  round: number,
): Promise<UpdateResult | undefined> {
  const { listing_pk, index, shops, has_variations } = living;
  const idempotency_key = `change-${round}-${index}`;
  switch (made.kind) {
    case 'title':
    case 'price': {
      const value = buildValue(living, round, made.kind, false);
      const changed =
        made.kind === 'title'
          ? { listing: { title: value } }
          : { offerings: [{ ...(has_variations ? { size: 'Small' } : {}), price: value }] };
      const { on_drift } = made;
      return call(service, 'listing_update', { listing_pk, changes: changed, on_drift, idempotency_key });
    }
    case 'undo':
      return call(service, 'listing_undo', { listing_pk });
    case 'off':
    case 'on': {
      const state = made.kind === 'off' ? 'inactive' : 'active';
      const shop_ids = shops.map(({ shop_id }) => shop_id);
      return call(service, 'listing_publish', { listing_pk, state, shops: shop_ids, idempotency_key });
    }
  }
}

/** Told before a job is made: nothing was written then. */
const REFUSALS: ReadonlySet<string> = new Set([
  'NOTHING_TO_UNDO',
  'MARKETPLACE_UNAVAILABLE',
  'MARKETPLACE_ERROR',
]);

async function call(service: TestService, operation_id: string, input: object) {
  const outcome = await service.invoke(operation_id, input);
  if (outcome.ok) return outcome.output as UpdateResult;
  const { error } = outcome.error;
  if (!REFUSALS.has(error.code)) throw new Error(`${operation_id}: ${JSON.stringify(error)}`);
  return undefined;
}

export async function changeByHand(
  service: TestService,
  living: Living,
  { field, shops }: Hand,
  round: number,
): Promise<void> {
  const value = buildValue(living, round, field, true);
  living.lived.push({ round, field, shops, by_hand: value });
  const body =
    field === 'title'
      ? { title: value }
      : { products: [{ ...(living.has_variations ? { values: { Size: 'Small' } } : {}), price: value }] };
  for (const shop of shops === 'all' ? living.shops : living.shops.slice(0, 1)) {
    await service.control('POST', `/listings/${shop.listing_id}/edit`, body);
    shop.fields[field] = { allowed: new Set([value]), is_by_hand: true };
  }
}

/** @param is_meddled whether other hands changed something after the change was begun and before it was told */
export function note(
  living: Living,
  made: Exclude<ModelChange, Hand>,
  told: Omit<UpdateResult, 'shops'> | undefined,
  round: number,
  is_meddled = false,
): void {
  living.lived.push({ round, ...made, told: told?.results ?? told, ...(is_meddled ? { is_meddled } : {}) });
  if (!told) return;
  const lived = JSON.stringify(living.lived);
  expect(told).toMatchObject({ status: expect.stringMatching(/^(completed|unchanged)$/) as string });
  const isOverwriting = 'on_drift' in made && made.on_drift === 'overwrite';
  const taken = new Map<number, Map<Field, Value>>();
  let isOpen = false;
  for (const shop of living.shops) {
    const result = told.results?.find(({ shop_id }) => Number(shop_id) === shop.shop_id);
    if (!result) continue;
    const written = listWritten(living, made, result, round);
    noteTakenOver(shop, result);
    if (result.status === 'error') {
      // A copy is put in place before the first change, so it had none in flight.
      expect(result.details?.['after_restore'], `from the copy: ${lived}`).toBeUndefined();
      if (result.details?.['code'] === 'DRIFT') {
        const drift = (result.details['drift'] as { field: string }[]).map(({ field }) => toField(field));
        const found = drift.filter((field) => {
          const known = field && shop.fields[field];
          return !known?.is_by_hand && !known?.is_told;
        });
        expect(found, `drift without an edit by hand: ${lived}`).toEqual([]);
        // One that had begun tells both values and is asked to be called again.
        if (is_meddled) for (const field of drift) if (field) tell(shop.fields[field]);
        continue;
      }
      isOpen = true;
      const possible = made.kind === 'undo' ? (living.last?.get(shop.listing_id) ?? new Map()) : written;
      for (const [field, value] of possible as Map<Field, Value>) {
        const known = shop.fields[field];
        if (isOverwriting || !known.is_by_hand) known.allowed.add(value);
      }
      continue;
    }
    const before = new Map<Field, Value>();
    for (const { field: name, before: value } of result.diff ?? []) {
      const field = toField(name);
      if (field) before.set(field, value as Value);
    }
    if (before.size > 0) taken.set(shop.listing_id, before);
    const wanted = made.kind === 'undo' ? living.last?.get(shop.listing_id) : undefined;
    if (wanted && result.status === 'ok') {
      expect(Object.fromEntries(written), `what is undone: ${lived}`).toEqual(Object.fromEntries(wanted));
    }
    for (const [field, value] of written) {
      const known = shop.fields[field];
      if (known.is_by_hand && is_meddled) continue;
      if (field !== 'state' && !isOverwriting) {
        expect(known.is_by_hand, `${field} of ${shop.listing_id} is written over: ${lived}`).toBe(false);
      }
      shop.fields[field] = { allowed: new Set([value]), is_by_hand: false };
    }
  }
  if (isOpen) living.last = undefined;
  else if (taken.size > 0) living.last = taken;
}

/** Other hands' changes beside it that the caller was told of: they are known from then on. */
function noteTakenOver({ fields }: LivingShop, { status, warnings = [] }: ShopResult): void {
  const names = warnings.flatMap(({ code, fields: taken_over }) => (code === 'taken_over' ? taken_over : []));
  for (const name of names) {
    const field = toField(name);
    if (!field) continue;
    if (status === 'error') tell(fields[field]);
    else fields[field].is_by_hand = false;
  }
}

function tell(known: Known): void {
  known.is_by_hand = false;
  known.is_told = true;
}

/** After a call whose answer was lost. */
export function noteUnknown(living: Living): void {
  for (const { listing_id, fields } of living.shops) {
    for (const [field, value] of living.last?.get(listing_id) ?? []) {
      if (!fields[field].is_by_hand) fields[field].allowed.add(value);
    }
  }
  living.last = undefined;
}

function listWritten(
  living: Living,
  made: Exclude<ModelChange, Hand>,
  { diff }: { diff?: { field: string; after?: unknown }[] | undefined },
  round: number,
): Map<Field, Value> {
  switch (made.kind) {
    case 'title':
    case 'price':
      return new Map([[made.kind, buildValue(living, round, made.kind, false)]]);
    case 'undo':
      return new Map(
        (diff ?? []).flatMap(({ field: name, after }) => {
          const field = toField(name);
          return field ? [[field, after as Value] as const] : [];
        }),
      );
    case 'off':
      return new Map([['state', 'inactive']]);
    case 'on':
      return new Map([['state', 'active']]);
  }
}

function toField(name: string): Field | undefined {
  if (name.endsWith('title')) return 'title';
  if (name.endsWith('price')) return 'price';
  return name.endsWith('state') ? 'state' : undefined;
}

/** Holds each listing against what was told of it; what was open is known from then on. */
export function judgeLiving(world: LivingWorld, livings: readonly Living[], when: string): void {
  for (const { lived, shops } of livings) {
    for (const { listing_id, fields, rest } of shops) {
      const found = describe(world, listing_id);
      expect(found.rest, `${when}: the rest of ${listing_id}: ${JSON.stringify(lived)}`).toEqual(rest);
      for (const [field, known] of Object.entries(fields) as [Field, Known][]) {
        const value = found.fields[field];
        expect(
          [...known.allowed],
          `${when}: ${field} of ${listing_id} is ${value}: ${JSON.stringify(lived)}`,
        ).toContain(value);
        known.allowed = new Set([value]);
      }
    }
  }
}

function describe({ listings }: LivingWorld, listing_id: number) {
  const found = listings.find((listing) => listing.listing_id === listing_id);
  if (!found) throw new Error(`${listing_id} is gone`);
  const { state, fields, images, inventory } = found;
  const [first, ...others] = inventory.products.map(({ offering }) => offering);
  return {
    fields: { title: fields.title, price: (first?.price_amount ?? 0) / 100, state } as Record<Field, Value>,
    rest: {
      description: fields.description,
      photos: images.toSorted((a, b) => a.rank - b.rank).map(({ sha256 }) => sha256),
      quantity: first?.quantity,
      others: others.map(({ price_amount, quantity }) => [price_amount, quantity]),
    },
  };
}
