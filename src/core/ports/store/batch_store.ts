import type {
  BatchCounts,
  BatchEdit,
  BatchItem,
  BatchItemStatus,
  BatchStatus,
} from '../../../../schemas/batch.js';
import type { CopyTargets } from '../../../../schemas/copy.js';
import type { FieldDifference } from '../../../../schemas/field_ref.js';
import type { Issue } from '../../../../schemas/issue.js';
import type { Warning } from '../../../../schemas/job.js';
import type { ListingChanges } from '../../../../schemas/listing_changes.js';
import type { Page } from '../records.js';
import type { JobClaim } from './listing_store.js';
import type { Spending, Starter } from './job_records.js';
import type { AccountQuotas } from './usage_store.js';

/**
 * A listing that a batch is about; without shops, all shops that have it. `overwrites`: the shops in which
 * the batch replaces manual edits, whatever its `on_drift`.
 */
export type BatchPlace = { listing_pk: number; shop_ids?: number[]; overwrites?: number[] };

/** The request for a batch, with its selection resolved. */
export type BatchSpec =
  | { kind: 'edit'; edits: BatchEdit[]; places: BatchPlace[]; on_drift: 'refuse' | 'overwrite' }
  /** The edits of an uploaded sheet are stored with the batch, by listing. `sheet`: its upload. */
  | { kind: 'sheet'; sheet?: string; places: BatchPlace[]; on_drift: 'refuse' | 'overwrite' }
  | {
      kind: 'undo';
      /** The batch that it undoes. */
      undoes: string;
      on_drift: 'refuse' | 'skip' | 'overwrite';
      pays: boolean;
      /** Starts as soon as it is planned, if it costs nothing. */
      starts: boolean;
      places: BatchPlace[];
    };

/**
 * An edited cell of an uploaded sheet. `value`: null removes it. `options`: of the row's combination, as the
 * export shows them. `exported`: the quantity in the export.
 */
export type SheetCell = {
  row: number;
  column: string;
  value: string | number | boolean | string[] | null;
  options: readonly [string, string];
  exported?: number;
};

/** The changes a sheet makes to a listing in one shop. If it has issues, it is refused as a whole. */
export type SheetEdits = { shop_id: number; cells: SheetCell[]; issues: Issue[] };

export type BatchRecord = {
  account_id: string;
  batch_id: string;
  status: BatchStatus;
  /** Why it is paused. */
  reason: 'limits' | 'reconnect' | null;
  spec: BatchSpec;
  warnings: Warning[];
  /** Of the plan; 0 while planning runs. */
  cost_usd: number;
  marketplace_calls: number;
  /** The job that plans it; after the start, the job that carries it out. */
  job_id: string;
  /** It stops before its next item. */
  is_canceling: boolean;
  created_at: string;
  expires_at: string;
  started_at: string | null;
  completed_at: string | null;
  /** Who planned it; after the start, who started it. Null if an older release created it. */
  started_by: Starter | null;
};

/** A call of an operation for one listing, with the shops that it is for. */
export type StepCall =
  /**
   * `adds_stock`: its quantities were computed from the stock at the time of the plan. `on_drift`: default is
   * that of the batch.
   */
  | {
      op: 'update';
      shop_ids: number[];
      changes: ListingChanges;
      adds_stock?: boolean;
      on_drift?: 'overwrite';
    }
  | { op: 'sale'; shop_ids: number[]; state: 'active' | 'inactive'; stock?: number | undefined }
  | { op: 'copy'; shops: CopyTargets }
  | { op: 'undo'; shop_ids: number[]; job_id: string; on_drift: 'refuse' | 'skip' | 'overwrite' };

/** A single change of a batch. Its job is created once: `key` is its idempotency key. */
export type BatchStep = {
  position: number;
  listing_pk: number;
  call: StepCall;
  /** The jobs that made the change: a single one, or one per shop. */
  job_ids: string[];
  is_done: boolean;
};

/** One listing in one shop. */
export type BatchItemRecord = Omit<BatchItem, 'shop_id'> & {
  position: number;
  shop_id: number;
  /** The differences that the plan showed, as data. */
  shown: FieldDifference[];
  /** The number of calls that its plan expects. */
  marketplace_calls: number;
  cost_usd: number;
};

export type NewBatch = {
  account_id: string;
  batch_id: string;
  job_id: string;
  spec: BatchSpec;
  /** For a sheet: by listing_pk. Leaves out listings that it does not change. */
  sheet_edits?: ReadonlyMap<number, SheetEdits[]>;
  warnings: Warning[];
  /** How long it can be started. */
  life_ms: number;
  started_by?: Starter;
  /** A plan that the new one replaces: it is canceled, unless it was started in the meantime. */
  replaces?: string | undefined;
  key: string | null;
  digest: string;
  most: Pick<AccountQuotas, 'open_plans'>;
};

