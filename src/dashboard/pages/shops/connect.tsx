import { randomBytes } from 'node:crypto';
import { BROWSER_COOKIE, type Connecting } from '../../../core/connecting.js';
import { Dashboard } from '../../layout.js';
import type { OwnVisit, Page } from '../../page.js';
import { redirect, show } from '../../replies.js';
import { PREFIX } from '../../routes.js';

/**
 * Sends the seller to the marketplace's consent page. A page in between does it, since a form of ours may lead nowhere
 * else, and it goes on by itself with and without scripts.
 */
export function createConnect(connecting: Connecting, base_url: string): Page {
  const secure = base_url.startsWith('https:') ? '; Secure' : '';
  return {
    path: '/shops/connect',
    is_past_gate: true,
    get: () => redirect(`${PREFIX}/shops`),
    async post(visit) {
      const browser_key = randomBytes(32).toString('base64url');
      const shop_id = visit.form.fields.get('shop_id') ?? '';
      const { consent_url } = await connecting.begin(visit.account_id, {
        browser_key,
        return_path: `${PREFIX}/shops`,
        ...(/^[1-9]\d{0,14}$/.test(shop_id) && { shop_id: Number(shop_id) }),
      });
      const cookie = `${BROWSER_COOKIE}=${browser_key}; Path=/connect; HttpOnly; SameSite=Lax${secure}; Max-Age=900`;
      return show(<OnTheWay visit={visit} consent_url={consent_url} />, {
        headers: { 'set-cookie': cookie },
      });
    },
  };
}

function OnTheWay({ visit, consent_url }: { visit: Pick<OwnVisit, 'csrf_token'>; consent_url: string }) {
  return (
    <Dashboard
      visit={visit}
      title="Connect a shop"
      section="Shops"
      width="narrow"
      head={<meta http-equiv="refresh" content={`0;url=${consent_url}`} />}
    >
      <h1>To the marketplace…</h1>
      <p>Sign in there as the shop’s owner and agree; you come back here then.</p>
      <p>
        <a class="button" href={consent_url}>
          Go on
        </a>
      </p>
    </Dashboard>
  );
}
