import { renderPage } from '../../../pages/index.js';
import { type EventDescription, EVENTS } from '../../events.js';
import { API_PREFIX } from '../../rest/rest.js';
import type { Service } from '../../service.js';
import type { Contents } from './contents.js';
import { DocsFrame } from './frame.js';
import { linkTo, nameOperationPage, type Place } from './place.js';
import { ERRORS } from '../../../core/errors.js';
import type { ErrorCode } from '../../../../schemas/error.js';
import { ERRORS_EXPLAINED } from '../../errors_explained.js';
import { buildErrorExample } from '../../openapi/operation.js';
import { LISTING_FEE } from '../../../../schemas/marketplace_facts.js';
import { JSON_LIMITS } from '../../../core/operations/json_text.js';
import { RATE_HEADERS } from '../../rate_headers.js';

export type Documented = Pick<Service, 'operations' | 'base_url' | 'rate_limits'>;

/**
 * The start of the documentation: how to call, where to go next, limits, error codes. Ids of operations and
 * codes are its anchors.
 */
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

/** Every code, each under an anchor of its own name: the target of `docs` in an error. */
function ErrorCodes({ base_url }: { base_url: string }) {
  const codes = Object.entries(ERRORS) as [ErrorCode, { status: number; hint: string }][];
  return (
    <section class="stack" aria-labelledby="errors">
      <h2 id="errors">Error codes</h2>
      <p class="prose">
        Every failure has one body, on every route and for whatever goes wrong before a route is found. Branch
        on <code>code</code>; <code>message</code> is for people and has a line for each problem, with the
        path of its field first; <code>hint</code> says what to do. On status 429, wait the seconds in{' '}
        <code>Retry-After</code>. Over MCP the same body is the text of a result with <code>isError</code>.
      </p>
      <pre tabIndex={0}>
        <code>{JSON.stringify(buildErrorExample('VALIDATION_FAILED', base_url), undefined, 2)}</code>
      </pre>
      {codes.map(([code, { status, hint }]) => (
        <section class="card" id={code} key={code}>
          <h3>
            <code>{code}</code> <span class="note">{status}</span>
          </h3>
          <p>{ERRORS_EXPLAINED[code].when}</p>
          <p>
            <strong>What to do.</strong> {hint}
          </p>
          <p class="note pre-line">{buildErrorExample(code, base_url).error.message}</p>
        </section>
      ))}
    </section>
  );
}

/** Limits of every operation; limits of single fields are documented with the fields. */
function Limits({ rate_limits }: Pick<Service, 'rate_limits'>) {
  const { per_second, per_day } = rate_limits;
  return (
    <section class="stack" aria-labelledby="limits">
      <h2 id="limits">Limits</h2>
      <div class="prose">
        <p>
          An account may make {per_second} calls in any second and {per_day} in 24 hours from its first call,
          over REST and MCP together. Every call that is let in counts, also one that is refused for what it
          says; a 401 or a 429 does not. Every answer to a call that counted says what is left:
        </p>
        <ul>
          {Object.keys(RATE_HEADERS).map((name) => (
            <li key={name}>
              <code>{name}</code>
            </li>
          ))}
        </ul>
        <p>
          Over MCP the same numbers are in <code>_meta</code> of the result. Beyond a limit the answer is a
          429 with <code>Retry-After</code> in whole seconds.
        </p>
      </div>
      <dl class="facts">
        <dt>JSON body</dt>
        <dd>
          UTF-8, at most 1 MiB, {JSON_LIMITS.levels} levels, {JSON_LIMITS.keys_per_object} keys in an object
          and {JSON_LIMITS.values} values. A message over MCP the same; only file_upload may have 8 MiB.
        </dd>
        <dt>Upload</dt>
        <dd>
          100 MB; over MCP 5 MB inside a call, and an address to upload to beyond. Kept for 30 days, and
          longer while a listing uses it.
        </dd>
        <dt>Request headers</dt>
        <dd>16 KiB, complete within 15 seconds</dd>
        <dt>Pages of a list</dt>
        <dd>
          25 entries unless <code>limit</code> says otherwise, at most 100
        </dd>
        <dt>Putting a listing live</dt>
        <dd>{LISTING_FEE} per listing and shop, taken by the marketplace</dd>
      </dl>
    </section>
  );
}
