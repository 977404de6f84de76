import { isObject } from '../incoming.js';

const LONG_CHARS = 300;
const START_CHARS = 80;
const CHANGED_CHARS = 200;

/** The two values of a difference: of an update, and of an edit on the marketplace. */
const SIDES = [
  ['before', 'after'],
  ['ours', 'theirs'],
] as const;

/** Whether it is a difference with a text too long to repeat. */
export function isLongDifference(value: unknown): value is Record<string, unknown> {
  return isObject(value) && SIDES.flat().some((name) => isLong(value[name]));
}

/** The difference with excerpts of its long texts: how each begins, the part that is not in the other, and its length. */
export function excerpt(difference: Record<string, unknown>): Record<string, unknown> {
  const excerpted = { ...difference };
  for (const [one, other] of SIDES) {
    const [left, right] = [difference[one], difference[other]];
    if (isLong(left)) excerpted[one] = excerptText(left, right);
    if (isLong(right)) excerpted[other] = excerptText(right, left);
  }
  return excerpted;
}

function isLong(value: unknown): value is string {
  return typeof value === 'string' && value.length > LONG_CHARS;
}

function excerptText(text: string, other: unknown) {
  return {
    start: text.slice(0, START_CHARS),
    changed: findChanged(text, typeof other === 'string' ? other : '').slice(0, CHANGED_CHARS),
    length: text.length,
  };
}

/** The text without what it has in common with the other at both ends. */
function findChanged(text: string, other: string): string {
  const shorter = Math.min(text.length, other.length);
  let before = 0;
  while (before < shorter && text[before] === other[before]) before += 1;
  let after = 0;
  while (after < shorter - before && text.at(-1 - after) === other.at(-1 - after)) after += 1;
  return text.slice(before, text.length - after);
}
