import type { BatchItemStatus, BatchStatus } from '../../../schemas/batch.js';
import type { Warning } from '../../../schemas/job.js';
import type { Generated } from 'kysely';
import type { BatchItemRecord, BatchSpec, SheetEdits, Starter, StepCall } from '../../core/ports/index.js';
import type { Json } from '../json.js';
import type { Bit } from './bit.js';

export type BatchTable = {
  account_id: string;
  batch_id: string;
  /** The batch that it undoes; null: none. */
  undoes: string | null;
  status: BatchStatus;
  reason: 'limits' | 'reconnect' | null;
  spec: Json<BatchSpec>;
  warnings: Json<Warning[]>;
  /** The plan's fees, in US cents. */
  cost_cents: Generated<number>;
  marketplace_calls: Generated<number>;
  job_id: string;
  is_canceling: Generated<Bit>;
  /** Idempotency key, and digest of the body that came with it. */
  key: string | null;
  digest: string;
  created_at: string;
  expires_at: string;
  started_at: string | null;
  completed_at: string | null;
  started_by: Json<Starter> | null;
};

export type BatchItemTable = {
  account_id: string;
  batch_id: string;
  position: number;
  listing_pk: number;
  shop_id: number;
  status: BatchItemStatus;
  /** Whether the plan changes it. */
  is_changed: Bit;
  item: Json<BatchItemRecord>;
};

export type BatchStepTable = {
  account_id: string;
  batch_id: string;
  position: number;
  listing_pk: number;
  call: Json<StepCall>;
  job_ids: Json<string[]>;
  is_done: Generated<Bit>;
};

/** The changes of an uploaded sheet to one listing. */
export type BatchEditTable = {
  account_id: string;
  batch_id: string;
  listing_pk: number;
  edits: Json<SheetEdits[]>;
};

/** An export. `content`: compressed, in base64. */
export type SheetTable = {
  account_id: string;
  version: string;
  content: string;
  created_at: string;
  expires_at: string;
};
