import { importJobResult, importRequest } from '../schemas/import.js';
import { writeAnswer } from '../src/core/issues/answers.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { listingImportExamples } from './examples/import.js';

export default defineOperation({
  id: 'listing_import',
  route: { method: 'POST', path: '/listings/import', body: 'json' },
  effect: 'create',
  reach: 'marketplace',
  auth: 'key_or_token',
  tag: 'Listing Builder',
  title: 'Import listings of a shop',
  description:
    'Saves listings of a shop here, with photos, so that they can be changed or copied by listing_pk. Free; changes nothing there. Refreshes a listing that was imported before, so repeating a call is safe and needs no key. warnings list what is not saved here.',
  input: importRequest,
  output: importJobResult,
  outlined: { output: ['status', 'job_id', 'results'] },
  errors: ['STORE_RECONNECT_REQUIRED'],
  explain: (core, _raw, found, { caller }) => core.shops.explain(caller.account_id, found),
  examples: listingImportExamples,
  run: async (core, input, call) => writeAnswer(await core.listings.import(input, call)),
});
