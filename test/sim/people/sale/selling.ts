import type { ShopResult } from '../../../answers.js';
import { createChance, type Chance } from '../../kernel/chance.js';
import type { Field, Value } from '../../oracles/fields.js';
import type { Change, KnownListing, KnownSale } from '../../oracles/known.js';
import type { SeenListing } from '../../oracles/seen.js';
import type { PlannedSale } from '../../plan.js';
import type { World } from '../../world/world.js';
import type { Ask } from '../asking.js';
import { listMedia } from './request.js';

/** A product, its sellers, and everything they were told. */
export type Sale = KnownSale & {
  planned: PlannedSale;
  listing_pk: number | undefined;
  job_ids: Set<string>;
  /** For each listing: how often it may have been paid for again, and how often a fee was reported. */
  fees: Map<number, { more: number; told: Set<string> }>;
  /** Jobs whose report says that it is unknown whether a fee was paid. */
  open_fees: Set<string>;
  /** Shops in which the activation fee was agreed to: a copy is a draft until it is activated with the others. */
  paid_shops: Set<number>;
  /** Shops in which a listing was reported that may be this one, and is left to its seller. */
  unsure_shops: Set<number>;
  is_running: boolean;
  faults: string[];
};

/** A manual edit of a field at the same time as a change, and the value before both. */
export type Collision = { listing: KnownListing; field: Field; value: Value; before: readonly Value[] };

/** A change in progress, and the manual edits during it. */
export type Running = Change & { collisions: Collision[] };

/** The state of a sale: the tools of its people, and their current work. */
export type Selling = {
  world: World;
  planned: PlannedSale;
  who: string;
  ask: Ask;
  look: () => Promise<SeenListing[]>;
  chance: Chance;
  moods: Chance;
  sale: Sale;
  /** The number of deeds so far. */
  deeds: number;
  is_meddled: boolean;
  /** Until when lists may not show manual edits. */
  unseen_until_ms: number;
  /** Two of its people are at work. */
  are_two: boolean;
  besides: Promise<void>[];
  /** The media that the saved listing may have got, by requests. */
  asked_media: Record<'photos' | 'video' | 'files', Set<Value>>;
  current: Running | undefined;
  /** The results of the last change, if it can only have been made once. */
  last_told: readonly ShopResult[] | undefined;
  /** The last change whose caller has left. */
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
