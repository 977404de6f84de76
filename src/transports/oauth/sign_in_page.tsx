import type { Authorization } from '../../core/grants/authorization.js';
import { Foreign, Layout, renderPage } from '../../pages/index.js';
import { ClientCard } from './client_card.js';
import { PATHS } from './metadata.js';

/** @param search of the request, which the form repeats */
export function buildSignInPage(authorization: Authorization, search: string, problem?: string): string {
  return renderPage(
    <Layout title="Sign in" width="narrow">
      <h1>Sign in to let an assistant in</h1>
      {problem !== undefined && (
        <div class="notice" data-tone="bad" role="alert">
          <p>{problem}</p>
        </div>
      )}
      <p>
        <Foreign text={authorization.client.name} /> asks to use your shops through this service. Sign in
        first; you are asked on the next page.
      </p>
      <ClientCard authorization={authorization} />
      <form class="card" method="post" action={`${PATHS.authorize}${search}`}>
        <div class="field">
          <label for="key">API key</label>
          <input
            id="key"
            name="key"
            type="password"
            autocomplete="current-password"
            required
            aria-describedby="key-note"
          />
          <p class="note" id="key-note">
            It begins with mls_. The assistant does not get to see it.{' '}
            <code>listing-service keys create</code> makes one.
          </p>
        </div>
        <div>
          <button type="submit">Sign in</button>
        </div>
      </form>
    </Layout>,
  );
}
