import { marked, type Token } from 'marked';
import { ERRORS } from '../../../core/errors.js';
import type { Operation } from '../../../core/operations/operation.js';
import type { ErrorCode } from '../../../../schemas/error.js';
import { ERRORS_EXPLAINED } from '../../errors_explained.js';
import type { EventDescription } from '../../events.js';
import { buildAnswerSchema, buildInputSchema } from '../../json_schema.js';
import { listFields } from './fields.js';
import type { Guide } from './guides.js';
import { toAnchor } from './markdown.js';
import { linkTo, nameOperationPage } from './place.js';

/** A search result: a page, or a part of one. */
export type Entry = {
  title: string;
  /** The page that it is part of, or its kind. */
  within: string;
  href: string;
  /** Names that a reader may search for, in addition to the title. */
  names: readonly string[];
  text: string;
};

export type Found = Omit<Entry, 'names' | 'text'> & {
  /** The text around the first of the words. */
  excerpt: string;
};

type Documents = {
  operations: readonly Operation[];
  events: readonly EventDescription[];
  guides: readonly Guide[];
};

/** All of the documentation, part by part, in the order of equally good results. */
export function listEntries({ operations, events, guides }: Documents): Entry[] {
  return [
    ...operations.map(toOperationEntry),
    ...events.map(({ type, when, body }) => ({
      title: type,
      within: 'Event',
      href: `${linkTo('served', 'events')}#${type}`,
      names: [],
      text: `${when} ${describeFields(body)}`,
    })),
    ...(Object.keys(ERRORS) as ErrorCode[]).map((code) => ({
      title: code,
      within: 'Error code',
      href: `${linkTo('served', 'reference')}#${code}`,
      names: [],
      text: `${ERRORS_EXPLAINED[code].when} ${ERRORS[code].hint}`,
    })),
    ...guides.flatMap(listSections),
  ];
}

function toOperationEntry(operation: Operation): Entry {
  const { id, title, description, route } = operation;
  const input = describeFields(buildInputSchema(operation));
  return {
    title,
    within: `Operation ${id}`,
    href: linkTo('served', nameOperationPage(id)),
    names: [id, `${route.method} ${route.path}`],
    text: `${description} ${input} ${describeFields(buildAnswerSchema(operation))}`,
  };
}

function describeFields(schema: Parameters<typeof listFields>[0]): string {
  return listFields(schema)
    .map(({ path, description }) => `${path}: ${description}`)
    .join(' ');
}

/** A guide, split at its headings, without its code samples. */
function listSections({ name, title, markdown }: Guide): Entry[] {
  const page = linkTo('served', name);
  const sections: { title: string; href: string; texts: string[] }[] = [{ title, href: page, texts: [] }];
  for (const token of marked.lexer(markdown)) {
    if (token.type === 'heading' && token['depth'] > 1) {
      const heading = String(token['text']);
      sections.push({ title: heading, href: `${page}#${toAnchor(heading)}`, texts: [] });
    } else if (token.type !== 'heading' && token.type !== 'code') sections.at(-1)?.texts.push(toPlain(token));
  }
  return sections.map((section) => ({
    title: section.title.replaceAll('`', ''),
    within: `Guide ${title}`,
    href: section.href,
    names: [],
    text: section.texts.join(' '),
  }));
}

/** Without Markdown syntax. */
function toPlain({ raw }: Token): string {
  return raw
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|]|-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

const EXCERPT_CHARS = 160;

/** Entries that contain all of the words; entries with the words in their names come first. */
export function search(entries: readonly Entry[], query: string): Found[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ entry, score: score(entry, words) }))
    .filter(({ score: points }) => points > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ entry: { title, within, href, text } }) => ({
      title,
      within,
      href,
      excerpt: cutExcerpt(text, words),
    }));
}

/** 0 if one of the words does not occur in it. */
function score({ title, names, text }: Entry, words: readonly string[]): number {
  const named = [title, ...names].join('\n').toLowerCase();
  const low = text.toLowerCase();
  const points = words.map((word) => (named.includes(word) ? 10 : 0) + (low.includes(word) ? 1 : 0));
  return points.includes(0) ? 0 : points.reduce((sum, point) => sum + point, 0);
}

function cutExcerpt(text: string, words: readonly string[]): string {
  const low = text.toLowerCase();
  const places = words.map((word) => low.indexOf(word)).filter((place) => place >= 0);
  const first = Math.max(0, Math.min(...places, text.length) - EXCERPT_CHARS / 4);
  const start = places.length === 0 || first === 0 ? 0 : text.indexOf(' ', first) + 1;
  const cut = text.slice(start, start + EXCERPT_CHARS);
  return `${start > 0 ? '… ' : ''}${cut}${start + EXCERPT_CHARS < text.length ? ' …' : ''}`;
}
