import { createHash } from 'node:crypto';

/** Text that is markup already. Only `html` makes it, so nothing gets in unescaped. */
export type Html = { readonly markup: string };

type Part = string | number | Html | readonly Html[];

/** Escapes every value that is not markup itself. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const markup = strings.map((text, index) => text + render(parts[index] ?? '')).join('');
  return { markup };
}

function render(part: Part): string {
  if (typeof part === 'object') return 'markup' in part ? part.markup : part.map(render).join('');
  return String(part).replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const STYLE = `
:root { color-scheme: light dark; --line: #8886; --soft: #8881; --accent: #b4531f }
* { box-sizing: border-box }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 62rem; margin: 0 auto; padding: 2rem 1.25rem 4rem }
h1 { font-size: 1.7rem; line-height: 1.2 } h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line) } h3 { margin-top: 2rem }
a { color: var(--accent) } code, pre { font: .875rem/1.5 ui-monospace, monospace; background: var(--soft) }
code { padding: .1em .3em; border-radius: 3px } pre { padding: .8rem 1rem; overflow-x: auto; border-radius: 6px }
pre code { background: none; padding: 0 } table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line) }
form { display: grid; gap: 1rem; max-width: 26rem } button, input { font: inherit; padding: .5rem }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px } :target { background: var(--soft) }
.note { color: color-mix(in srgb, currentColor 70%, transparent) }
`;

/** Allows this one stylesheet and forms to the page's own origin; no scripts at all. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;

export function buildPage(title: string, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${{ markup: STYLE }}
        </style>
      </head>
      <body>
        ${body}
      </body>
    </html>`.markup;
}
