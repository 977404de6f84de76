import {
  MarketplaceError,
  type ListingQuestion,
  type PersonalizationQuestion,
} from '../../../ports/index.js';
import { QUESTION_TEXT } from '../../snapshot/compare_words.js';
import { describeFailure, toStepError, isCutOff, writeRepeatably } from './attempt.js';
import { getListingId, type Step } from './step.js';

/** The one question a buyer is asked; the write replaces what was there, so it may be repeated. */
export const personalizationStep: Step = {
  name: 'personalization',
  needs: ['create', 'files'],
  isNeeded: (plan) => plan.personalization !== undefined,
  listLeft: () => ['personalization'],
  async run(publishing) {
    const { plan, shop, ports, schedule } = publishing;
    const question = plan.personalization;
    if (!question) return {};
    await schedule.wait(plan.attributes.length);
    try {
      await writeRepeatably(publishing, () =>
        ports.marketplace.updateQuestions(shop, getListingId(publishing), [toQuestion(question)]),
      );
      publishing.report('personalization');
      return {};
    } catch (cause) {
      if (!(cause instanceof MarketplaceError) || isCutOff(cause)) {
        throw toStepError(cause, 'Personalization could not be set');
      }
      const again = question.is_required ? 'listing_publish' : 'listing_update';
      const reason = `Personalization could not be set: ${describeFailure(cause, again)}`;
      const warnings = [
        { code: 'personalization_failed', fields: ['personalization'], reason: `${reason}.` },
      ];
      // Sold without the answer, the product could not be made.
      return question.is_required
        ? { warnings, missing: { error: reason, marketplace_status: cause.status } }
        : { warnings };
    }
  },
};

function toQuestion({ is_required, instructions, max_chars }: PersonalizationQuestion): ListingQuestion {
  return {
    question_id: null,
    question_type: 'text_input',
    question_text: QUESTION_TEXT,
    instructions,
    required: is_required,
    max_allowed_characters: max_chars,
    max_allowed_files: null,
    options: [],
    add_on_price: null,
  };
}
