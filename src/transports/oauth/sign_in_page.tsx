import type { Authorization } from '../../core/identity/grants/authorization.js';
import { Foreign, KeyFields, KeyProblem, Layout, renderPage } from '../../pages/index.js';
import { ClientCard } from './client_card.js';
import { PATHS } from './metadata.js';

type Props = {
  is_sandbox: boolean;
  authorization: Authorization;
  /** Parameters of the request, which the form repeats. */
  search: string;
  /** The key that was refused. */
  refused?: { expired_at: string | undefined };
};

export function buildSignInPage({ is_sandbox, authorization, search, refused }: Props): string {
  return renderPage(
    <Layout title="Sign in" width="narrow" is_sandbox={is_sandbox}>
      <h1>Sign in to let an assistant in</h1>
      {refused && (
        <div class="notice" data-tone="bad" role="alert">
          <KeyProblem expired_at={refused.expired_at} />
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
