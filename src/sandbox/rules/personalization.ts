import { countCharacters } from '../requests/fields.js';
import { INVENTED, VERBATIM_WITH } from '../requests/messages.js';
import { buildRefusal } from '../requests/refusal.js';
import type { Question, QuestionType } from '../store/attachments.js';
import type { Database } from '../store/database.js';
import { takeId } from '../store/sequences.js';

const QUESTION_TYPES = ['text_input', 'dropdown', 'unlabeled_upload', 'labeled_upload'] as const;
const MOST = {
  questions: 5,
  text: 45,
  instructions: 120,
  characters: 1024,
  files: 10,
  options: 30,
  dropdown_label: 20,
  upload_label: 45,
} as const;

/** A question as sent: it has ids only if the question or option already exists. */
type SentQuestion = Omit<Question, 'question_id' | 'options'> & {
  question_id: number | null;
  options: { option_id: number | null; label: string }[] | null;
};

/**
 * Checks a personalization body. A caller that does not declare support for several questions may send one
 * text question only, and may not replace questions that it could not have shown its user.
 */
export function parseQuestions(
  body: unknown,
  existing: readonly Question[],
  canBeSeveral: boolean,
): SentQuestion[] {
  const list = isRecord(body) ? body.personalization_questions : undefined;
  if (!Array.isArray(list)) throw buildRefusal(400, VERBATIM_WITH.missingInput('personalization_questions'));
  if (list.length < 1 || list.length > MOST.questions) {
    throw refuse(`There must be 1 to ${MOST.questions} personalization_questions.`);
  }
  const questions = list.map((value: unknown) => parseQuestion(value));
  if (!canBeSeveral) {
    if (!isSimple(existing)) throw buildRefusal(409, INVENTED.personalization_would_delete);
    if (!isSimple(questions)) {
      throw refuse('Several questions, or other types than text_input, need the query parameter for them.');
    }
  }
  const uploads = questions.filter((question) => question.question_type.endsWith('upload'));
  if (uploads.length > 1) throw refuse('Only one question can be an upload.');
  const unknown = questions.find(
    ({ question_id }) => question_id !== null && !existing.some((known) => known.question_id === question_id),
  );
  if (unknown) throw refuse(`The question_id ${unknown.question_id} does not belong to this listing.`);
  return questions;
}

/** The questions as stored: existing ones keep their ids. */
export function toQuestion(db: Database, sent: SentQuestion): Question {
  return {
    ...sent,
    question_id: sent.question_id ?? takeId(db, 'question'),
    options:
      sent.options?.map((option) => ({
        option_id: option.option_id ?? takeId(db, 'option'),
        label: option.label,
      })) ?? null,
  };
}

/** Whether callers of the older form, with one text question, can show and send these. */
function isSimple(questions: readonly { question_type: QuestionType }[]): boolean {
  return questions.length <= 1 && questions.every((question) => question.question_type === 'text_input');
}

function parseQuestion(value: unknown): SentQuestion {
  if (!isRecord(value)) throw refuse('A question must be an object.');
  const question_type = QUESTION_TYPES.find((type) => type === value.question_type);
  if (!question_type) throw refuse(`question_type must be one of ${QUESTION_TYPES.join(', ')}.`);
  if (typeof value.required !== 'boolean') throw refuse('required must be a boolean.');
  const question_text = typeof value.question_text === 'string' ? value.question_text : '';
  if (!isWithin(question_text, 1, MOST.text) || !startsWell(question_text)) {
    throw refuse(`question_text has 1 to ${MOST.text} characters and begins with a letter or a digit.`);
  }
  const options = parseOptions(value.options, question_type);
  return {
    question_id: parseOptionalInteger(value.question_id, 'question_id'),
    question_text,
    instructions: parseInstructions(value.instructions, question_type),
    question_type,
    required: value.required,
    max_allowed_characters: parseMaxCharacters(value.max_allowed_characters, question_type),
    max_allowed_files: parseMaxFiles(value.max_allowed_files, question_type, options?.length ?? 0),
    add_on_price_amount: parseAddOn(value.add_on_price, question_type, value.required),
    options,
  };
}

