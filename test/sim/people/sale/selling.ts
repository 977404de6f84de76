import type { ShopResult } from '../../../answers.js';
import { createChance, type Chance } from '../../kernel/chance.js';
import type { Field, Value } from '../../oracles/fields.js';
import type { Change, KnownListing, KnownSale } from '../../oracles/known.js';
import type { SeenListing } from '../../oracles/seen.js';
import type { PlannedSale } from '../../plan.js';
import type { World } from '../../world/world.js';
import type { Ask } from '../asking.js';
import { listMedia } from './request.js';

/** A product, those who sell it, and all that they were told. */
export type Sale = KnownSale & {
  planned: PlannedSale;
  listing_pk: number | undefined;
  job_ids: Set<string>;
  /** Of each listing: how often it may have been paid for again, and how often a fee was told. */
  fees: Map<number, { more: number; told: Set<string> }>;
  /** Jobs of which it was told that whether a fee was paid is not known. */
  open_fees: Set<string>;
  /** Shops in which the fee of going live was agreed to: a copy is a draft, until it is put on sale with the others. */
  paid_shops: Set<number>;
  /** Shops in which it was told that a listing may be this, and is the seller's to look after. */
  unsure_shops: Set<number>;
  is_running: boolean;
  faults: string[];
};

/** What hands wrote into a field while a change did, and what there was before both. */
export type Collision = { listing: KnownListing; field: Field; value: Value; before: readonly Value[] };

/** A change that is under way, and what hands did meanwhile. */
export type Running = Change & { collisions: Collision[] };

/** A sale as it goes on: what its people act with, and what they are at. */
export type Selling = {
  world: World;
  planned: PlannedSale;
  who: string;
  ask: Ask;
  look: () => Promise<SeenListing[]>;
  chance: Chance;
  moods: Chance;
  sale: Sale;
  /** So many deeds so far. */
  deeds: number;
  is_meddled: boolean;
  /** Until when lists may not show what hands have changed. */
  unseen_until_ms: number;
  /** Two of its people are at work. */
  are_two: boolean;
  besides: Promise<void>[];
  /** What the saved listing may have come to have, by what was asked for. */
  asked_media: Record<'photos' | 'video' | 'files', Set<Value>>;
  current: Running | undefined;
  /** What the last change was told, if there was one that can only have been made once. */
  last_told: readonly ShopResult[] | undefined;
  /** The last change whose caller has gone. */
  left: Change | undefined;
};

export function beginSelling(
  world: World,
  planned: PlannedSale,
  { ask, chance, look }: Pick<Selling, 'ask' | 'chance' | 'look'>,
): Selling {
  const { photos, video, files } = listMedia({ world, planned });
  return {
    world,
    planned,
    who: `sale ${planned.number}`,
    ask,
    look,
    chance,
    moods: createChance(world.plan.seed, `moods ${planned.number}`),
    sale: {
      planned,
      listing_pk: undefined,
      job_ids: new Set(),
      fees: new Map(),
      open_fees: new Set(),
      paid_shops: new Set(),
      unsure_shops: new Set(),
      is_running: false,
      faults: [],
      listings: [],
      last: new Map(),
    },
    deeds: 0,
    is_meddled: false,
    unseen_until_ms: 0,
    are_two: false,
    besides: [],
    asked_media: { photos: new Set([photos]), video: new Set([video]), files: new Set([files]) },
    current: undefined,
    last_told: undefined,
    left: undefined,
  };
}
