import type { ListingQuestion } from '../../../../ports/index.js';
import { getTarget, writeOnce, type Changing, type ChangeStep } from '../changing.js';
import { expectNoDrift } from '../drift_check.js';
import { readParts } from '../read.js';

/** Personalization: all questions to buyers in one write. */
export const questionsStep: ChangeStep = {
  name: 'questions',
  isNeeded: (changing) => !isAsWanted(changing),
  async run(changing) {
    const { ports, shop, update } = changing;
    const { questions = [] } = getTarget(changing);
    const { listing_id } = update;
    const { marketplace } = ports;
    await writeOnce(
      changing,
      ['questions', 'listing'],
      (options) =>
        questions.length > 0
          ? marketplace.updateQuestions(shop, listing_id, keepIds(changing, questions), options)
          : marketplace.deletePersonalization(shop, listing_id, options),
      async () => {
        await readParts(changing, ['listing', 'questions']);
        return isAsWanted(changing);
      },
      async () => {
        await readParts(changing, ['listing', 'questions']);
        expectNoDrift(changing, { questions: changing.fresh.questions });
      },
    );
    changing.fresh = { ...changing.fresh, questions };
    changing.report(questions.length > 0 ? 'personalization' : 'personalization removed');
  },
};

function isAsWanted(changing: Changing): boolean {
  const { questions } = getTarget(changing);
  if (!questions) return true;
  const known = (changing.fresh.questions ?? []).map(toKey);
  return JSON.stringify(questions.map(toKey)) === JSON.stringify(known);
}

/** A question that the listing does not have any more is sent as a new one. */
function keepIds({ fresh }: Changing, questions: readonly ListingQuestion[]): ListingQuestion[] {
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
