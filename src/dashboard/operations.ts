import type { z } from 'zod/v3';
import type { batchAnswer, sheetResult } from '../../schemas/batch.js';
import type { categoriesFound, CategorySchema } from '../../schemas/category.js';
import type { deliveriesPage, DeliveryOutcome } from '../../schemas/delivery.js';
import type { Endpoint, endpointDeleted, endpointDetail } from '../../schemas/endpoint.js';
import type { ErrorBody } from '../../schemas/error.js';
import type { importJobResult } from '../../schemas/import.js';
import type { Issue } from '../../schemas/issue.js';
import type { listingJobResult } from '../../schemas/job.js';
import type { listingDeleted, listingsPage } from '../../schemas/listing.js';
import type { updateResult } from '../../schemas/listing_changes.js';
import type { shopListingsPage } from '../../schemas/shop_listings.js';
import type { shopsList, shopSynced } from '../../schemas/shop.js';
import type { uploadResult } from '../../schemas/upload.js';
import { toRefused } from '../core/errors.js';
import type { Invoke } from '../core/operations/invoke.js';
import type { LimitState } from '../core/operations/limits.js';
import type { Operation } from '../core/operations/operation.js';
import type { AnswerFile, Call, Caller } from '../core/operations/call.js';
import type { Refused } from '../core/ports/index.js';

/** The operations that pages call, with their results. */
type Outputs = {
  stores_list: z.output<typeof shopsList>;
  store_sync: z.output<typeof shopSynced>;
  file_upload: z.output<typeof uploadResult>;
  listings_list: z.output<typeof listingsPage>;
  categories_search: z.output<typeof categoriesFound>;
  listing_schema: CategorySchema;
  listing_create: JobAnswer;
  listing_copy: JobAnswer;
  listing_publish: JobAnswer;
  listing_update: z.output<typeof updateResult>;
  listing_undo: z.output<typeof updateResult>;
  listing_import: z.output<typeof importJobResult>;
  store_listings: z.output<typeof shopListingsPage>;
  listing_delete: z.output<typeof listingDeleted>;
  batch_create: Planned;
  batch_sheet: z.output<typeof sheetResult>;
  batch_start: Planned;
  batch_cancel: Planned;
  batch_undo: Planned;
  webhook_endpoint_get: z.output<typeof endpointDetail>;
  webhook_endpoint_set: Endpoint;
  webhook_endpoint_delete: z.output<typeof endpointDeleted>;
  webhook_test: DeliveryOutcome;
  webhook_delivery_retry: DeliveryOutcome;
  webhooks_deliveries: z.output<typeof deliveriesPage>;
};
type Planned = z.output<typeof batchAnswer>;
export type JobAnswer = z.output<typeof listingJobResult>;
type OperationId = keyof Outputs;

/** An operation returned an error; pages show its text. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly error: Refused;

  constructor(body: ErrorBody, issues: readonly Issue[] = []) {
    super(body.error.message);
    this.error = toRefused(body, issues);
  }
}

/** For a page that shows a refusal itself; rethrows other errors. */
export function toRefusal(cause: unknown): RefusedError {
  if (cause instanceof RefusedError) return cause;
  throw cause;
}

/** Calls operations as the signed-in person, through the one gate; pages have no other access to them. */
export type Operations = {
  /** Throws RefusedError. */
  call<Id extends OperationId>(id: Id, input: object, call?: Partial<Call>): Promise<Outputs[Id]>;
  /** The file that an operation returns. Throws RefusedError. */
  download(id: OperationId, input: object): Promise<AnswerFile>;
  /** The rest of the account's limits, if the call is counted. */
  getLimits(): Promise<LimitState | undefined>;
};

export function createOperations(
  { operations, invoke }: { operations: readonly Operation[]; invoke: Invoke },
  caller: Caller,
): Operations {
  const ask = async (id: OperationId, input: object, more: Partial<Call> = {}) => {
    const operation = operations.find((known) => known.id === id);
    if (!operation) throw new Error(`There is no operation ${id}.`);
    const outcome = await invoke(operation, { value: input }, { caller, face: 'dashboard', ...more });
    if (!outcome.ok) throw new RefusedError(outcome.error, outcome.issues);
    return outcome;
  };
  return {
    // The gate has checked the output against the operation's own schema.
    call: async <Id extends OperationId>(id: Id, input: object, more?: Partial<Call>) =>
      (await ask(id, input, more)).output as Outputs[Id],
    async download(id, input) {
      const { file } = await ask(id, input);
      if (!file) throw new Error(`The operation ${id} has answered no file.`);
      return file;
    },
    getLimits: async () => (await ask('stores_list', {})).limits,
  };
}
