import { toTranslation } from '../answers/attachments.js';
import { ok } from '../requests/call.js';
import type { Answer, Call, Route } from '../requests/call.js';
import { parseTexts, requireFields } from '../requests/fields.js';
import { INVENTED, VERBATIM } from '../requests/messages.js';
import { getOwnListing } from '../requests/ownership.js';
import { buildRefusal } from '../requests/refusal.js';
import { checkListingTexts } from '../rules/listing_text.js';
import { LANGUAGES } from '../rules/choices.js';
import { listTranslations, saveTranslation } from '../store/attachments.js';
import { touchListing } from '../store/listings.js';

const PATH = '/shops/:shop_id/listings/:listing_id/translations/:language';

export const TRANSLATION_ROUTES: readonly Route[] = [
  {
    operation: 'createListingTranslation',
    method: 'POST',
    path: PATH,
    scopes: ['listings_w'],
    body: 'form',
    run: (call) => writeTranslation(call, 'new'),
  },
  {
    operation: 'updateListingTranslation',
    method: 'PUT',
    path: PATH,
    scopes: ['listings_w'],
    body: 'form',
    run: (call) => writeTranslation(call, 'known'),
  },
];

// One call creates a translation and another updates it. The marketplace does not say what each does in the
// other's case.
function writeTranslation(call: Call, kind: 'new' | 'known'): Answer {
  const { listing_id } = getOwnListing(call).listing;
  const language = getLanguage(call);
  if (!LANGUAGES.includes(language)) throw buildRefusal(400, INVENTED.language_unknown);
  const isThere = listTranslations(call.db, listing_id).some((known) => known.language === language);
  requireFields(call.fields, ['title', 'description']);
  const title = call.fields.get('title') ?? '';
  const description = call.fields.get('description') ?? '';
  const tags = parseTexts(call.fields, 'tags') ?? [];
  checkListingTexts({ title, description, tags });
  if (isThere && kind === 'new') throw buildRefusal(400, INVENTED.translation_exists);
  if (!isThere && kind === 'known') throw buildRefusal(404, VERBATIM.not_found);
  saveTranslation(call.db, listing_id, { language, title, description, tags });
  touchListing(call.db, listing_id, call.now_ms);
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
