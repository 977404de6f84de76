import type { Fact, Issue } from './issue.js';
import { z } from 'zod/v3';
import { fieldChange, warning, type Warning, type WithFacts } from './job.js';
import { listingsQuery, seenState } from './listing.js';
import { confirm } from './listing_request.js';
import { limitParameter, offsetParameter } from './page.js';

/*
 * Changes of many listings: first a plan, then one approval, one job and one undo. The core checks each edit against its
 * table of operations (core/batches/edits), so its members have any type here.
 */

const id = z.number().int();
const pk = z.number().int();

const batchStatus = z.enum([
  'planning',
  'planned',
  'running',
  'paused',
  'completed',
  'canceled',
  'expired',
  'failed',
]);
export type BatchStatus = z.infer<typeof batchStatus>;

/** One listing in one shop. */
export const batchItemStatus = z.enum([
  'planned',
  'unchanged',
  'refused',
  'waiting',
  'running',
  'ok',
  'error',
  'canceled',
]);
export type BatchItemStatus = z.infer<typeof batchItemStatus>;

export const MOST_LISTINGS = 1_000;
const MOST_EDITS = 20;

const filter = listingsQuery.pick({ status: true, keywords: true, shop_id: true }).extend({
  shop_state: seenState.optional(),
  tag: z.string().optional(),
  section: z.string().optional().describe('Name or id'),
  sku_prefix: z.string().optional(),
  price_min: z.number().optional(),
  price_max: z.number().optional(),
  currency: z.string().optional(),
  ends_before: z.string().optional().describe('ISO 8601'),
});
export type BatchFilter = z.infer<typeof filter>;

const select = z
  .object({
    listing_pks: z.array(pk).min(1).max(MOST_LISTINGS).optional(),
    batch_id: z.string().optional(),
    item_status: batchItemStatus.optional(),
    filter: filter.optional(),
  })
  .describe('One of listing_pks, filter, or batch_id (its items of item_status again)');
export type BatchSelect = z.infer<typeof select>;

const where = z.object({
  sku: z.string().optional(),
  sku_prefix: z.string().optional(),
  options: z.record(z.string()).optional().describe('Option name to value'),
});

const edit = z.object({
  field: z.string(),
  op: z.string(),
  value: z
    .union([z.string(), z.number(), z.boolean(), z.array(z.unknown()), z.object({}).passthrough(), z.null()])
    .optional()
    .describe('Text; other types also as JSON'),
  find: z.string().max(1_000).optional(),
  with: z.string().max(1_000).optional(),
  currency: z.string().optional(),
  round_to: z.string().optional(),
  where: where.optional(),
  stock: z.number().int().optional(),
  shops: z.array(z.object({}).passthrough()).optional(),
});
export type BatchEdit = z.infer<typeof edit>;

export const sheetFormat = z.enum(['csv', 'xlsx']);
export type SheetFormat = z.infer<typeof sheetFormat>;

export const sheetQuery = z.object({
  select: select.describe('As in batch_create'),
  format: sheetFormat.default('xlsx'),
});
export type SheetQuery = z.output<typeof sheetQuery>;

export const sheetResult = z.object({
  version: z.string(),
  format: sheetFormat,
  filename: z.string(),
  rows: z.number().int(),
  expires_at: z.string().describe('It can be uploaded until then'),
  path: z.string().optional().describe('Over stdio: the file'),
  download_url: z.string().optional().describe('Over HTTP: the file, once'),
  note: z.string(),
  warnings: z.array(warning).optional(),
});
export type SheetResult = WithFacts<z.input<typeof sheetResult>, { warnings: Warning[] }>;

const onDrift = z.enum(['refuse', 'overwrite']).optional();

