import fc from 'fast-check';
import { changes, JOBS, type ModelChanges } from './model_changes.js';
import { troubles, type ModelTroubles } from './model_troubles.js';

/** What a caller asks for. Two jobs may have the same words, as when a seller lists the same mug twice on purpose. */
export type ModelJob = {
  title: string;
  shops: 'both' | 'first' | 'second';
  state: 'publish' | 'active';
  photos: number;
  has_variations: boolean;
};

export type ModelFault = {
  operation: string;
  after: number;
  times: number;
  action: {
    type: string;
    status?: number;
    ms?: number;
    headers?: Record<string, string>;
    answer?: 'first' | 'second' | 'lost';
  };
};

/**
 * One history: what is asked for, what goes wrong at the marketplace and at the service's own computer, and when the service is
 * stopped and started in between.
 */
export type History = {
  jobs: ModelJob[];
  faults: ModelFault[];
  draft_list_lag_ms: number;
  media_list_lag_ms: number;
  restart_after_ms: number | null;
  troubles: ModelTroubles;
  /** Of what was made, once everything is well again. */
  changes: ModelChanges;
};

/** Slow enough for others to be quicker, and not too slow for the client. */
const SLOW_MS = 200;
/** Longer than the client waits in these tests. */
const TOO_SLOW_MS = 750;

const job: fc.Arbitrary<ModelJob> = fc
  .record({
    title: fc.constantFrom('Mug of clay', 'Mug of stone'),
    shops: fc.constantFrom('both' as const, 'first' as const, 'second' as const),
    state: fc.constantFrom('publish' as const, 'active' as const),
    photos: fc.integer({ min: 0, max: 3 }),
    has_variations: fc.boolean(),
  })
  .map((drawn) => (drawn.state === 'active' && drawn.photos === 0 ? { ...drawn, photos: 1 } : drawn));

const action: fc.Arbitrary<ModelFault['action']> = fc.constantFrom(
  { type: 'reset' },
  { type: 'commit_then_reset' },
  { type: 'commit_then_status', status: 500 },
  { type: 'commit_then_status', status: 503 },
  { type: 'status', status: 500 },
  { type: 'status', status: 502 },
  { type: 'status', status: 429, headers: { 'retry-after': '1' } },
  { type: 'slow', ms: TOO_SLOW_MS },
  { type: 'commit_then_slow', ms: TOO_SLOW_MS },
  { type: 'commit_then_slow', ms: SLOW_MS },
  { type: 'stall' },
);

/** Where a lost answer costs most comes up more often. */
const lost: fc.Arbitrary<ModelFault> = fc.record({
  operation: fc.oneof(
    { weight: 4, arbitrary: fc.constant('createDraftListing') },
    { weight: 3, arbitrary: fc.constant('updateListing') },
    { weight: 3, arbitrary: fc.constant('uploadListingImage') },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        'getListingsByShop',
        'getListing',
        'getListingImages',
        'updateListingInventory',
      ),
    },
  ),
  after: fc.integer({ min: 0, max: 3 }),
  times: fc.integer({ min: 1, max: 2 }),
  action,
});

/** A proxy that sends a photo twice. */
const double: fc.Arbitrary<ModelFault> = fc.record({
  operation: fc.constant('uploadListingImage'),
  after: fc.integer({ min: 0, max: 3 }),
  times: fc.constant(1),
  action: fc.record({
    type: fc.constant('double'),
    answer: fc.constantFrom('first' as const, 'second' as const, 'lost' as const),
  }),
});

const fault = fc.oneof({ weight: 6, arbitrary: lost }, { weight: 1, arbitrary: double });

export const history: fc.Arbitrary<History> = fc.record({
  jobs: fc.array(job, { minLength: 1, maxLength: JOBS }),
  faults: fc.array(fault, { minLength: 1, maxLength: 8 }),
  draft_list_lag_ms: fc.constantFrom(0, 150, 300),
  media_list_lag_ms: fc.constantFrom(0, 0, 300),
  restart_after_ms: fc.option(fc.integer({ min: 0, max: 1_500 }), { freq: 3 }),
  troubles,
  changes,
});
