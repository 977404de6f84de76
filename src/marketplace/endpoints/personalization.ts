import type { ShopCalls } from '../../core/ports/shop_calls.js';
import type { ListingQuestion } from '../../core/ports/marketplace_listing.js';
import type { Call } from '../http/call.js';
import { buildJsonBody } from '../http/encode.js';
import { OPERATIONS } from './operations.js';

/** Personalization: the questions to buyers. */
export function createPersonalization(
  call: Call,
): Pick<ShopCalls, 'updateQuestions' | 'deletePersonalization'> {
  return {
    updateQuestions: (shop, listing_id, questions, options) =>
      call(
        OPERATIONS.updateListingPersonalization,
        {
          shop,
          path: { shop_id: shop.shop_id, listing_id },
          // Without it, a listing that has several questions answers 409.
          query: { supports_multiple_personalization_questions: true },
          body: buildJsonBody({ personalization_questions: questions.map(toWireQuestion) }),
        },
        () => undefined,
        options,
      ),
    deletePersonalization: (shop, listing_id, options) =>
      call(
        OPERATIONS.deleteListingPersonalization,
        { shop, path: { shop_id: shop.shop_id, listing_id } },
        () => undefined,
        options,
      ),
  };
}

/** Omits fields that a type of question does not use: some are refused even as null. */
function toWireQuestion({ options, instructions, ...question }: ListingQuestion): Record<string, unknown> {
  const given = Object.entries(question).filter(([, value]) => value !== null);
  return {
    ...Object.fromEntries(given),
    instructions,
    ...(options.length > 0 && { options: options.map(toWireOption) }),
  };
}

function toWireOption({ option_id, label }: ListingQuestion['options'][number]): Record<string, unknown> {
  return { label, ...(option_id !== null && { option_id }) };
}
