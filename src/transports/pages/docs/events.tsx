import { renderPage } from '../../../pages/index.js';
import type { EventDescription } from '../../events.js';
import type { Contents } from './contents.js';
import { listFields } from './fields.js';
import { FieldsTable } from './fields_table.js';
import { DocsFrame } from './frame.js';
import { linkTo, nameOperationPage, type Place } from './place.js';

/** The page of events, which the service sends to the account's own server. The type of an event is its anchor. */
export function buildEventsPage(
  events: readonly EventDescription[],
  contents: Contents,
  place: Place,
): string {
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
