import type { EventDescription } from '../../events.js';
import { listFields } from './fields.js';
import { FieldsTable } from './fields_table.js';
import { linkTo, type Place } from './place.js';

/** What the service sends to the account's own server. The type of an event is its anchor. */
export function Events({ events, place }: { events: readonly EventDescription[]; place: Place }) {
  return (
    <section class="stack" aria-labelledby="events">
      <h2 id="events">Events</h2>
      <p class="prose">
        Sent with POST to the destination that <a href="#webhook_endpoint_set">webhook_endpoint_set</a> names,
        signed as Standard Webhooks wants it (<code>webhook-id</code>, <code>webhook-timestamp</code>,{' '}
        <code>webhook-signature</code>). Answer with any 2xx within 15 seconds. An event may come more than
        once, always with the same <code>webhook-id</code>.{' '}
        <a href={linkTo(place, 'webhooks')}>How to receive and verify them.</a>
      </p>
      {events.map(({ type, when, body, example }) => (
        <section class="card" id={type} key={type} aria-labelledby={`${type}-title`}>
          <h3 id={`${type}-title`}>
            <code>{type}</code>
          </h3>
          <p>{when}</p>
          <details>
            <summary>The body</summary>
            <div class="stack">
              <FieldsTable fields={listFields(body)} caption={`Fields of ${type}`} />
              <pre tabIndex={0}>
                <code>{JSON.stringify(example, undefined, 2)}</code>
              </pre>
            </div>
          </details>
        </section>
      ))}
    </section>
  );
}
