import { renderPage } from '../../../pages/index.js';
import { EVENTS } from '../../events.js';
import { API_PREFIX } from '../../rest/rest.js';
import type { Service } from '../../service.js';
import { ErrorCodes } from './errors.js';
import { Events } from './events.js';
import { DocsFrame } from './frame.js';
import type { Guide } from './guides.js';
import { Limits } from './limits.js';
import { OperationSection } from './operation.js';
import type { Place } from './place.js';

export type Documented = Pick<Service, 'operations' | 'base_url' | 'rate_limits'>;

/** Every operation, event, limit and error code on one page. Ids of operations and codes are its anchors. */
export function buildDocsPage(service: Documented, guides: readonly Guide[], place: Place): string {
  const { operations, base_url, rate_limits } = service;
  return renderPage(
    <DocsFrame title="Documentation" place={place} current="reference" guides={guides}>
      <Start base_url={base_url} />
      <Contents operations={operations} />
      {operations.map((operation) => (
        <OperationSection key={operation.id} operation={operation} base_url={base_url} />
      ))}
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
        The commands below run as they stand once <code>KEY</code> is set to your key, and name the shops and
        listings of the sandbox that a new installation starts with. Go from top to bottom:
      </p>
      <pre tabIndex={0}>
        <code>KEY=mls_... # printed by the first start, or by: listing-service keys create</code>
      </pre>
    </div>
  );
}

function Contents({ operations }: Pick<Service, 'operations'>) {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return (
    <nav class="stack" aria-labelledby="operations">
      <h2 id="operations">Operations</h2>
      <div class="grid">
        {tags.map((tag) => (
          <section class="card" key={tag}>
            <h3>{tag}</h3>
            <ul>
              {operations
                .filter((operation) => operation.tag === tag)
                .map(({ id, title }) => (
                  <li key={id}>
                    <a href={`#${id}`}>{title}</a>
                  </li>
                ))}
            </ul>
          </section>
        ))}
        <section class="card">
          <h3>Beside them</h3>
          <ul>
            <li>
              <a href="#events">Events</a>
            </li>
            <li>
              <a href="#limits">Limits</a>
            </li>
            <li>
              <a href="#errors">Error codes</a>
            </li>
          </ul>
        </section>
      </div>
    </nav>
  );
}
