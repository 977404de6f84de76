import { renderPage } from '../../../pages/index.js';
import type { EventDescription } from '../../events.js';
import { EVENTS } from '../../events.js';
import { API_PREFIX } from '../../rest/rest.js';
import type { Service } from '../../service.js';
import type { Contents } from './contents.js';
import { ErrorCodes } from './errors.js';
import { DocsFrame } from './frame.js';
import { Limits } from './limits.js';
import { linkTo, nameOperationPage, type Place } from './place.js';

export type Documented = Pick<Service, 'operations' | 'base_url' | 'rate_limits'>;

/** Where the documentation begins: how to call, the ways on, limits, error codes. Ids of operations and codes are its anchors. */
export function buildDocsPage(service: Documented, contents: Contents, place: Place): string {
  const { operations, base_url, rate_limits } = service;
  return renderPage(
    <DocsFrame title="Documentation" place={place} current="reference" contents={contents}>
      <Start base_url={base_url} />
      <Operations operations={operations} place={place} />
      <Events events={EVENTS} place={place} />
      <Limits rate_limits={rate_limits} />
      <ErrorCodes base_url={base_url} />
    </DocsFrame>,
  );
}

function Start({ base_url }: { base_url: string }) {
  return (
    <div class="prose">
      <h1>Documentation</h1>
      <p>
        Every operation is a REST route under <code>{base_url + API_PREFIX}</code> and an MCP tool of the same
        name and fields, at <code>{base_url}/mcp</code> or over stdio. REST takes the key in the header{' '}
        <code>X-Service-API-Key</code>.
      </p>
      <p>
        Each has a page with samples for curl, TypeScript and Python, which run as they stand once{' '}
        <code>KEY</code> is set to your key. They name the shops and listings of the sandbox that a new
        installation starts with, and follow from one another in the order below:
      </p>
      <pre tabIndex={0}>
        <code>export KEY=mls_... # printed by the first start, or by: listing-service keys create</code>
      </pre>
    </div>
  );
}

function Operations({ operations, place }: Pick<Service, 'operations'> & { place: Place }) {
  return (
    <section class="stack" aria-labelledby="operations">
      <h2 id="operations">Operations</h2>
      <div class="table-wrap" role="region" aria-label="All operations" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">What it does</th>
              <th scope="col">Operation, and MCP tool</th>
              <th scope="col">Route</th>
            </tr>
          </thead>
          <tbody>
            {operations.map(({ id, title, route }) => (
              <tr id={id} key={id}>
                <th scope="row">
                  <a href={linkTo(place, nameOperationPage(id))}>{title}</a>
                </th>
                <td>
                  <code>{id}</code>
                </td>
                <td>
                  <code>
                    {route.method} {route.path}
                  </code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Events({ events, place }: { events: readonly EventDescription[]; place: Place }) {
  return (
    <section class="stack" aria-labelledby="events">
      <h2 id="events">Events</h2>
      <dl class="facts">
        {events.map(({ type, when }) => (
          <>
            <dt id={type}>
              <a href={`${linkTo(place, 'events')}#${type}`}>
                <code>{type}</code>
              </a>
            </dt>
            <dd>{when}</dd>
          </>
        ))}
      </dl>
    </section>
  );
}
