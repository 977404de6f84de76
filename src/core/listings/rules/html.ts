import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** Elements that a browser shows on lines of their own. */
const BREAKS: ReadonlySet<string> = new Set(['p', 'div', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'tr']);
const UNSEEN = ['script', 'style'];

const MAX_ROUNDS = 8;

/**
 * Takes HTML tags out and keeps their text and its newlines; `5 < 6`, `<3` and a `<b` that is never closed are no tags. What
 * a browser would put on a new line stays on one. Entities are left as the seller wrote them. What is left holds no tag,
 * however the tags were nested into each other.
 */
export function stripHtml(text: string): string {
  let left = text;
  for (let round = 0; round < MAX_ROUNDS && left.includes('<'); round += 1) {
    const next = stripOnce(left);
    if (next === left) return left;
    left = next;
  }
  // No real description nests tags deeper than that.
  return stripOnce(left) === left ? left : left.replaceAll(/<+(?=[a-z/!?])/gi, '');
}

/** The first of `&amp;`, `&#39;` and the like, as text copied out of a web page has them. */
export function findEntity(text: string): string | undefined {
  return /&(?:[a-z][a-z0-9]{1,30}|#\d{1,7}|#x[0-9a-f]{1,6});/i.exec(text)?.[0];
}

/** Tokens only: the parser on top keeps a stack of open elements, and 200,000 of them take it many seconds. */
function stripOnce(text: string): string {
  // Behind the last > no tag can end, so all of it is text.
  const end = text.lastIndexOf('>') + 1;
  const lower = text.toLowerCase();
  const last_closings = new Map(UNSEEN.map((name) => [name, lower.lastIndexOf(`</${name}`)]));
  const pieces: string[] = [];
  let isBreakDue = false;
  let unseen: string | undefined;

  const add = (piece: string) => {
    if (unseen !== undefined || piece === '') return;
    if (isBreakDue && !piece.startsWith('\n') && pieces.length > 0 && !pieces.at(-1)?.endsWith('\n')) {
      pieces.push('\n');
    }
    isBreakDue = false;
    pieces.push(piece);
  };
  const callbacks: TokenizerCallbacks = {
    ...IGNORED,
    ontext: (from, to) => add(text.slice(from, to)),
    onopentagname(from, to) {
      const name = text.slice(from, to).toLowerCase();
      // Only what is closed again is hidden: "choose a <style>" is a sentence, not a style sheet.
      if (to < (last_closings.get(name) ?? -1)) unseen ??= name;
      if (name === 'br' || (BREAKS.has(name) && pieces.length > 0)) isBreakDue = true;
    },
    onclosetag(from, to) {
      const name = text.slice(from, to).toLowerCase();
      if (name === unseen) unseen = undefined;
      if (BREAKS.has(name)) isBreakDue = true;
    },
  };
  const tokenizer = new Tokenizer({ decodeEntities: false }, callbacks);
  tokenizer.write(text.slice(0, end));
  tokenizer.end();
  add(text.slice(end));
  return pieces.join('');
}

const ignore = () => undefined;
const IGNORED: TokenizerCallbacks = {
  isInForeignContext: () => false,
  onattribdata: ignore,
  onattribend: ignore,
  onattribentity: ignore,
  onattribname: ignore,
  oncdata: ignore,
  onclosetag: ignore,
  oncomment: ignore,
  ondeclaration: ignore,
  onend: ignore,
  onopentagend: ignore,
  onopentagname: ignore,
  onprocessinginstruction: ignore,
  onselfclosingtag: ignore,
  ontext: ignore,
  ontextentity: ignore,
};
