import type { Session } from '../core/identity/sessions.js';
import type { Refused } from '../core/ports/index.js';
import { Layout } from '../pages/index.js';
import { Refusal } from './components/notice.js';
import { Dashboard } from './layout.js';
import { PREFIX } from './routes.js';

type Props = { error: Refused; session: Session | undefined; is_sandbox: boolean };

export function ErrorPage({ error, session, is_sandbox }: Props) {
  const title =
    error.code === 'MARKETPLACE_UNAVAILABLE' ? 'Not now' : (TITLES[error.status] ?? 'This did not work');
  const content = (
    <>
      <h1>{title}</h1>
      <Refusal error={error} />
      <p>
        <a href={PREFIX}>To Today</a>
      </p>
    </>
  );
  return session ? (
    <Dashboard visit={{ csrf_token: session.csrf_token, is_sandbox }} title={title} width="narrow">
      {content}
    </Dashboard>
  ) : (
    <Layout title={title} width="narrow" is_sandbox={is_sandbox}>
      {content}
    </Layout>
  );
}

const TITLES: Record<number, string> = {
  404: 'Not found',
  429: 'Too many tries',
  500: 'Something went wrong',
};
