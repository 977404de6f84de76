import type { Refused } from '../../core/ports/index.js';
import { renderAllForSeller, writeText } from '../../core/issues/render.js';
import type { ConnectOutcome } from '../../core/ports/index.js';
import { Foreign, Layout, renderPage } from '../../pages/index.js';

type Connected = Extract<ConnectOutcome, { ok: true }>;

/** Where the seller continues from here, and whether the shop is a sandbox shop. */
type Around = { return_path: string | null; is_sandbox: boolean };

export function buildConnectedPage(outcome: Connected, { return_path, is_sandbox }: Around): string {
  const { shop_name, currency_code, is_known, last_synced_at } = outcome;
  return renderPage(
    <Layout title="Shop connected" width="narrow" part={toPart(return_path)} is_sandbox={is_sandbox}>
      <h1>Shop connected</h1>
      <div class="notice" data-tone="ok">
        <p>
          <Foreign text={shop_name} /> ({currency_code}) is connected{is_known ? ' again' : ''}.
        </p>
        <p>
          Its data was read at{' '}
          <time dateTime={last_synced_at}>{last_synced_at.slice(0, 16).replace('T', ' ')} UTC</time>.
        </p>
      </div>
      <Return path={return_path} />
    </Layout>,
  );
}

export function buildNotConnectedPage(
  { hint, issues }: Refused,
  { return_path, is_sandbox }: Around,
): string {
  return renderPage(
    <Layout title="Shop not connected" width="narrow" part={toPart(return_path)} is_sandbox={is_sandbox}>
      <h1>Shop not connected</h1>
      <div class="notice" data-tone="bad" role="alert">
        <p>
          <Foreign text={renderAllForSeller(issues).map(writeText).join(' ')} />
        </p>
        <p>{hint}</p>
      </div>
      <Return path={return_path} />
    </Layout>,
  );
}

/** A seller who came from a CLI command has no other page to go to: the dashboard may not be served. */
function toPart(return_path: string | null): 'front' | 'alone' {
  return return_path === null ? 'alone' : 'front';
}

function Return({ path }: { path: string | null }) {
  if (path === null) return <p>You can close this window.</p>;
  return (
    <p>
      <a href={path}>Back to where you came from</a>
    </p>
  );
}
