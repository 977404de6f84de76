import type { ListingQuestion, ListingTranslation } from '../../ports/marketplace_listing.js';
import { isSameValue } from './difference.js';
import type { FieldDifference } from '../../../../schemas/field_ref.js';

export function compareTranslations(
  before: readonly ListingTranslation[],
  after: readonly ListingTranslation[],
): FieldDifference[] {
  const languages = new Set([...before, ...after].map(({ language }) => language));
  return [...languages].flatMap((language) => {
    const [a, b] = [before, after].map((all) => all.find((one) => one.language === language));
    return (['title', 'description', 'tags'] as const)
      .filter((field) => !isSameValue(a?.[field], b?.[field]))
      .map((field) => ({
        ref: { part: 'translations', language, field },
        before: a?.[field] ?? null,
        after: b?.[field] ?? null,
        kind: 'set',
      }));
  });
}

/**
 * Compares personalization in the request's form if that can express the questions (one text question), otherwise
 * question by question.
 */
export function compareQuestions(
  before: readonly ListingQuestion[],
  after: readonly ListingQuestion[],
): FieldDifference[] {
  if ([...before, ...after].every(isPlain) && before.length <= 1 && after.length <= 1) {
    const [a, b] = [toForm(before[0]), toForm(after[0])];
    return (['enabled', 'is_required', 'instructions', 'max_chars'] as const)
      .filter((field) => !isSameValue(a[field], b[field]))
      .map((field) => ({
        ref: { part: 'questions', position: 0, field },
        before: a[field],
        after: b[field],
        kind: 'set',
      }));
  }
  return Array.from({ length: Math.max(before.length, after.length) }).flatMap(
    (_, index): FieldDifference[] => {
      const [a, b] = [describe(before[index]), describe(after[index])];
      return isSameValue(a, b)
        ? []
        : [{ ref: { part: 'questions', position: index }, before: a, after: b, kind: 'set' }];
    },
  );
}

/** The title that buyers see above the field if the seller gives only instructions. */
export const QUESTION_TEXT = 'Personalization';

/** The question of a request that gives nothing about it. */
export const PLAIN_QUESTION: ListingQuestion = {
  question_id: null,
  question_type: 'text_input',
  question_text: QUESTION_TEXT,
  instructions: null,
  required: false,
  max_allowed_characters: 256,
  max_allowed_files: null,
  options: [],
  add_on_price: null,
};

/** Whether a request can express the question: text, with the usual title, for free. */
export function isPlain({ question_type, question_text, add_on_price }: ListingQuestion): boolean {
  return question_type === 'text_input' && question_text === QUESTION_TEXT && add_on_price === null;
}

function toForm(question: ListingQuestion | undefined) {
  return {
    enabled: question !== undefined,
    is_required: question?.required ?? null,
    instructions: question?.instructions ?? null,
    max_chars: question?.max_allowed_characters ?? null,
  };
}

/** Everything except the ids, which a write may change. */
function describe(question: ListingQuestion | undefined) {
  if (!question) return null;
  const { question_id: _id, options, ...rest } = question;
  return { ...rest, options: options.map(({ label }) => label) };
}
