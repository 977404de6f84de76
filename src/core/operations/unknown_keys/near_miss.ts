import { normalize } from '../../text/normalize.js';

/** The longest key that is compared, or compared with; no key of the interface comes near it. */
const MAX_CHARS = 64;

/*
 * Keys are compared after `toPlain`. It is called once for each key: it takes more steps than one comparison does.
 */

/** Letters of full width, as some keyboards write them, as their plain ones. What is longer than any stays as it is. */
export function toPlain(key: string): string {
  return key.length > MAX_CHARS ? key : normalize(key, 'NFKC');
}

/** One letter too many, missing, wrong, or two changed over; case and separators do not count. */
export function isOneSlipAway(key: string, candidate: string): boolean {
  if (Math.max(key.length, candidate.length) > MAX_CHARS) return false;
  const a = key.toLowerCase().replace(/[_\s-]/g, '');
  const b = candidate.toLowerCase().replace(/[_\s-]/g, '');
  if (a === b) return true;
  if (b.length < 4 || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  const restA = a.slice(start);
  const restB = b.slice(start);
  const isSwapped = restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
  return (
    restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1) || isSwapped
  );
}

/** `image_urls` for `images`, `weight` for `item_weight`: one has all words of the other; singular and plural are one. */
export function hasSameWords(key: string, candidate: string): boolean {
  if (Math.max(key.length, candidate.length) > MAX_CHARS) return false;
  const [a, b] = [listWords(key), listWords(candidate)];
  if (a.length === 0) return false;
  return a.every((word) => b.includes(word)) || b.every((word) => a.includes(word));
}

/** How many words of one the other has too; singular and plural are one. Zero for a key that is longer than any. */
export function countSharedWords(key: string, candidate: string): number {
  if (Math.max(key.length, candidate.length) > MAX_CHARS) return 0;
  const words = listWords(key);
  return listWords(candidate).filter((word) => words.includes(word)).length;
}

/** `is_dry_run` for `dry_run`: all words of the candidate and others; of one word, too much has it. */
export function addsWords(key: string, candidate: string): boolean {
  const count = listWords(candidate).length;
  return count > 1 && countSharedWords(key, candidate) === count;
}

/** As the interface writes its own: `isPrimary` and `is-primary` as `is_primary`. What is longer than any stays as it is. */
export function toSnakeCase(key: string): string {
  return key.length > MAX_CHARS ? key : splitWords(key).join('_');
}

function listWords(key: string): string[] {
  return splitWords(key).map((word) => word.replace(/s$/, ''));
}

/** Of `image_urls`, `image-urls` and `imageUrls` alike. */
function splitWords(key: string): string[] {
  return key
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_\s-]+/)
    .filter((word) => word !== '');
}
