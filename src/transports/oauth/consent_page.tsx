import type { Authorization } from '../../core/identity/grants/authorization.js';
import { MARKETPLACE_FACTS } from '../../../schemas/marketplace_facts.js';
import type { Operation } from '../../core/operations/operation.js';
import { Foreign, Layout, renderPage } from '../../pages/index.js';
import { ClientCard } from './client_card.js';
import { PATHS } from './metadata.js';

type ConsentProps = {
  is_sandbox: boolean;
  authorization: Authorization;
  /** Name of the account that it would act for. */
  account: string;
  csrf_token: string;
  /** Parameters of the request, which the forms repeat. */
  search: string;
  problem: string | undefined;
  operations: readonly Operation[];
};

export function buildConsentPage(props: ConsentProps): string {
  const { authorization, account, csrf_token, search, problem, operations } = props;
  const { name } = authorization.client;
  const mayChange = authorization.scope === 'read write';
  const allowed = operations.filter(({ effect }) => mayChange || effect === 'read');
  return renderPage(
    <Layout title="Let an assistant in" width="narrow" is_sandbox={props.is_sandbox}>
      <h1>
        Let <Foreign text={name} /> in?
      </h1>
      {problem !== undefined && (
        <div class="notice" data-tone="bad" role="alert">
          <p>{problem}</p>
        </div>
      )}
      <ClientCard authorization={authorization} />
      <p>
        It will act for the account{' '}
        <strong>
          <Foreign text={account} />
        </strong>
        , with all its shops, until you end it in the dashboard or with <code>listing-service grants</code>.
        {mayChange ? 'It may do whatever a key may:' : 'It may only look:'}
      </p>
      <ul>
        <li>see your shops, listings, uploads and order notices</li>
        {mayChange && <Changes />}
      </ul>
      <p class="note">
        Asked for as <code>{authorization.scope}</code>.
      </p>
      <details>
        <summary>All {allowed.length} things, one by one</summary>
        <ul>
          {allowed.map(({ id, title, effect }) => (
            <li key={id}>
              {title}
              {effect !== 'read' && <span class="note"> (changes something)</span>}
            </li>
          ))}
        </ul>
      </details>
      <form method="post" action={`${PATHS.authorize}${search}`}>
        <input type="hidden" name="csrf_token" value={csrf_token} />
        <div class="row">
          <button type="submit" name="decision" value="allow">
            Allow
          </button>
          <button type="submit" name="decision" value="deny" class="quiet">
            Do not allow
          </button>
        </div>
      </form>
      <p class="note">
        Another account? <a href={withPrompt(search)}>Sign in with another key</a>.
      </p>
    </Layout>,
  );
}

function Changes() {
  return (
    <>
      <li>create, publish and delete listings</li>
      <li>
        activate listings, for which the marketplace takes {MARKETPLACE_FACTS.listing_fee_usd.toFixed(2)} USD
        each
      </li>
      <li>change where order notices are sent</li>
    </>
  );
}

function withPrompt(search: string): string {
  const query = new URLSearchParams(search);
  query.set('prompt', 'login');
  return `${PATHS.authorize}?${query}`;
}
