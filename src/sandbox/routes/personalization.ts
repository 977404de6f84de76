import { toPersonalization } from '../answers/attachments.js';
import { created, NO_CONTENT, ok } from '../call.js';
import type { Call, Route } from '../call.js';
import { parseBoolean } from '../fields.js';
import { getListing, getOwnListing } from '../ownership.js';
import { parseQuestions } from '../rules/personalization.js';
import type { SentQuestion } from '../rules/personalization.js';
import { listQuestions } from '../store/attachments.js';
import type { Question } from '../store/attachments.js';
import { takeId } from '../store/sequences.js';
import { findShop } from '../store/shops.js';

const PATH = '/shops/:shop_id/listings/:listing_id/personalization';

export const PERSONALIZATION_ROUTES: readonly Route[] = [
  {
    operation: 'getListingPersonalization',
    method: 'GET',
    path: '/listings/:listing_id/personalization',
    scopes: [],
    run: (call) => {
      const { listing_id, shop_id } = getListing(call);
      return ok(toPersonalization(listQuestions(call.db, listing_id), getCurrency(call, shop_id)));
    },
  },
  {
    operation: 'updateListingPersonalization',
    method: 'POST',
    path: PATH,
    scopes: ['listings_w'],
    body: 'json',
    run: (call) => {
      const { listing_id, shop_id } = getOwnListing(call).listing;
      const supports_multiple =
        parseBoolean(call.query, 'supports_multiple_personalization_questions') ?? false;
      const sent = parseQuestions(call.json, listQuestions(call.db, listing_id), supports_multiple);
      const questions = sent.map((question) => toQuestion(call, question));
      call.db.run(
        'INSERT INTO personalizations VALUES (?, ?) ON CONFLICT (listing_id) DO UPDATE SET data = excluded.data',
        listing_id,
        JSON.stringify(questions),
      );
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
      call.db.run('DELETE FROM personalizations WHERE listing_id = ?', listing.listing_id);
      return NO_CONTENT;
    },
  },
];

function toQuestion(call: Call, sent: SentQuestion): Question {
  return {
    ...sent,
    question_id: sent.question_id ?? takeId(call.db, 'question'),
    options:
      sent.options?.map((option) => ({
        option_id: option.option_id ?? takeId(call.db, 'option'),
        label: option.label,
      })) ?? null,
  };
}

function getCurrency(call: Call, shop_id: number): string {
  return findShop(call.db, shop_id)?.data.currency_code ?? 'USD';
}
