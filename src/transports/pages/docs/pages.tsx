import { EVENTS, type EventDescription } from '../../events.js';
import { listContents, type Contents } from './contents.js';
import { readGuides, type Guide } from './guides.js';
import { buildOperationPage } from './operation.js';
import { buildDocsPage, type Documented } from './page.js';
import { nameOperationPage, type Place, linkTo } from './place.js';
import { renderPage } from '../../../pages/index.js';
import { DocsFrame } from './frame.js';
import { renderMarkdown } from './markdown.js';
import { listFields } from './fields.js';
import { FieldsTable } from './fields_table.js';
import type { Found } from './search.js';

/** Every page of the documentation by its name, as linkTo takes it. Each is rendered when it is requested. */
export function listPages(service: Documented, place: Place): Map<string, () => string> {
  const { operations, base_url } = service;
  const guides = readGuides();
  const contents = listContents(operations, guides);
  return new Map([
    ['reference', () => buildDocsPage(service, contents, place)],
    ['events', () => buildEventsPage(EVENTS, contents, place)],
    ...guides.map((guide) => [guide.name, () => buildGuidePage(guide, contents, place)] as const),
    ...operations.map(
      (operation) =>
        [
          nameOperationPage(operation.id),
          () => buildOperationPage(operation, base_url, contents, place),
        ] as const,
    ),
  ]);
}

function buildGuidePage(guide: Guide, contents: Contents, place: Place): string {
  return renderPage(
    <DocsFrame title={guide.title} place={place} current={guide.name} contents={contents}>
      <article
        class="prose"
        // Our own text, in which markup is escaped.
        dangerouslySetInnerHTML={{ __html: renderMarkdown(guide.markdown, place) }}
      />
    </DocsFrame>,
  );
}

/**
 * The page of events that the service sends to the account's own server. The type of an event is its anchor.
 */
function buildEventsPage(events: readonly EventDescription[], contents: Contents, place: Place): string {
  const set = 'webhook_endpoint_set';
  return renderPage(
    <DocsFrame title="Events" place={place} current="events" contents={contents}>
      <div class="prose">
        <h1>Events</h1>
        <p>
          Sent with POST to the destination that <a href={linkTo(place, nameOperationPage(set))}>{set}</a>{' '}
          names, signed as Standard Webhooks wants it (<code>webhook-id</code>, <code>webhook-timestamp</code>
          , <code>webhook-signature</code>). Answer with any 2xx within 15 seconds. An event may come more
          than once, always with the same <code>webhook-id</code>.{' '}
          <a href={linkTo(place, 'webhooks')}>How to receive and verify them.</a>
        </p>
      </div>
      {events.map(({ type, when, body, example }) => (
        <section class="stack" id={type} key={type} aria-labelledby={`${type}-title`}>
          <h2 id={`${type}-title`}>
            <code>{type}</code>
          </h2>
          <p>{when}</p>
          <FieldsTable fields={listFields(body)} caption={`Fields of ${type}`} />
          <details open>
            <summary>A sample</summary>
            <pre tabIndex={0}>
              <code>{JSON.stringify(example, undefined, 2)}</code>
            </pre>
          </details>
        </section>
      ))}
    </DocsFrame>,
  );
}

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
