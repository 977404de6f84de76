import { LISTING_FEE } from '../../../../schemas/marketplace_facts.js';
import { JSON_LIMITS } from '../../../core/operations/json_text.js';
import { RATE_HEADERS } from '../../rate_headers.js';
import type { Service } from '../../service.js';

/** Limits of every operation; limits of single fields are documented with the fields. */
export function Limits({ rate_limits }: Pick<Service, 'rate_limits'>) {
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