export const batchCreateRequest = z.object({
  select: select.optional(),
  edits: z
    .array(edit)
    .min(1)
    .max(MOST_EDITS)
    .optional()
    .describe(
      'In order. price: set, increase_by, increase_percent; round_to 0.01, 0.05, 0.10, 1, x.90, x.95, x.99; where. quantity: set, add. title, description: set, prepend, append, replace. tags, materials, styles: set, add, remove, replace. shop_section_id, shipping_profile_id, return_policy_id, processing_profile_id: set (id or name). should_auto_renew, is_taxable, is_customizable, who_when_made: set. images: append, prepend, remove (ranks), set_alt_text. state: inactive, active. copy: to (shops as in listing_copy). any: merge (changes of listing_update)',
    ),
  sheet: z.string().optional().describe('url of a sheet upload, instead of select and edits'),
  shops: z.array(id).min(1).max(50).optional().describe('Default: all shops that have the listing'),
  on_drift: onDrift.describe('For fields edited on the marketplace: refuse (default) skips the listing'),
  idempotency_key: z.string().optional(),
});
export type BatchCreateRequest = z.output<typeof batchCreateRequest>;

/** A problem of an item, with its field. */
const itemIssue = z.object({ code: z.string(), field: z.string(), message: z.string() });

const item = z.object({
  listing_pk: pk,
  shop_id: z.string(),
  shop_name: z.string(),
  title: z.string(),
  status: batchItemStatus,
  overwrites: z.literal(true).optional().describe('Replaces a manual edit'),
  cost_usd: z.number().optional(),
  diff: z.array(fieldChange),
  issues: z.array(itemIssue),
  details: z.object({}).passthrough().optional(),
  job_id: z.string().optional(),
});
export type BatchItem = WithFacts<
  z.input<typeof item>,
  { issues: { code: string; field: string; message: Fact & Pick<Issue, 'notes'> }[] }
>;

export const batchCounts = z.object({
  listings: z.number().int(),
  shops: z.number().int(),
  items: z.number().int(),
  changed: z.number().int().describe('Items that the plan changes'),
  unchanged: z.number().int(),
  refused: z.number().int(),
  waiting: z.number().int(),
  ok: z.number().int(),
  error: z.number().int(),
  canceled: z.number().int(),
});
export type BatchCounts = z.infer<typeof batchCounts>;

const batch = z.object({
  batch_id: z.string(),
  status: batchStatus,
  reason: z.enum(['limits', 'reconnect']).optional().describe('Why it is paused'),
  undoes: z.string().optional().describe('The batch that it undoes'),
  edits: z.array(edit).optional().describe('The edits of batch_create'),
  sheet: z.string().optional().describe('URL of the uploaded sheet, if planned from one'),
  on_drift: z.enum(['refuse', 'skip', 'overwrite']),
  selected: z.number().int().describe('Listings to plan'),
  job_id: z.string().optional(),
  counts: batchCounts,
  cost_usd: z.number(),
  marketplace_calls: z.number().int(),
  estimated_seconds: z.number().int(),
  calls_left: z.number().int().nullable().describe('Marketplace calls left today; null: not known yet'),
  created_at: z.string(),
  expires_at: z.string().describe('It can be started until then'),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
});

export const batchAnswer = batch.omit({ status: true, edits: true }).extend({
  status: z.enum([...batchStatus.options, 'confirmation_required']),
  message: z.string(),
  items: z.array(item).optional(),
  warnings: z.array(warning).optional(),
  confirm_token: z.string().optional(),
  confirm_expires_at: z.string().optional(),
  poll_url: z.string().optional(),
});
export type BatchAnswer = WithFacts<
  z.input<typeof batchAnswer>,
  { items: BatchItem[] | undefined; warnings: Warning[] | undefined }
>;

export const batchesQuery = z.object({
  batch_id: z.string().optional(),
  item_status: batchItemStatus.optional(),
  limit: limitParameter,
  offset: offsetParameter,
});

export const batchesPage = z.object({
  total: z.number().int().describe('Batches, or items of the requested batch'),
  limit: z.number().int(),
  offset: z.number().int(),
  batches: z.array(batch),
  items: z.array(item).optional(),
  warnings: z.array(warning).optional(),
});

