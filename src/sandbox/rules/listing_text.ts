import { VERBATIM } from '../requests/messages.js';
import { buildFieldRefusal } from '../requests/refusal.js';
import type { FieldIssue } from '../requests/refusal.js';
import { countCharacters } from '../requests/fields.js';
import { MOST, ONCE_IN_TITLE, REFUSED } from './choices.js';

type ListingTexts = {
  title?: string | undefined;
  description?: string | undefined;
  tags?: readonly string[] | undefined;
  materials?: readonly string[] | undefined;
  styles?: readonly string[] | undefined;
};

/** Refuses all invalid texts at once, in the array shape. Lengths are code points. */
export function checkListingTexts(texts: ListingTexts): void {
  const issues = [
    ...findTitleIssues(texts.title),
    ...(texts.description?.trim() === '' ? [tooShort('/description')] : []),
    ...findListIssues('/tags', texts.tags, REFUSED.tag, MOST.tag, MOST.tags),
    ...findTagStartIssues(texts.tags),
    ...findListIssues('/materials', texts.materials, REFUSED.word, undefined, undefined),
    ...findListIssues('/styles', texts.styles, REFUSED.word, MOST.style, MOST.styles),
  ];
  if (issues.length > 0) throw buildFieldRefusal(issues);
}

/** If a set of images is given, it must not be empty. */
export function checkImageCount(image_ids: readonly number[] | undefined): void {
  if (image_ids === undefined) return;
  if (image_ids.length === 0) throw buildFieldRefusal([NO_IMAGES]);
  if (image_ids.length > MOST.images) throw buildFieldRefusal([tooMany('/images', MOST.images)]);
}

export const MAX_IMAGES = MOST.images;

export const NO_IMAGES: FieldIssue = {
  path: '/images',
  type: 'array_too_short',
  message: VERBATIM.too_few_items,
};

function findTitleIssues(title: string | undefined): FieldIssue[] {
  if (title === undefined) return [];
  if (title.trim() === '') return [tooShort('/title')];
  const repeated = ONCE_IN_TITLE.filter((character) => title.split(character).length > 2);
  return [
    ...(countCharacters(title) > MOST.title ? [tooLong('/title', MOST.title)] : []),
    ...(REFUSED.title.test(title) ? [invalidCharacters('/title')] : []),
    ...repeated.map((character) => ({
      path: '/title',
      type: 'repeated_character',
      message: `can contain ${character} only once`,
    })),
  ];
}

function findListIssues(
  path: string,
  items: readonly string[] | undefined,
  refused: RegExp,
  longest: number | undefined,
  most: number | undefined,
): FieldIssue[] {
  if (items === undefined) return [];
  return [
    ...(most !== undefined && items.length > most ? [tooMany(path, most)] : []),
    ...(items.some((item) => refused.test(item)) ? [invalidCharacters(path)] : []),
    ...(items.some((item) => item === '') ? [tooShort(path)] : []),
    ...(longest !== undefined && items.some((item) => countCharacters(item) > longest)
      ? [tooLong(path, longest)]
      : []),
  ];
}

function findTagStartIssues(tags: readonly string[] | undefined): FieldIssue[] {
  return tags?.some((tag) => /^['-]/.test(tag)) ? [invalidCharacters('/tags')] : [];
}

const invalidCharacters = (path: string): FieldIssue => ({
  path,
  type: 'invalid_characters',
  message: VERBATIM.invalid_characters,
});
const tooShort = (path: string): FieldIssue => ({
  path,
  type: 'string_too_short',
  message: 'cannot be empty',
});
const tooLong = (path: string, most: number): FieldIssue => ({
  path,
  type: 'string_too_long',
  message: `cannot be more than ${most} characters`,
});
const tooMany = (path: string, most: number): FieldIssue => ({
  path,
  type: 'array_too_long',
  message: `cannot be more than ${most} items`,
});
