import { decodeHTMLStrict } from 'entities';

/** A description as sent, and the removed parts of the given text. */
type PlainText = {
  text: string;
  /** Removed tags and comments as written, without duplicates: `<b>`, `</b>`. Only the first few. */
  removed: string[];
  /** Whether text was removed with them: comments, and the content of scripts and style sheets. */
  isTextRemoved: boolean;
  /** The first character reference replaced by its character, such as `&nbsp;`. */
  entity: string | undefined;
};

/**
 * Converts a description to plain text. Removes HTML tags first, then decodes character references once:
 * `&lt;b&gt;` was meant to read `<b>`, so the result is not searched for tags again. The marketplace shows it as
 * text in any case.
 */
export function toPlainText(given: string): PlainText {
  const { text, removed, isTextRemoved } = strip(given);
  return { text: decodeHTMLStrict(text), removed, isTextRemoved, entity: findDecoded(text) };
}

/** Text that `toPlainText` converts to exactly this one. */
export function toSource(plain: string): string {
  const { text } = toPlainText(plain);
  return text === plain ? plain : plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** The first reference such as `&amp;` or `&#39;`, which text copied from a web page may contain. */
export function findEntity(text: string): string | undefined {
  return ENTITY.exec(text)?.[0];
}

const ENTITY = /&(?:[a-z][a-z0-9]{1,30}|#\d{1,7}|#x[0-9a-f]{1,6});/i;
const ENTITIES = /&(?:[a-z][a-z0-9]{1,30}|#\d{1,7}|#x[0-9a-f]{1,6});/gi;

function findDecoded(text: string): string | undefined {
  for (const [entity] of text.matchAll(ENTITIES)) {
    if (decodeHTMLStrict(entity) !== entity) return entity;
  }
  return undefined;
}

/** No real description nests tags more deeply. */
const MAX_ROUNDS = 8;
const MAX_REMOVED = 5;

type Stripped = Omit<PlainText, 'entity'>;

/**
 * Removes the tags of HTML's own elements and keeps their text and its newlines: `5 < 6`, `<3`, `<Red>` and a `<b`
 * that is never closed are not tags. Text that a browser would put on a new line stays on one. Leaves no tag,
 * however tags are nested. Takes time proportional to the length.
 */
function strip(given: string): Stripped {
  const removed = new Set<string>();
  let isTextRemoved = false;
  let text = given;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const next = text.includes('<') ? stripOnce(text) : undefined;
    if (!next || next.text === text)
      return { text, removed: [...removed].slice(0, MAX_REMOVED), isTextRemoved };
    for (const tag of next.removed) removed.add(tag);
    isTextRemoved ||= next.isTextRemoved;
    text = next.text;
  }
  if (stripOnce(text).text !== text) {
    removed.add('<');
    text = text.replaceAll('<', '');
  }
  return { text, removed: [...removed].slice(0, MAX_REMOVED), isTextRemoved };
}

/** Elements whose content is not text, with the end of that content. */
const HIDDEN: ReadonlyMap<string, RegExp> = new Map([
  ['script', /<\/script(?=[\s/>])/gi],
  ['style', /<\/style(?=[\s/>])/gi],
]);

function stripOnce(text: string): Stripped {
  const readMarkup = createMarkupReader(text);
  const pieces: string[] = [];
  const removed = new Set<string>();
  let isTextRemoved = false;
  let isBreakDue = false;

  const add = (piece: string) => {
    if (piece === '') return;
    if (isBreakDue && !piece.startsWith('\n') && pieces.length > 0 && !pieces.at(-1)?.endsWith('\n')) {
      pieces.push('\n');
    }
    isBreakDue = false;
    pieces.push(piece);
  };

  let from = 0;
  let at = text.indexOf('<');
  while (at >= 0) {
    const markup = readMarkup(at);
    if (!markup) {
      at = text.indexOf('<', at + 1);
      continue;
    }
    add(text.slice(from, at));
    if (removed.size < MAX_REMOVED) removed.add(formatTag(text.slice(at, markup.tag_end)));
    isTextRemoved ||= markup.end > markup.tag_end || markup.kind === 'comment';
    const isBreakTag = BREAKS.has(markup.name) && (markup.kind === 'close' || pieces.length > 0);
    if (markup.name === 'br' || isBreakTag) isBreakDue = true;
    from = markup.end;
    at = text.indexOf('<', from);
  }
  add(text.slice(from));
  return { text: pieces.join(''), removed: [...removed], isTextRemoved };
}

/** `tag_end` is after its >, `end` after everything removed with it. */
type Markup = {
  kind: 'open' | 'close' | 'comment' | 'declaration';
  name: string;
  tag_end: number;
  end: number;
};

const TAG = /<(\/?)([a-z][a-z0-9]{0,15})(?=[\s/>])/iy;
const CLOSING = /<\/([a-z][a-z0-9]{0,15})(?=[\s/>])/gi;
const DECLARATION = /<(?:!doctype\b|\?[a-z])/iy;

/**
 * Reads the markup that begins at a `<`; undefined if it is text. Call it from left to right, so that it reads the
 * text at most a few times: it never repeats a search that found nothing.
 */
function createMarkupReader(text: string): (at: number) => Markup | undefined {
  const last_comment_end = text.lastIndexOf('-->');
  const last_closings = new Map<string, number>();
  for (const { 1: name = '', index } of text.matchAll(CLOSING)) last_closings.set(name.toLowerCase(), index);
  const findTagEnd = createTagEnds(text);
  const isClosedAfter = (name: string, at: number) => at <= (last_closings.get(name) ?? -1);

  return (at) => {
    if (text.startsWith('<!--', at)) {
      if (last_comment_end < at + 4) return undefined;
      const end = text.indexOf('-->', at + 4) + 3;
      return { kind: 'comment', name: '', tag_end: end, end };
    }
    DECLARATION.lastIndex = at;
    if (DECLARATION.test(text)) {
      const end = findTagEnd(at);
      return end < 0 ? undefined : { kind: 'declaration', name: '', tag_end: end, end };
    }
    TAG.lastIndex = at;
    const [opened = '', slash, written = ''] = TAG.exec(text) ?? [];
    const name = written.toLowerCase();
    if (slash === undefined || !ELEMENTS.has(name)) return undefined;
    const tag_end = findTagEnd(at + opened.length);
    if (tag_end < 0) return undefined;
    if (slash === '/') return { kind: 'close', name, tag_end, end: tag_end };
    const isClosed = isClosedAfter(name, tag_end);
    // `<S>`, `<Small>`: a size or a name in brackets. Markup would not leave it open.
    const isBare = tag_end === at + opened.length + 1;
    if (isBare && /^[A-Z]/.test(written) && !isClosed && !END_OPTIONAL.has(name)) return undefined;
    // Only an element that is closed is hidden: "choose a <style>" is a sentence, not a style sheet.
    const closing = isClosed ? HIDDEN.get(name) : undefined;
    if (!closing) return { kind: 'open', name, tag_end, end: tag_end };
    closing.lastIndex = tag_end;
    return { kind: 'open', name, tag_end, end: closing.exec(text)?.index ?? tag_end };
  };
}

/**
 * Finds the end of tags: after the next > outside quotation marks, or, if a quotation mark is never closed, after
 * the next one anywhere; -1 if there is none. Call it from left to right: it reads the text once, and once more for
 * such a mark.
 */
function createTagEnds(text: string): (from: number) => number {
  const last = text.lastIndexOf('>');
  let areQuotesBroken = false;
  return (from) => {
    if (last < from) return -1;
    if (!areQuotesBroken) {
      let quote: string | undefined;
      for (let at = from; at <= last; at += 1) {
        const char = text[at];
        if (quote !== undefined) {
          if (char === quote) quote = undefined;
        } else if (char === '>') return at + 1;
        else if (char === '"' || char === "'") quote = char;
      }
      areQuotesBroken = true;
    }
    return text.indexOf('>', from) + 1;
  };
}

const MAX_TAG_CHARS = 40;

function formatTag(tag: string): string {
  return tag.length > MAX_TAG_CHARS ? `${tag.slice(0, MAX_TAG_CHARS)}…` : tag;
}

/**
 * The elements of the HTML standard, including the obsolete ones of its chapter 16, and the two that embed other
 * languages.
 */
const ELEMENTS: ReadonlySet<string> = new Set(
  `a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br button
  canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption
  figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins isindex kbd keygen
  label legend li link main map mark marquee math menu meta meter multicol nav nextid nobr noembed noframes noscript object ol
  optgroup option output p param picture plaintext pre progress q rb rp rt rtc ruby s samp script search section select slot small
  source spacer span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track
  tt u ul var video wbr xmp`.split(/\s+/),
);

/** Elements that have no end tag, or may omit it. */
const END_OPTIONAL: ReadonlySet<string> = new Set(
  `area base basefont bgsound body br caption col colgroup dd dt embed frame head hr html img input isindex keygen li link meta
  nextid optgroup option p param rb rp rt rtc source spacer tbody td tfoot th thead tr track wbr`.split(
    /\s+/,
  ),
);

/** Elements that a browser shows on their own lines. */
const BREAKS: ReadonlySet<string> = new Set(['p', 'div', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'tr']);