function parseInstructions(value: unknown, type: QuestionType): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') throw refuse('instructions must be a string.');
  if (type === 'dropdown') throw refuse('A dropdown question has no instructions.');
  if (!isWithin(value, 1, MOST.instructions) || !startsWell(value)) {
    throw refuse(
      `instructions have at most ${MOST.instructions} characters and begin with a letter or a digit.`,
    );
  }
  if (isShouted(value)) {
    throw refuse('instructions must not have three words in capitals in a row.');
  }
  return value;
}

function parseMaxCharacters(value: unknown, type: QuestionType): number | null {
  const most = parseOptionalInteger(value, 'max_allowed_characters');
  if (type !== 'text_input') {
    if (most !== null) throw refuse('max_allowed_characters is for text_input only.');
    return null;
  }
  if (most === null || most < 1 || most > MOST.characters) {
    throw refuse(`A text_input needs max_allowed_characters of 1 to ${MOST.characters}.`);
  }
  return most;
}

function parseMaxFiles(value: unknown, type: QuestionType, option_count: number): number | null {
  const most = parseOptionalInteger(value, 'max_allowed_files');
  if (!type.endsWith('upload')) {
    if (most !== null) throw refuse('max_allowed_files is for uploads only.');
    return null;
  }
  if (most === null || most < 1 || most > MOST.files) {
    throw refuse(`An upload needs max_allowed_files of 1 to ${MOST.files}.`);
  }
  if (type === 'labeled_upload' && (most < 2 || most !== option_count)) {
    throw refuse('A labeled_upload has at least 2 files, and as many options as files.');
  }
  return most;
}

function parseAddOn(value: unknown, type: QuestionType, isRequired: boolean): number | null {
  if (value === undefined || value === null || value === 0) return null;
  if (typeof value !== 'number' || value < 0) throw refuse('add_on_price must be a positive number.');
  if (type !== 'text_input' || isRequired) {
    throw refuse('add_on_price is for text_input questions that are not required.');
  }
  return Math.round(value * 100);
}

function parseOptions(value: unknown, type: QuestionType): SentQuestion['options'] {
  const isWanted = type === 'dropdown' || type === 'labeled_upload';
  if (!isWanted) {
    if (value !== undefined && value !== null) throw refuse(`A ${type} question has no options.`);
    return null;
  }
  if (!Array.isArray(value) || value.length < 1 || value.length > MOST.options) {
    throw refuse(`A ${type} question has 1 to ${MOST.options} options.`);
  }
  const longest = type === 'dropdown' ? MOST.dropdown_label : MOST.upload_label;
  const options = value.map((option: unknown) => {
    if (!isRecord(option) || typeof option.label !== 'string' || !isWithin(option.label, 1, longest)) {
      throw refuse(`An option has a label of 1 to ${longest} characters.`);
    }
    return { option_id: parseOptionalInteger(option.option_id, 'option_id'), label: option.label };
  });
  if (new Set(options.map((option) => option.label)).size !== options.length) {
    throw refuse('The labels of options must be unique.');
  }
  return options;
}

function parseOptionalInteger(value: unknown, name: string): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw refuse(`${name} must be an integer.`);
}

function isWithin(text: string, least: number, most: number): boolean {
  const length = countCharacters(text);
  return length >= least && length <= most;
}

/** Three words in capitals in a row; a single letter does not count. */
function isShouted(text: string): boolean {
  let in_a_row = 0;
  for (const [word] of text.matchAll(/\p{L}[\p{L}\p{M}'’]*/gu)) {
    const letters = word.match(/\p{L}/gu) ?? [];
    const isCapital = letters.length > 1 && letters.every((letter) => /\p{Lu}/u.test(letter));
    in_a_row = isCapital ? in_a_row + 1 : 0;
    if (in_a_row === 3) return true;
  }
  return false;
}

function startsWell(text: string): boolean {
  return /^[\p{L}\p{Nd}]/u.test(text);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuse(message: string) {
  return buildRefusal(400, message);
}
