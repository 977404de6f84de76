import { toPersonalization } from '../answers/attachments.js';
import { created, NO_CONTENT } from '../requests/call.js';
import type { Call, Route } from '../requests/call.js';
import { parseBoolean } from '../requests/fields.js';
import { getOwnListing } from '../requests/ownership.js';
import { parseQuestions, toQuestion } from '../rules/personalization.js';
import { listQuestions, saveQuestions } from '../store/attachments.js';
import { touchListing } from '../store/listings.js';
import { findShop } from '../store/shops.js';

const PATH = '/shops/:shop_id/listings/:listing_id/personalization';

export const PERSONALIZATION_ROUTES: readonly Route[] = [
  {
    operation: 'updateListingPersonalization',
    method: 'POST',
    path: PATH,
    scopes: ['listings_w'],
    body: 'json',
    run: (call) => {
      const { listing_id, shop_id } = getOwnListing(call).listing;
      const canBeSeveral = parseBoolean(call.query, 'supports_multiple_personalization_questions') ?? false;
      const sent = parseQuestions(call.json, listQuestions(call.db, listing_id), canBeSeveral);
      const questions = sent.map((question) => toQuestion(call.db, question));
      saveQuestions(call.db, listing_id, questions);
      touchListing(call.db, listing_id, call.now_ms);
      return created(toPersonalization(questions, getCurrency(call, shop_id)));
    },
  },
  {
    operation: 'deleteListingPersonalization',
    method: 'DELETE',
    path: PATH,
    scopes: ['listings_w'],
    run: (call) => {
      const { listing } = getOwnListing(call);
      saveQuestions(call.db, listing.listing_id, []);
      touchListing(call.db, listing.listing_id, call.now_ms);
      return NO_CONTENT;
    },
  },
];

function getCurrency(call: Call, shop_id: number): string {
  return findShop(call.db, shop_id)?.data.currency_code ?? 'USD';
}
