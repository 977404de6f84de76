import { encodeEntities } from '../answers/text.js';

/** A small page without scripts. `body` is HTML that is already escaped; `title` is text. */
export function buildPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${encodeEntities(title)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
.note { background: #fff6dc; padding: .5rem .75rem; border-radius: .25rem; }
img { max-width: 100%; border-radius: .25rem; }
.pictures { display: grid; gap: .5rem; grid-template-columns: repeat(auto-fill, minmax(12rem, 1fr)); }
button { font: inherit; padding: .4rem 1.2rem; margin-right: .5rem; cursor: pointer; }
pre { white-space: pre-wrap; font: inherit; }
</style>
<p class="note">Sandbox: nothing on this page is a real shop, order or listing.</p>
${body}
</html>
`;
}
