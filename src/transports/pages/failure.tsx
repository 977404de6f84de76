import type { Refused } from '../../core/ports/index.js';
import { renderAllForSeller, writeText } from '../../core/issues/render.js';
import { Foreign, Layout, renderPage } from '../../pages/index.js';

/** An error page outside the dashboard: the problem, and where to go instead. */
export function buildFailurePage({ status, hint, issues }: Refused, isSandbox: boolean): string {
  const title = TITLES[status] ?? 'This did not work';
  return renderPage(
    <Layout title={title} width="narrow" is_sandbox={isSandbox}>
      <h1>{title}</h1>
      <div class="notice" data-tone="bad" role="alert">
        <p>
          <Foreign text={renderAllForSeller(issues).map(writeText).join(' ')} />
        </p>
        <p>{hint}</p>
      </div>
      <p>
        The <a href="/">front page</a> links to the <a href="/dashboard">dashboard</a>, the{' '}
        <a href="/docs">documentation</a>, and the interfaces for programs.
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
