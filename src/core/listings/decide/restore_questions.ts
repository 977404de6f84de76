import type { ListingQuestion } from '../../ports/marketplace_listing.js';
import { foldValue } from '../rules/text.js';
import { isRelated } from '../snapshot/field_refs.js';
import { compareQuestions } from '../snapshot/compare_words.js';
import { isSameValue } from '../snapshot/difference.js';
import type { FieldDifference } from '../../../../schemas/field_ref.js';

const FIELDS = [
  'instructions',
  'required',
  'max_allowed_characters',
  'max_allowed_files',
  'options',
  'add_on_price',
] as const;
type Field = (typeof FIELDS)[number];

/**
 * The current questions to buyers, with the job's changes reverted: removes the job's own questions, appends those
 * it removed after the others, and restores the values of those it changed.
 * @returns `drift`: questions the job changed and others have changed since
 */
export function restoreQuestions(
  before: readonly ListingQuestion[],
  after: readonly ListingQuestion[],
  fresh: readonly ListingQuestion[],
): { questions: ListingQuestion[]; drift: FieldDifference[] } {
  const [was, became, is] = [index(before), index(after), index(fresh)];
  const drift: FieldDifference[] = [];
  for (const key of new Set([...was.keys(), ...became.keys()])) {
    const [had, then, now] = [was.get(key), became.get(key), is.get(key)];
    if (isMoved(had, then, now)) drift.push(...describe(had, then, now, [...is.keys()].indexOf(key)));
  }
  const kept = [...is].flatMap(([key, now]) => {
    const [had, then] = [was.get(key), became.get(key)];
    if (!then) return [now];
    if (!had) return [];
    const back = listChanged(had, then);
    return [{ ...now, ...Object.fromEntries(back.map((field) => [field, had[field]])) }];
  });
  const gone = [...was].flatMap(([key, had]) => (became.has(key) || is.has(key) ? [] : [had]));
  return { questions: [...kept, ...gone], drift };
}

/** By kind and title, numbered if several share one: a write may change the ids. */
function index(questions: readonly ListingQuestion[]): Map<string, ListingQuestion> {
  const found = new Map<string, ListingQuestion>();
  for (const question of questions) {
    const title = foldValue(question.question_text);
    for (let count = 1; ; count += 1) {
      const key = `${question.question_type} ${count} ${title}`;
      if (found.has(key)) continue;
      found.set(key, question);
      break;
    }
  }
  return found;
}

/**
 * Whether the job changed the question, and a changed field matches neither the job's value nor the one before it.
 */
function isMoved(
  had: ListingQuestion | undefined,
  then: ListingQuestion | undefined,
  now: ListingQuestion | undefined,
): boolean {
  if (!had || !then) {
    const isAs = (other: ListingQuestion | undefined) =>
      now && other ? listChanged(now, other).length === 0 : now === other;
    return !isAs(had) && !isAs(then);
  }
  const changed = listChanged(had, then);
  if (!now) return changed.length > 0;
  const moved = listChanged(then, now);
  const open = listChanged(had, now);
  return changed.some((field) => moved.includes(field) && open.includes(field));
}

function listChanged(a: ListingQuestion, b: ListingQuestion): Field[] {
  return FIELDS.filter((field) => !isSameValue(read(a, field), read(b, field)));
}

/** Compares options by label: a write changes their ids. */
function read(question: ListingQuestion, field: Field): unknown {
  return field === 'options' ? question.options.map(({ label }) => label) : question[field];
}

/** The differences of one question between the end of the job and now, in fields the job changed. */
function describe(
  had: ListingQuestion | undefined,
  then: ListingQuestion | undefined,
  now: ListingQuestion | undefined,
  position: number,
): FieldDifference[] {
  const [was, became, is] = [had, then, now].map((one) => (one ? [one] : []));
  const changed = compareQuestions(was ?? [], became ?? []);
  const moved = compareQuestions(became ?? [], is ?? []);
  const related = moved.filter(({ ref }) => changed.some((change) => isRelated(change.ref, ref)));
  // A question that a request can no longer express is shown whole.
  return (related.length > 0 ? related : moved).map((difference) => ({
    ...difference,
    ref: { ...difference.ref, position: Math.max(0, position) },
  }));
}
