import { Marked, type Tokens } from 'marked';
import { linkTo, type Place } from './place.js';

/**
 * Renders our own Markdown: headings get anchors, links between pages point to where the page is read, wide
 * tables and code can be scrolled by keyboard. Markup inside the text is shown as text.
 */
export function renderMarkdown(markdown: string, place: Place): string {
  // A table's caption is the heading above it.
  let section = '';
  const marked = new Marked({ gfm: true });
  marked.use({
    walkTokens(token) {
      if (token.type === 'link') token['href'] = toHref(String(token['href']), place);
    },
    renderer: {
      html: ({ text }) => escape(text),
      code: ({ text }) => `<pre tabindex="0"><code>${escape(text)}</code></pre>`,
      heading({ depth, tokens, text }) {
        section = text;
        return `<h${depth} id="${toAnchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>`;
      },
      table(token) {
        return `<div class="table-wrap" role="region" aria-label="${escape(section)}" tabindex="0">${buildTable(
          token,
          (cell) => this.parser.parseInline(cell.tokens),
        )}</div>`;
      },
    },
  });
  return marked.parse(markdown, { async: false });
}

/** `## Back up and restore` gets the anchor `#back-up-and-restore`, as on GitHub. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

/** Resolves `webhooks.md#signatures` for the place where the page is read. */
function toHref(href: string, place: Place): string {
  const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (name === undefined) return href;
  return linkTo(place, name) + anchor;
}

function buildTable({ header, rows }: Tokens.Table, render: (cell: Tokens.TableCell) => string): string {
  const head = header.map((cell) => `<th scope="col">${render(cell)}</th>`).join('');
  const body = rows
    .map((row) => `<tr>${row.map((cell) => `<td>${render(cell)}</td>`).join('')}</tr>`)
    .join('');
  return `<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
