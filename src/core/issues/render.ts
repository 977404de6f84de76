import type { Issue, IssueCode, IssueParams, NoteCode, NoteParams } from '../../../schemas/issue.js';
import { cleanForeign } from '../errors.js';
import { CALL_WORDS } from './calls.js';
import { CHANGE_WORDS } from './changes.js';
import { FILE_WORDS, UPLOAD_WORDS } from './files.js';
import { LISTING_WORDS, SHOP_WORDS } from './listing.js';
import { NOTE_WORDS } from './notes.js';
import { VALUE_WORDS } from './values.js';
import { capitalize, type Words } from './words.js';

declare const RENDERED: unique symbol;

/** Words for people. No decision is made on them: they can neither be compared nor searched nor split, only written out. */
export type Rendered = { readonly [RENDERED]: true };

/** The words of every code. A code without both renderers does not compile. */
export const CATALOGUE = {
  ...VALUE_WORDS,
  ...LISTING_WORDS,
  ...SHOP_WORDS,
  ...FILE_WORDS,
  ...UPLOAD_WORDS,
  ...CHANGE_WORDS,
  ...CALL_WORDS,
} satisfies Words<IssueParams>;

type Reader = 'program' | 'seller';

/** For programs and assistants, without the path. */
export function renderMessage(issue: Issue): Rendered {
  return seal([sayIssue(issue, 'program'), ...sayNotes(issue, 'program')].join('; '));
}

/** For programs and assistants: one line, which begins with the path. Keys and values of the caller cannot break it. */
export function renderLine(issue: Issue): Rendered {
  const message = writeText(renderMessage(issue));
  return seal(cleanForeign(issue.at === '' ? message : `${issue.at}: ${message}`, MAX_LINE_CHARS));
}

/** For sellers: a sentence or two. */
export function renderForSeller(issue: Issue): Rendered {
  const notes = sayNotes(issue, 'seller').map(capitalize);
  const sentences = [sayIssue(issue, 'seller'), ...notes].map(endSentence);
  return seal(cleanForeign(sentences.join(' '), MAX_LINE_CHARS));
}

/** Only where a body, a page or a log is written. */
export function writeText(rendered: Rendered): string {
  return rendered as unknown as string;
}

const MAX_LINE_CHARS = 2_000;

function seal(text: string): Rendered {
  return text as unknown as Rendered;
}

function sayIssue<Code extends IssueCode>(
  { code, params, at }: { code: Code; params: IssueParams[Code]; at: string },
  reader: Reader,
): string {
  const words: Words<IssueParams> = CATALOGUE;
  return words[code][reader](params, at);
}

function sayNotes({ at, notes = [] }: Issue, reader: Reader): string[] {
  return notes.map((note) => sayNote(note, at, reader));
}

function sayNote<Code extends NoteCode>(
  { code, params }: { code: Code; params: NoteParams[Code] },
  at: string,
  reader: Reader,
): string {
  return NOTE_WORDS[code][reader](params, at);
}

function endSentence(text: string): string {
  return /[.!?…]["”]?$/.test(text) ? text : `${text}.`;
}