/** The result of creating a batch: `unfinished`, for an undo, is an unfinished undo of the same batch. */
export type CreatedBatch =
  | { is: 'created' | 'known'; batch: BatchRecord }
  | { is: 'reused' }
  | { is: 'unfinished'; batch: BatchRecord };

/** The result of starting a batch. `unstartable`: it is not planned, was canceled, or has expired. */
type StartedBatch = { is: 'started' | 'running' | 'unstartable'; batch: BatchRecord };

/** The next action of a running batch. */
type BatchTurn = 'go' | 'wait' | 'canceled';

export type BatchStore = {
  /**
   * Creates the batch with the job that plans it. The same key and digest return the existing batch. Throws
   * QuotaError; not for an undo, since each batch has at most one open undo.
   */
  createBatch(batch: NewBatch): Promise<CreatedBatch>;
  /** The batch that a call with this idempotency key created. */
  findBatchByKey(
    account_id: string,
    key: string,
  ): Promise<{ batch: BatchRecord; digest: string } | undefined>;
  findBatch(account_id: string, batch_id: string): Promise<BatchRecord | undefined>;
  findBatchOfJob(account_id: string, job_id: string): Promise<BatchRecord | undefined>;
  /** The batch that was started last to take this one back. */
  findUndo(account_id: string, batch_id: string): Promise<BatchRecord | undefined>;
  /** Newest first. */
  listBatches(account_id: string, page: { limit: number; offset: number }): Promise<Page<BatchRecord>>;
  countBatchItems(account_id: string, batch_ids: readonly string[]): Promise<Map<string, BatchCounts>>;
  /** In the order of the selection. */
  listBatchItems(
    account_id: string,
    batch_id: string,
    page: { limit: number; offset: number; status?: BatchItemStatus | undefined },
  ): Promise<Page<BatchItemRecord>>;
  /** Items whose positions are in a range, in their order: those of one listing, or the next ones. */
  listItemsFrom(
    account_id: string,
    batch_id: string,
    range: { from: number; before?: number; limit?: number; status?: BatchItemStatus | undefined },
  ): Promise<BatchItemRecord[]>;
  /** The steps of one listing, in order. */
  listBatchSteps(account_id: string, batch_id: string, listing_pk: number): Promise<BatchStep[]>;
  /** Listings with unfinished steps, and the number of those steps; in the order of the selection. */
  listOpenListings(account_id: string, batch_id: string): Promise<{ listing_pk: number; steps: number }[]>;
  /** The listings that have items. */
  listPlannedListings(account_id: string, batch_id: string): Promise<number[]>;
  findSheetEdits(account_id: string, batch_id: string, listing_pk: number): Promise<SheetEdits[]>;
  /** Saves the plan of one listing of a batch. Throws ClaimLostError. */
  savePlannedListing(
    claim: JobClaim,
    batch_id: string,
    planned: { items: readonly BatchItemRecord[]; steps: readonly BatchStep[] },
  ): Promise<void>;
  /** Starts a plan once, with its job. Throws SpendingLimitError. */
  startBatch(start: {
    account_id: string;
    batch_id: string;
    job_id: string;
    spending: Spending;
    started_by?: Starter;
  }): Promise<StartedBatch>;
  /** Starts the batch that this job has just planned, as a part of the same job. False if it was canceled. */
  startPlanned(claim: JobClaim, batch_id: string): Promise<boolean>;
  /** Marks a planned batch as canceled, and requests a running one to stop. */
  cancelBatch(
    account_id: string,
    batch_id: string,
    options?: { spares_started?: boolean | undefined },
  ): Promise<BatchRecord | undefined>;
  /**
   * One batch of an account runs at a time: the one that was started first. Getting its turn ends its pause.
   */
  takeTurn(claim: JobClaim, batch_id: string): Promise<BatchTurn>;
  /** Null: it resumes. */
  savePause(claim: JobClaim, batch_id: string, reason: 'limits' | 'reconnect' | null): Promise<void>;
  /** Saves items, and their step. Throws ClaimLostError. */
  saveBatchItems(
    claim: JobClaim,
    batch_id: string,
    items: readonly BatchItemRecord[],
    step?: Pick<BatchStep, 'position' | 'job_ids' | 'is_done'>,
  ): Promise<void>;
};
