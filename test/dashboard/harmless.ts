import { DomUtils, parseDocument } from 'htmlparser2';
import { expect } from 'vitest';
import { buildPolicy } from '../../src/pages/index.js';
import type { PageAnswer } from './visitor.js';

const { findAll, textContent } = DomUtils;
/** Attributes whose values a person reads. */
const READ = new Set(['alt', 'value', 'title', 'aria-label', 'data-label', 'content', 'placeholder']);

/** Checks an answer of any kind; returns the text that a person reads. */
export function read({ status, headers, text }: PageAnswer): string {
  expect(status).toBeLessThan(500);
  const type = headers.get('content-type') ?? '';
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; (?!.*unsafe)/);
  const isHtml = type.startsWith('text/html');
  if (isHtml && headers.get('content-security-policy') !== buildPolicy()) throw new Error('another policy');
  if (isHtml || type === 'image/svg+xml') return readHtml(text);
  if (type.startsWith('text/event-stream')) {
    const parts = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data));
    return parts.map(({ html }: { html: string }) => readHtml(html)).join('\n');
  }
  const isFile = (headers.get('content-disposition') ?? '').startsWith('attachment; filename="');
  expect([type, isFile]).toEqual([expect.stringMatching(/^image\/|^text\/csv/), type.startsWith('text/csv')]);
  return '';
}

/** Returns the visible text. Throws if a text became an element, attribute or script, or overrides the text direction. */
export function readHtml(html: string): string {
  const document = parseDocument(html);
  const isMade = ({ name, attribs }: (typeof elements)[number]) =>
    name.startsWith('x-') ||
    Object.keys(attribs).some((attribute) => /^on|^style$|[^a-z0-9-]/i.test(attribute)) ||
    Object.values(attribs).some((value) => /^\s*(?:javascript|data):/i.test(value)) ||
    (name === 'script' && !/^\/assets\/[\w.-]+$/.test(attribs['src'] ?? ''));
  const elements = findAll(() => true, document);
  expect(elements.filter(isMade).map(({ name, attribs }) => [name, attribs])).toEqual([]);
  const values = elements.flatMap(({ attribs }) =>
    Object.entries(attribs).flatMap(([name, value]) => (READ.has(name) ? [value] : [])),
  );
  const text = textContent(document);
  // Only textarea, option and title keep a direction override: they cannot isolate it, and it ends with them.
  for (const element of findAll(({ name }) => /^(?:textarea|option|title)$/.test(name), document)) {
    DomUtils.removeElement(element);
  }
  expect(textContent(document)).not.toContain('\u202e');
  return [text, ...values].join('\n');
}
