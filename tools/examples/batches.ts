import { SHOP } from './shops.js';

/* Ten percent on the mug: planned, made, and undone. */

const BATCH_ID = { value: 'batch_Vq2kTz7pLw9sXc4nRb6mYd', from: 'batch_create', field: 'batch_id' } as const;

const counts = {
  listings: 1,
  shops: 1,
  items: 1,
  changed: 1,
  unchanged: 0,
  refused: 0,
  waiting: 0,
  ok: 0,
  error: 0,
  canceled: 0,
};

const batch = {
  batch_id: BATCH_ID.value,
  on_drift: 'refuse' as const,
  selected: 1,
  job_id: 'job_4hTq8Zc1VnXw5yKe7RbPmd',
  counts,
  cost_usd: 0,
  marketplace_calls: 3,
  estimated_seconds: 1,
  calls_left: 9_870,
  created_at: '2026-11-02T10:10:00.000Z',
  expires_at: '2026-11-03T10:10:00.000Z',
  started_at: null,
  completed_at: null,
};

const item = {
  listing_pk: 1,
  shop_id: SHOP.shop_id,
  shop_name: SHOP.shop_name,
  title: 'Stoneware mug, oat glaze',
  diff: [{ field: 'listing.price', before: 24.5, after: 26.9 }],
  issues: [],
};

const planned = {
  ...batch,
  status: 'planned' as const,
  message:
    'Changes 1 item, for free. Nothing is written yet: show the seller the diff, then call batch_start.',
  items: [{ ...item, status: 'planned' as const }],
};

const done = {
  ...batch,
  status: 'completed' as const,
  counts: { ...counts, ok: 1 },
  started_at: '2026-11-02T10:12:00.000Z',
  completed_at: '2026-11-02T10:12:01.400Z',
  message: 'Done: 1 changed, 0 failed. To undo it, call batch_undo.',
  items: [{ ...item, status: 'ok' as const }],
};

export const batchCreateExamples = [
  {
    summary: 'Ten percent more, rounded to x.90',
    input: {
      select: { listing_pks: [1] },
      edits: [{ field: 'price', op: 'increase_percent', value: 10, round_to: 'x.90' }],
    },
    output: planned,
  },
];

export const batchSheetExamples = [
  {
    summary: 'The mug as a CSV file',
    input: { select: { listing_pks: [1] }, format: 'csv' as const },
    output: {
      version: 'sheet_Vq2kTz7pLw9sXc4nRb6mYd',
      format: 'csv' as const,
      filename: 'listings-2026-11-02.csv',
      rows: 1,
      expires_at: '2026-12-02T10:10:00.000Z',
      note: 'Edit cells and upload it with file_upload, type sheet, within 30 days; then batch_create with its url as sheet plans the edits.',
    },
  },
];

export const batchesListExamples = [
  {
    summary: 'The batch with its items',
    input: { batch_id: BATCH_ID.value, limit: 25, offset: 0 },
    output: {
      total: 1,
      limit: 25,
      offset: 0,
      batches: [{ ...batch, status: 'planned' as const }],
      items: planned.items,
    },
    taken: { batch_id: BATCH_ID },
  },
];

export const batchStartExamples = [
  {
    summary: 'The changes that the plan showed',
    input: { batch_id: BATCH_ID.value },
    output: done,
    taken: { batch_id: BATCH_ID },
  },
];

export const batchCancelExamples = [
  {
    summary: 'One that has ended stays as it ended',
    input: { batch_id: BATCH_ID.value },
    output: done,
    taken: { batch_id: BATCH_ID },
  },
];

export const batchUndoExamples = [
  {
    summary: 'The prices of before',
    input: { batch_id: BATCH_ID.value },
    output: {
      ...done,
      undoes: BATCH_ID.value,
      items: [
        { ...item, status: 'ok' as const, diff: [{ field: 'listing.price', before: 26.9, after: 24.5 }] },
      ],
    },
    taken: { batch_id: BATCH_ID },
  },
];
