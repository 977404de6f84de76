import { randomBytes } from 'node:crypto';
import { BROWSER_COOKIE, type Connecting } from '../../../core/shops/connecting.js';
import type { GivenApplication } from '../../../core/shops/connecting_application.js';
import { toErrorBody, toRefused } from '../../../core/errors.js';
import { toServiceError } from '../../../core/operations/service_error.js';
import { Dashboard } from '../../layout.js';
import type { Framing, Page } from '../../page.js';
import { show } from '../../replies.js';
import { PREFIX } from '../../routes.js';
import { ApplicationForm, PasteAddress } from './application_form.js';

type Options = {
  base_url: string;
  docs_url: string;
  /** The browser cannot open the callback address: another program has its port. */
  is_pasted: boolean;
};

/**
 * Sends the seller to the marketplace's consent page, through a page in between: a form of ours may not lead
 * to another site, and this page continues automatically with and without scripts.
 */
export function createConnect(connecting: Connecting, { base_url, docs_url, is_pasted }: Options): Page {
  const secure = base_url.startsWith('https:') ? '; Secure' : '';
  const callback_address = connecting.redirect_uri;
  return {
    path: '/shops/connect',
    is_outward: true,
    is_past_gate: true,
    get: (visit) => (
      <ApplicationForm {...{ visit, callback_address }} shop_id={getShop(visit.request.query)} keystring="" />
    ),
    async post(visit) {
      const { account_id, form } = visit;
      const shop = getShop(form.fields);
      const shop_id = shop === '' ? undefined : Number(shop);
      const application = readApplication(form.fields);
      if (!application && (await connecting.isApplicationNeeded(account_id, shop_id))) {
        return <ApplicationForm {...{ visit, callback_address }} shop_id={shop} keystring="" />;
      }
      const browser_key = randomBytes(32).toString('base64url');
      const begun = await connecting
        .begin(account_id, {
          browser_key,
          return_path: `${PREFIX}/shops`,
          application,
          ...(shop_id !== undefined && { shop_id }),
        })
        .catch((cause: unknown) => {
          const error = toServiceError(cause);
          return { error: toRefused(toErrorBody(error, docs_url), error.issues) };
        });
      if ('error' in begun) {
        const { error } = begun;
        const keystring = application?.keystring ?? '';
        return show(
          <ApplicationForm
            {...{ visit, callback_address }}
            shop_id={shop}
            keystring={keystring}
            refused={error}
          />,
          {
            status: error.status,
          },
        );
      }
      const { consent_url } = begun;
      const cookie = `${BROWSER_COOKIE}=${browser_key}; Path=/connect; HttpOnly; SameSite=Lax${secure}; Max-Age=900`;
      return show(<OnTheWay {...{ visit, consent_url, is_pasted }} />, {
        headers: { 'set-cookie': cookie },
      });
    },
  };
}

/** Undefined if nothing was typed. */
function readApplication(fields: URLSearchParams): GivenApplication | undefined {
  const [keystring = '', shared_secret = '', webhook_secret = ''] = [
    'keystring',
    'shared_secret',
    'webhook_secret',
  ].map((name) => fields.get(name)?.trim());
  if (keystring === '' && shared_secret === '' && webhook_secret === '') return undefined;
  return { keystring, shared_secret, webhook_secret };
}

/** Empty if none is named. */
function getShop(fields: URLSearchParams): string {
  const shop_id = fields.get('shop_id') ?? '';
  return /^[1-9]\d{0,14}$/.test(shop_id) ? shop_id : '';
}

type OnTheWayProps = { visit: Framing; consent_url: string; is_pasted: boolean };

function OnTheWay({ visit, consent_url, is_pasted }: OnTheWayProps) {
  if (is_pasted) return <Paste visit={visit} consent_url={consent_url} />;
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

/** Stays open while the seller consents in another tab. */
function Paste({ visit, consent_url }: { visit: Framing; consent_url: string }) {
  return (
    <Dashboard visit={visit} title="Connect a shop" section="Shops" width="narrow">
      <h1>Connect a shop</h1>
      <ol class="stack">
        <li>
          <p>Open the marketplace, sign in as the shop’s owner and agree.</p>
          <p>
            <a class="button" href={consent_url} target="_blank" rel="noopener noreferrer">
              Open the marketplace
            </a>
          </p>
        </li>
        <li>
          <p>
            The marketplace sends that tab to an address which another program on this computer answers, or
            which cannot be opened. Paste the address here.
          </p>
          <PasteAddress />
        </li>
      </ol>
    </Dashboard>
  );
}
