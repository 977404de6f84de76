import { Parser } from 'htmlparser2';

/** Length as the interface counts it: Unicode code points. */
export function countChars(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export function cutChars(text: string, max_chars: number): string {
  return countChars(text) > max_chars ? [...text].slice(0, max_chars).join('') : text;
}

/** The characters of `text` that a class forbids, each once, in order. `forbidden` must be global and unicode. */
export function findForbidden(text: string, forbidden: RegExp): string[] {
  return [...new Set(text.match(forbidden) ?? [])];
}

/** Names characters so that invisible ones can be found: `"a" (U+0061)`. */
export function formatChars(chars: readonly string[]): string {
  const shown = chars.slice(0, 5).map((char) => {
    const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return /[\p{L}\p{N}\p{P}\p{S}]/u.test(char) ? `${char} (U+${code})` : `U+${code}`;
  });
  return shown.join(', ') + (chars.length > shown.length ? ', …' : '');
}

const BREAKS: ReadonlySet<string> = new Set(['p', 'div', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'tr']);
const UNSEEN: ReadonlySet<string> = new Set(['script', 'style']);

/**
 * Takes HTML tags out and keeps their text and its newlines; `5 < 6` and `<3` are no tags. What a browser would put on a new
 * line stays on one. Entities are left as the seller wrote them.
 */
export function stripHtml(text: string): string {
  if (!text.includes('<')) return text;
  let out = '';
  let isBreakDue = false;
  let unseen = 0;
  const parser = new Parser(
    {
      ontext(piece) {
        if (unseen > 0) return;
        if (isBreakDue && !piece.startsWith('\n') && out !== '' && !out.endsWith('\n')) out += '\n';
        isBreakDue = false;
        out += piece;
      },
      onopentagname(name) {
        if (UNSEEN.has(name)) unseen += 1;
        if (name === 'br' || (BREAKS.has(name) && out !== '')) isBreakDue = true;
      },
      onclosetag(name) {
        if (UNSEEN.has(name)) unseen = Math.max(0, unseen - 1);
        if (BREAKS.has(name)) isBreakDue = true;
      },
    },
    { decodeEntities: false },
  );
  parser.end(text);
  return out;
}
