import { sheetQuery, sheetResult } from '../schemas/batch.js';
import { SHEET_TYPES } from '../src/core/batches/sheets/columns.js';
import { writeAnswer } from '../src/core/issues/answers.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { batchSheetExamples } from './examples/batches.js';

export default defineOperation({
  id: 'batch_sheet',
  route: { method: 'GET', path: '/batches/sheet' },
  effect: 'read',
  reach: 'marketplace',
  words: 'own',
  auth: 'key_or_token',
  tag: 'Batches',
  title: 'Export listings as a sheet',
  description:
    'Exports one row per listing or SKU in each shop. To plan the edits: file_upload, then batch_create with sheet.',
  input: sheetQuery,
  output: sheetResult,
  outlined: { bare: ['select'] },
  errors: ['BATCH_NOT_FOUND', 'BATCH_TOO_LARGE', 'QUOTA_EXCEEDED'],
  file: {
    types: Object.values(SHEET_TYPES),
    read: async (core, sheet, call) => core.sheets.read(sheet, call),
  },
  examples: batchSheetExamples,
  run: async (core, query, call) => writeAnswer(await core.sheets.create(query, call)),
});
