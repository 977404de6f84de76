import type { CategoryMatch } from '../../../schemas/category.js';
import type { Category } from '../ports/index.js';
import { normalize } from '../text/normalize.js';

/** Words that do not describe a product. */
const FILLERS = new Set(['a', 'an', 'and', 'for', 'in', 'of', 'or', 'the', 'to', 'with']);
/** Shorter beginnings match too much. */
const MIN_PREFIX = 3;

/**
 * How well a category matches a word: its own name counts more than the names above it, a whole word more than the beginning
 * of one.
 */
const STRENGTH = { own_word: 8, own_prefix: 5, path_word: 2, path_prefix: 1, nowhere: 0 };

/** A category with its words as the search compares them. */
type Entry = { category: Category; name: string; words: string[]; own: string[]; path: string[] };

/**
 * Categories for a few words, best first: those that match more of the words, match the rarer ones, have exactly that name,
 * or can be listed in (a leaf). Capitals, accents, hyphens, and singular or plural make no difference; a number is an id.
 */
export function searchCategories(
  tree: readonly Category[],
  keywords: string,
): { total: number; list(limit: number): CategoryMatch[] } {
  const entries = tree.map(toEntry);
  const wanted = [...new Set(toWords(keywords))];
  const grades = entries.map((entry) => wanted.map((word) => grade(entry, word)));
  const weights = wanted.map((_word, at) => weigh(grades, at));
  const found = entries.flatMap((entry, at) => {
    const own = grades[at] ?? [];
    const isId = String(entry.category.category_id) === keywords.trim();
    const hits = own.filter((strength) => strength > 0).length;
    if (hits === 0 && !isId) return [];
    const sum = own.reduce((total, strength, index) => total + strength * (weights[index] ?? 0), 0);
    return [{ entry, is_id: isId, score: sum * (hits / wanted.length), fit: fitName(entry, wanted) }];
  });
  found.sort(
    (a, b) =>
      Number(b.is_id) - Number(a.is_id) ||
      b.score - a.score ||
      b.fit - a.fit ||
      Number(b.entry.category.is_leaf) - Number(a.entry.category.is_leaf) ||
      a.entry.category.full_path.length - b.entry.category.full_path.length,
  );
  return {
    total: found.length,
    list: (limit) => found.slice(0, limit).map(({ entry }) => toMatch(entry.category)),
  };
}

function toMatch({ category_id, name, full_path, is_leaf }: Category): CategoryMatch {
  return { category_id, name, full_path: full_path.join(' > '), is_leaf };
}

function toEntry(category: Category): Entry {
  const words = toWords(category.name);
  return {
    category,
    name: words.join(' '),
    words,
    own: withJoined(words),
    path: category.full_path.slice(0, -1).flatMap((name) => withJoined(toWords(name))),
  };
}

/** Adds neighboring words joined as one: `tshirt` matches T-shirts. */
function withJoined(words: readonly string[]): string[] {
  return [...words, ...words.slice(1).map((word, at) => `${words[at] ?? ''}${word}`)];
}

function grade({ own, path }: Entry, word: string): number {
  if (own.includes(word)) return STRENGTH.own_word;
  const begins = (other: string) => word.length >= MIN_PREFIX && other.startsWith(word);
  if (own.some(begins)) return STRENGTH.own_prefix;
  if (path.includes(word)) return STRENGTH.path_word;
  return path.some(begins) ? STRENGTH.path_prefix : STRENGTH.nowhere;
}

/** A word that few categories have weighs more than one that many have. */
function weigh(grades: readonly number[][], at: number): number {
  const having = grades.filter((own) => (own[at] ?? 0) > 0).length;
  return Math.log(1 + grades.length / (1 + having));
}

/** The share of the category's own name that the words cover; above 1 if the name equals all of the words. */
function fitName({ name, words }: Entry, wanted: readonly string[]): number {
  if (name === wanted.join(' ')) return 2;
  return words.filter((word) => wanted.includes(word)).length / Math.max(1, words.length);
}

/** Lower case without accents, in the singular. */
function toWords(text: string): string[] {
  const plain = normalize(text, 'NFKD')
    .replaceAll(/[\p{M}'’]/gu, '')
    .toLowerCase();
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !FILLERS.has(word)).map(toSingular);
}

function toSingular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:ar|ea|el|oa)ves$/.test(word)) return `${word.slice(0, -3)}f`;
  if (/(?:ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}
