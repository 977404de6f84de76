import { normalize } from '../../text/normalize.js';

/** Longer keys are not compared; no key of the API comes near this length. */
const MAX_CHARS = 64;

/* Keys are compared after `toPlain`. Normalize each key once: it costs more than a comparison. */

/** Replaces full-width letters, which some input methods produce, with plain ones. Returns a longer key unchanged. */
export function toPlain(key: string): string {
  return key.length > MAX_CHARS ? key : normalize(key, 'NFKC');
}

/**
 * Whether the keys differ by at most one inserted, deleted or substituted letter, or by two swapped ones. Ignores case
 * and separators.
 */
export function isOneTypoAway(key: string, candidate: string): boolean {
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

/** Whether one key contains every word of the other (`weight`, `item_weight`); singular and plural are equal. */
export function hasSameWords(key: string, candidate: string): boolean {
  if (Math.max(key.length, candidate.length) > MAX_CHARS) return false;
  const [a, b] = [listWords(key), listWords(candidate)];
  if (a.length === 0) return false;
  return a.every((word) => b.includes(word)) || b.every((word) => a.includes(word));
}

/** The number of words that both have; singular and plural are equal. Zero for a key longer than MAX_CHARS. */
export function countSharedWords(key: string, candidate: string): number {
  if (Math.max(key.length, candidate.length) > MAX_CHARS) return 0;
  const words = listWords(key);
  return listWords(candidate).filter((word) => words.includes(word)).length;
}

/**
 * `is_dry_run` for `dry_run`: all words of the candidate and more. Not for candidates of one word, since too many keys
 * contain it.
 */
export function addsWords(key: string, candidate: string): boolean {
  const count = listWords(candidate).length;
  return count > 1 && countSharedWords(key, candidate) === count;
}

/**
 * In the API's own style: `isPrimary` and `is-primary` become `is_primary`. Returns a key longer than MAX_CHARS unchanged.
 */
export function toSnakeCase(key: string): string {
  return key.length > MAX_CHARS ? key : splitWords(key).join('_');
}

function listWords(key: string): string[] {
  return splitWords(key).map((word) => word.replace(/s$/, ''));
}

/** The same for `image_urls`, `image-urls` and `imageUrls`. */
function splitWords(key: string): string[] {
  return key
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_\s-]+/)
    .filter((word) => word !== '');
}
