import type { ListingQuestion } from '../../ports/index.js';
import { toCallFailed, UPDATE } from '../engine/failures.js';
import { getListingId, type Context } from '../engine/context.js';
import { expectTolerable } from '../engine/policy.js';
import { readToCompare, readToWrite } from '../engine/read.js';
import type { Write } from '../engine/step.js';
import { keepKnown, write } from '../engine/write.js';

/** Personalization: all questions to buyers in one write. */
export const questionsStep: Write = {
  isOpen: (cx) => !isAsWanted(cx),
  async run(cx) {
    const { ports, shop, target, schedule } = cx;
    const { questions = [], attributes = [] } = target;
    const listing_id = getListingId(cx);
    const { marketplace } = ports;
    await schedule.wait(attributes.length);
    try {
      await write(
        cx,
        ['questions', 'listing'],
        (options) =>
          questions.length > 0
            ? marketplace.updateQuestions(shop, listing_id, keepIds(cx, questions), options)
            : marketplace.deletePersonalization(shop, listing_id, options),
        readToCompare(cx, ['listing', 'questions'], () => isAsWanted(cx)),
        () => readToWrite(cx, ['listing', 'questions'], 'questions'),
      );
    } catch (cause) {
      const refusal = expectTolerable(cx, cause);
      // Without the answer, a sold product could not be made.
      const isRequired = questions.some(({ required }) => required);
      const reason = toCallFailed('personalization', refusal, isRequired ? undefined : UPDATE);
      return {
        warnings: [{ code: 'personalization_failed', fields: ['personalization'], reason }],
        ...(isRequired && { missing: { error: reason, marketplace_status: refusal.status } }),
      };
    }
    keepKnown(cx, { questions });
    cx.report(questions.length > 0 ? 'personalization' : 'personalization removed');
    return {};
  },
};

function isAsWanted(cx: Context): boolean {
  const { questions } = cx.target;
  if (!questions) return true;
  const known = (cx.fresh.questions ?? []).map(toKey);
  return JSON.stringify(questions.map(toKey)) === JSON.stringify(known);
}

/** Sends a question the listing no longer has as a new one. */
function keepIds({ fresh }: Context, questions: readonly ListingQuestion[]): ListingQuestion[] {
  const known = new Set(fresh.questions?.map(({ question_id }) => question_id));
  const options = new Set(fresh.questions?.flatMap((question) => question.options.map((o) => o.option_id)));
  return questions.map((question) => ({
    ...question,
    question_id: known.has(question.question_id) ? question.question_id : null,
    options: question.options.map((option) => ({
      ...option,
      option_id: options.has(option.option_id) ? option.option_id : null,
    })),
  }));
}

function toKey(question: ListingQuestion): unknown {
  const { question_type, question_text, instructions, required, options } = question;
  const { max_allowed_characters, max_allowed_files, add_on_price } = question;
  const labels = options.map(({ label }) => label);
  const price = add_on_price === null ? null : Math.round(add_on_price * 100);
  const numbers = [max_allowed_characters, max_allowed_files, price];
  return [question_type, question_text, instructions ?? '', required, labels, ...numbers];
}
