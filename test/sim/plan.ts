import type { FaultKind } from './world/fates.js';

/*
 * The plan of a world, as data: drawn from the seed before anything runs, so that a part can be left out
 * without affecting the rest. Times are milliseconds since the world's beginning.
 */

export type Plan = {
  seed: number;
  hours: number;
  /** Programs on one database, each with its own clock. */
  machines: PlannedMachine[];
  sales: PlannedSale[];
  collections: PlannedCollection[];
  orders: PlannedOrder[];
  faults: PlannedFault[];
  outages: PlannedOutage[];
  crashes: PlannedCrash[];
  sleeps: PlannedSleep[];
  rotations: PlannedRotation[];
  lags: { draft_list_lag_ms: number; media_list_lag_ms: number };
  /** The lifetime of access tokens, and the times at which they are revoked. */
  token_s: number;
  expiries: number[];
  most_activations: number;
  /** The calls per day of an account, and the calls per second of an application. */
  calls_a_day: number;
  calls_a_second: number;
  /** The requests per day the marketplace allows an application. */
  requests_a_day: number;
  /** How many times the marketplace sends each of its messages. */
  message_copies: number;
};

export type PlannedMachine = { skew_ms: number; step: { at_ms: number; skew_ms: number } | null };

export type Face = 'rest' | 'mcp_http' | 'mcp_stdio';

export type PlannedSale = {
  number: number;
  at_ms: number;
  face: Face;
  /** Made manually in the shop, and then imported. */
  is_import: boolean;
  shops: 'both' | 'first' | 'second';
  state: 'publish' | 'active';
  photos: number;
  has_variations: boolean;
  /** A file instead of a physical item: such a listing has neither variations nor shipping. */
  is_digital: boolean;
  has_video: boolean;
  /** Buyers are asked for a text. */
  has_question: boolean;
  has_key: boolean;
  /** The number of identical calls at once, with one key. */
  calls: number;
  /** Leaves halfway, and never returns for it. */
  gives_up: boolean;
  deeds: PlannedDeed[];
};

export type PlannedDeed = { after_ms: number } & (
  | {
      /** several: a title, a price and photos in one change. */
      kind: ContentKind;
      on_drift: 'refuse' | 'overwrite';
      has_key: boolean;
      gives_up: boolean;
    }
  | {
      kind: 'hand';
      field: EditedField;
      shops: 'all' | 'first';
      is_beside: boolean;
    }
  /**
   * A sold-out listing is activated, and sells out once more before that has ended. `is_silent`: the answer to
   * it never comes.
   */
  | { kind: 'renew'; is_silent: boolean }
  /**
   * sync: the shop's lists are read again; resend: an event is resent manually; delete: refused for listings
   * that are in shops.
   */
  | { kind: 'sync' | 'resend' | 'delete' }
  /** Buyers take pieces while the price is changed, and while that is undone. */
  | { kind: 'sell_meanwhile' }
  /** Two sellers change the title and the price at the same time. */
  | { kind: 'at_once' }
  | { kind: 'undo' | 'off' | 'on' | 'look' | 'dry' | 'copy' | 'sell' | 'sell_out' | 'none' }
);

/** A seller's change through the service: a field, or several in one. */
export type ContentKind =
  'title' | 'price' | 'photos' | 'video' | 'question' | 'files' | 'color' | 'other_price' | 'several';

/**
 * A seller's direct edit in the shop. `attribute`: one of its category's; `combination`: the price or stock of
 * one of its products, or whether it is offered.
 */
export type EditedField =
  'title' | 'price' | 'question' | 'words' | 'photos' | 'state' | 'attribute' | 'combination' | 'files';

/** Listings of one shop that are made on the marketplace, imported, and changed together from then on. */
export type PlannedCollection = {
  number: number;
  at_ms: number;
  face: Face;
  shop: 0 | 1;
  listings: number;
  has_variations: boolean;
  deeds: PlannedBatch[];
};

