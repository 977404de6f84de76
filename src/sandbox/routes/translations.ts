import { toTranslation } from '../answers/attachments.js';
import { ok } from '../call.js';
import type { Answer, Call, Route } from '../call.js';
import { parseTexts, requireFields } from '../fields.js';
import { VERBATIM } from '../messages.js';
import { getListing, getOwnListing } from '../ownership.js';
import { buildRefusal } from '../refusal.js';
import { checkListingTexts } from '../rules/listing-text.js';
import { listTranslations } from '../store/attachments.js';

const PATH = '/shops/:shop_id/listings/:listing_id/translations/:language';

export const TRANSLATION_ROUTES: readonly Route[] = [
  {
    operation: 'createListingTranslation',
    method: 'POST',
    path: PATH,
    scopes: ['listings_w'],
    body: 'form',
    run: writeTranslation,
  },
  {
    operation: 'updateListingTranslation',
    method: 'PUT',
    path: PATH,
    scopes: ['listings_w'],
    body: 'form',
    run: writeTranslation,
  },
  {
    operation: 'getListingTranslation',
    method: 'GET',
    path: PATH,
    scopes: [],
    run: (call) => describe(call, getListing(call).listing_id),
  },
];

function writeTranslation(call: Call): Answer {
  const { listing_id } = getOwnListing(call).listing;
  requireFields(call.fields, ['title', 'description']);
  const title = call.fields.get('title') ?? '';
  const description = call.fields.get('description') ?? '';
  const tags = parseTexts(call.fields, 'tags') ?? [];
  checkListingTexts({ title, description, tags });
  call.db.run(
    'INSERT INTO translations VALUES (?,?,?) ON CONFLICT (listing_id, language) DO UPDATE SET data = excluded.data',
    listing_id,
    getLanguage(call),
    JSON.stringify({ title, description, tags }),
  );
  return describe(call, listing_id);
}

function describe(call: Call, listing_id: number): Answer {
  const language = getLanguage(call);
  const found = listTranslations(call.db, listing_id).find(
    (translation) => translation.language === language,
  );
  if (!found) throw buildRefusal(404, VERBATIM.not_found);
  return ok(toTranslation(listing_id, found));
}

function getLanguage(call: Call): string {
  return call.params.language ?? '';
}
