import { renderPage } from '../../../pages/index.js';
import type { Contents } from './contents.js';
import { DocsFrame } from './frame.js';
import type { Place } from './place.js';
import type { Found } from './search.js';

export function buildSearchPage(
  words: string,
  found: readonly Found[],
  contents: Contents,
  place: Place,
): string {
  return renderPage(
    <DocsFrame
      title={words === '' ? 'Search' : `${words} · Search`}
      place={place}
      current="search"
      contents={contents}
      words={words}
    >
      <h1>Search</h1>
      <p role="status">{describe(words, found.length)}</p>
      <ol class="found">
        {found.map(({ title, within, href, excerpt }) => (
          <li key={href}>
            <h2>
              <a href={href}>{title}</a>
            </h2>
            <p class="note">{within}</p>
            <p>{excerpt}</p>
          </li>
        ))}
      </ol>
    </DocsFrame>,
  );
}

function describe(words: string, count: number): string {
  if (words === '') return 'Write a word or more above: the name of an operation, a field, an error code.';
  if (count === 0) return `Nothing has all of these words: ${words}. Try fewer, or one part of a name.`;
  return count === 1 ? '1 place' : `${count} places`;
}
