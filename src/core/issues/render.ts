import type {
  Fact,
  Issue,
  IssueCode,
  IssueParams,
  NoteCode,
  NoteParams,
  Path,
} from '../../../schemas/issue.js';
import { cleanForeign } from '../text/foreign.js';
import { ACCESS_WORDS } from './access.js';
import { BATCH_WORDS } from './batches.js';
import { CALL_WORDS } from './calls.js';
import { CHANGE_WORDS } from './changes.js';
import { CONNECT_WORDS } from './connecting.js';
import { FAILURE_WORDS } from './jobs/failures.js';
import { nameShop } from './field_words.js';
import { FILE_WORDS, UPLOAD_WORDS } from './files.js';
import { FORM_GAP_WORDS } from './jobs/form_gaps.js';
import { IMPORT_WORDS } from './imports.js';
import { LISTING_WORDS, SHOP_WORDS } from './listing.js';
import { FAULT_WORDS, MARKETPLACE_WORDS } from './marketplace.js';
import { NOTE_WORDS } from './notes.js';
import { REQUEST_WORDS } from './requests.js';
import { SHEET_WORDS } from './sheets.js';
import { STATE_WORDS } from './states.js';
import { PUBLISH_WARNING_WORDS } from './jobs/publish_warnings.js';
import { REQUEST_WARNING_WORDS } from './jobs/request_warnings.js';
import { UPDATE_FAILURE_WORDS } from './jobs/update_failures.js';
import { UNDO_WARNING_WORDS, UPDATE_WARNING_WORDS } from './jobs/update_warnings.js';
import { VALUE_WORDS } from './values.js';
import { capitalize, endSentence, type Say, type Words } from './words.js';

declare const RENDERED: unique symbol;

/**
 * Words for people. Code must not base decisions on them: they can neither be compared nor searched nor split, only written
 * out.
 */
export type Rendered = { readonly [RENDERED]: true };

/** The words of every code. A code without both renderers does not compile. */
export const ISSUE_WORDS = {
  ...VALUE_WORDS,
  ...LISTING_WORDS,
  ...SHOP_WORDS,
  ...FILE_WORDS,
  ...UPLOAD_WORDS,
  ...CHANGE_WORDS,
  ...BATCH_WORDS,
  ...SHEET_WORDS,
  ...IMPORT_WORDS,
  ...CALL_WORDS,
  ...REQUEST_WORDS,
  ...ACCESS_WORDS,
  ...STATE_WORDS,
  ...CONNECT_WORDS,
  ...MARKETPLACE_WORDS,
  ...FAULT_WORDS,
  ...FAILURE_WORDS,
  ...PUBLISH_WARNING_WORDS,
  ...REQUEST_WARNING_WORDS,
  ...UPDATE_WARNING_WORDS,
  ...UNDO_WARNING_WORDS,
  ...UPDATE_FAILURE_WORDS,
  ...FORM_GAP_WORDS,
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

/** For programs and assistants: all problems, each once and on one line. */
export function renderLines(issues: readonly Issue[]): Rendered {
  const lines = new Set<string>();
  let left_out = 0;
  for (const issue of issues) {
    if (lines.size < MAX_LINES) lines.add(writeText(renderLine(issue)));
    else left_out += 1;
  }
  return seal([...lines, ...(left_out > 0 ? [`… and ${left_out} more`] : [])].join('\n'));
}

/** For sellers: a sentence or two. */
export function renderForSeller(issue: Issue): Rendered {
  const named = { ...issue, at: nameShop(issue) };
  const notes = sayNotes(named, 'seller').map(capitalize);
  const sentences = [sayIssue(named, 'seller'), ...notes].map(endSentence);
  return seal(cleanForeign(sentences.join(' '), MAX_LINE_CHARS));
}

/** A failure, for programs and assistants. */
export function renderForProgram(fact: Fact, at: Path = ''): Rendered {
  return seal(sayIssue({ ...fact, at }, 'program'));
}

/** A warning, for programs and assistants. @param at the field that it is about */
export function renderSentence(fact: Fact, at: Path): Rendered {
  return seal(endSentence(writeText(renderForProgram(fact, at))));
}

/** A warning or a failure, for sellers. @param at the field that it is about */
export function renderFactForSeller(fact: Fact, at: Path = ''): Rendered {
  return renderForSeller({ ...fact, at });
}

/** For sellers: all problems, each once. */
export function renderAllForSeller(issues: readonly Issue[] = []): Rendered[] {
  return [...new Set(issues.map((issue) => writeText(renderForSeller(issue))))].map(seal);
}

/** Only for writing a body, a page or a log. */
export function writeText(rendered: Rendered): string {
  return rendered as unknown as string;
}

const SAY: Record<Reader, Say> = {
  program: (fact) => writeText(renderMessage({ at: '', ...fact })),
  seller: (fact) => writeText(renderForSeller({ at: '', ...fact })),
};

const MAX_LINE_CHARS = 2_000;
/** The most problems listed: a body of 1 MiB can have 300,000. */
const MAX_LINES = 1_000;

function seal(text: string): Rendered {
  return text as unknown as Rendered;
}

function sayIssue<Code extends IssueCode>(
  { code, params, at }: { code: Code; params: IssueParams[Code]; at: string },
  reader: Reader,
): string {
  const words: Words<IssueParams> = ISSUE_WORDS;
  return words[code][reader](params, at, SAY[reader]);
}

function sayNotes({ at, notes = [] }: Issue, reader: Reader): string[] {
  return notes.map((note) => sayNote(note, at, reader));
}

function sayNote<Code extends NoteCode>(
  { code, params }: { code: Code; params: NoteParams[Code] },
  at: string,
  reader: Reader,
): string {
  return NOTE_WORDS[code][reader](params, at, SAY[reader]);
}
