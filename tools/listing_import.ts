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
  title: 'Take over listings that a shop has',
  description:
    'Saves listings of a shop here, photos too, to be changed or copied by listing_pk. Free; changes nothing there. One that is here already is refreshed, so repeating a call is safe and takes no key. warnings tell what stays in the shop alone.',
  input: importRequest,
  output: importJobResult,
  outlined: { output: ['status', 'job_id', 'results'] },
  errors: ['STORE_RECONNECT_REQUIRED'],
  explain: (core, _raw, found, { caller }) => core.shops.explain(caller.account_id, found),
  examples: listingImportExamples,
  run: async (core, input, call) => writeAnswer(await core.listings.import(input, call)),
});