export type BatchesPage = WithFacts<
  z.input<typeof batchesPage>,
  { items: BatchItem[] | undefined; warnings: Warning[] | undefined }
>;

export const batchStartRequest = z.object({
  batch_id: z.string(),
  confirm,
  idempotency_key: z.string().optional(),
});

export const batchCancelRequest = z.object({ batch_id: z.string() });

export const batchUndoRequest = z.object({
  batch_id: z.string(),
  listing_pks: z.array(pk).optional(),
  shops: z.array(id).optional(),
  dry_run: z.boolean().optional(),
  on_drift: z.enum(['refuse', 'skip', 'overwrite']).optional().describe('As in listing_undo'),
  pay: z.boolean().optional(),
  confirm,
  idempotency_key: z.string().optional(),
});
/** Members of an edit in addition to its field and op. */
export type Member = 'value' | 'find' | 'with' | 'currency' | 'round_to' | 'where' | 'stock' | 'shops';

/** The members that an operation needs and may have, and the values that it takes. */
export type OpRow = { needs: readonly Member[]; takes?: readonly Member[]; value?: ValueType };

/** `name`: an id, or the name of something that each shop has. */
export type ValueType =
  | 'price'
  | 'number'
  | 'count'
  | 'integer'
  | 'text'
  | 'words'
  | 'name'
  | 'name_or_null'
  | 'flag'
  | 'making'
  | 'urls'
  | 'ranks'
  | 'alt_texts'
  | 'changes';

const TEXT = {
  set: { needs: ['value'], value: 'text' },
  prepend: { needs: ['value'], value: 'text' },
  append: { needs: ['value'], value: 'text' },
  replace: { needs: ['find', 'with'] },
} as const satisfies Record<string, OpRow>;

const WORDS = {
  set: { needs: ['value'], value: 'words' },
  add: { needs: ['value'], value: 'words' },
  remove: { needs: ['value'], value: 'words' },
  replace: { needs: ['find', 'with'] },
} as const satisfies Record<string, OpRow>;

const NAMED = { set: { needs: ['value'], value: 'name' } } as const satisfies Record<string, OpRow>;
const FLAG = { set: { needs: ['value'], value: 'flag' } } as const satisfies Record<string, OpRow>;

/** The fields that can be edited, and how. */
export const EDIT_OPS = {
  price: {
    set: { needs: ['value'], takes: ['currency', 'where'], value: 'price' },
    increase_by: { needs: ['value'], takes: ['currency', 'round_to', 'where'], value: 'number' },
    increase_percent: { needs: ['value'], takes: ['currency', 'round_to', 'where'], value: 'number' },
  },
  quantity: {
    set: { needs: ['value'], takes: ['where'], value: 'count' },
    add: { needs: ['value'], takes: ['where'], value: 'integer' },
  },
  title: TEXT,
  description: TEXT,
  tags: WORDS,
  materials: WORDS,
  styles: WORDS,
  shop_section_id: { set: { needs: ['value'], value: 'name_or_null' } },
  shipping_profile_id: NAMED,
  return_policy_id: NAMED,
  processing_profile_id: NAMED,
  should_auto_renew: FLAG,
  is_taxable: FLAG,
  is_customizable: FLAG,
  who_when_made: { set: { needs: ['value'], value: 'making' } },
  images: {
    append: { needs: ['value'], value: 'urls' },
    prepend: { needs: ['value'], value: 'urls' },
    remove: { needs: ['value'], value: 'ranks' },
    set_alt_text: { needs: ['value'], value: 'alt_texts' },
  },
  state: { inactive: { needs: [] }, active: { needs: [], takes: ['stock'] } },
  copy: { to: { needs: ['shops'] } },
  any: { merge: { needs: ['value'], value: 'changes' } },
} as const satisfies Record<string, Record<string, OpRow>>;

export type EditField = keyof typeof EDIT_OPS;