/** A batch, and other events of its listings before it is started and while it runs. */
export type PlannedBatch = {
  after_ms: number;
  kind: 'batch' | 'none';
  edits: BatchEditKind[];
  /** The number of listings left out. */
  left_out: number;
  /** Chosen by a filter that finds the collection. */
  is_filtered: boolean;
  /** Planned with an uploaded sheet, by the kinds of edits in it; null for a batch of edits. */
  sheet: SheetEditKind[] | null;
  on_drift: 'refuse' | 'overwrite';
  has_key: boolean;
  /** The time between the plan and its start. */
  waits_ms: number;
  start: 'once' | 'twice' | 'declined' | 'never';
  meddling: PlannedMeddling[];
  /** After the start, or after the plan if it is never started. */
  cancel_after_ms: number | null;
  /** Another batch of the same listings is planned with it, and started at the same time. */
  is_beside: boolean;
  /** undo_paid: the four months of deactivated listings are over, and its people agree to the fees. */
  afterwards: 'nothing' | 'undo' | 'undo_dry' | 'undo_twice' | 'undo_paid' | 'rest';
};

export type BatchEditKind =
  | 'price'
  | 'title'
  | 'description'
  | 'tags_add'
  | 'tags_remove'
  | 'section'
  | 'quantity'
  | 'off'
  | 'on'
  | 'photos_append'
  | 'photos_remove'
  | 'photos_text'
  | 'copy';

/** The edits in the rows of a listing. `clear`: its tags, in words; `blank`: emptied cells change nothing. */
export type SheetEditKind = 'price' | 'title' | 'tags' | 'clear' | 'stock' | 'off' | 'on' | 'blank';

/**
 * An event of one listing in the meantime. `back`: its title gets its value from before the batch; `single`:
 * its people change it with another call; `revoke`: the shop revokes its grant, and gives another one a while
 * later; `spend`: others of the account use up the fees of the day.
 */
export type PlannedMeddling = {
  listing: number;
  what:
    | 'title'
    | 'price'
    | 'tags'
    | 'state'
    | 'back'
    | 'expire'
    | 'sell'
    | 'sell_out'
    | 'single'
    | 'revoke'
    | 'spend';
  /** Before the start, or this long after it. */
  at: 'before' | 'during';
  after_ms: number;
};

/** The changes of an order of a shop, one after another. */
export type PlannedOrder = {
  at_ms: number;
  shop: 0 | 1;
  changes: { after_ms: number; change: 'paid' | 'shipped' | 'delivered' | 'canceled' }[];
};

export type PlannedFault = {
  at_ms: number;
  on: 'any' | 'read' | 'write' | 'create' | 'change' | 'inventory' | 'image' | 'token';
  kind: FaultKind;
  times: number;
};

export type PlannedOutage = {
  at_ms: number;
  lasts_ms: number;
  /** slow: answered around the deadline, in time or not. */
  kind: 'refused' | 'lost' | 'silent' | 'slow' | 'status';
  status?: number;
  headers?: Record<string, string>;
};

/** `at`: the place, when it is reached for the n-th time after the given time. */
export type PlannedCrash = {
  at_ms: number;
  machine: number;
  at: 'time' | 'before_commit' | 'after_commit' | 'request' | 'answer';
  n: number;
  down_ms: number;
};

export type PlannedSleep = { at_ms: number; machine: number; lasts_ms: number };

/** The webhook secret is rotated; its receiver continues to check with the previous one for this long. */
export type PlannedRotation = { at_ms: number; learns_after_ms: number };

/** If a day allows fewer calls or requests, its people may have to return on another day. */
export const MANY_A_DAY = 10_000;

/** When others use up the fees while a batch is planned or runs, this few are allowed per day. */
export const FEW_FEES = 3;

export const GONE = 410;

/** After every world's end. */
export const NEVER_MS = 1e12;
