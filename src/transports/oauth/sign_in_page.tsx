import type { Authorization } from '../../core/grants/authorization.js';
import { Foreign, KeyFields, Layout, renderPage } from '../../pages/index.js';
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
        <KeyFields>
          It begins with mls_. The assistant does not get to see it. <code>listing-service keys create</code>{' '}
          makes one.
        </KeyFields>
      </form>
    </Layout>,
  );
}
