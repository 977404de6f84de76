import type { Marketplace } from '../core/ports/marketplace.js';
import type { Call } from './call.js';
import { buildJsonBody } from './encode.js';
import { OPERATIONS } from './operations.js';

/** What buyers see above the field; sellers give instructions, not a title. */
const QUESTION_TEXT = 'Personalization';

/** What a buyer is asked. Replaces all questions of the listing. */
export function createPersonalization(call: Call): Pick<Marketplace, 'updatePersonalization'> {
  return {
    updatePersonalization: (shop, listing_id, { is_required, instructions, max_chars }, options) => {
      const question = {
        question_text: QUESTION_TEXT,
        question_type: 'text_input',
        instructions,
        required: is_required,
        max_allowed_characters: max_chars,
      };
      return call(
        OPERATIONS.updateListingPersonalization,
        {
          shop,
          path: { shop_id: shop.shop_id, listing_id },
          // Without it a listing that has several questions answers 409.
          query: { supports_multiple_personalization_questions: true },
          body: buildJsonBody({ personalization_questions: [question] }),
        },
        () => undefined,
        options,
      );
    },
  };
}
