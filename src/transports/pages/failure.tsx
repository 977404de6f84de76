import type { ErrorBody } from '../../../schemas/error.js';
import { Foreign, Layout, renderPage } from '../../pages/index.js';

/** An error page outside of the dashboard: the problem, and where to go instead. */
export function buildFailurePage({ error }: ErrorBody, is_sandbox: boolean): string {
  const title = TITLES[error.status] ?? 'This did not work';
  return renderPage(
    <Layout title={title} width="narrow" is_sandbox={is_sandbox}>
      <h1>{title}</h1>
      <div class="notice" data-tone="bad" role="alert">
        <p class="pre-line">
          <Foreign text={error.message} />
        </p>
        <p>{error.hint}</p>
      </div>
      <p>
        From the <a href="/">front page</a> the ways lead to the <a href="/dashboard">dashboard</a>, the{' '}
        <a href="/docs">documentation</a> and the interfaces for programs.
      </p>
    </Layout>,
  );
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'This was not understood',
  404: 'There is nothing here',
  429: 'Too many requests',
  500: 'Something went wrong',
};
