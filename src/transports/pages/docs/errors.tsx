import { ERRORS } from '../../../core/errors.js';
import type { ErrorCode } from '../../../../schemas/error.js';
import { ERRORS_EXPLAINED } from '../../errors_explained.js';
import { buildErrorExample } from '../../openapi/operation.js';

/** Every code, each under an anchor of its own name: what `docs` of an error points to. */
export function ErrorCodes({ base_url }: { base_url: string }) {
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
          <p class="note pre-line">{ERRORS_EXPLAINED[code].example}</p>
        </section>
      ))}
    </section>
  );
}
