import type { Issue } from '../../../schemas/issue.js';
import type { Ports } from '../ports/index.js';
import { ServiceError } from '../errors.js';
import { buildValidationError } from '../issues/issues.js';
import { toServiceError } from '../operations/service_error.js';
import { MarketplaceError, type Application, type ConnectRequest, type ShopRef } from '../ports/index.js';

/** An application as a seller enters it. The secret may be left out if the application is known. */
export type GivenApplication = {
  keystring: string;
  shared_secret?: string | undefined;
  webhook_secret?: string | undefined;
};

/** The chosen application, as stored until the seller has answered the consent. */
type Chosen = Pick<ConnectRequest, 'keystring' | 'brought'>;

/** Chooses the application that a shop is connected with. */
type ConnectingApplication = {
  /**
   * Whether the seller must name an application: neither the shop nor the installation has one, or the marketplace now
   * refuses the shop's.
   */
  isNeeded(account_id: string, shop_id: number | undefined): Promise<boolean>;
  /** Throws VALIDATION_FAILED if an application is needed, is incomplete, or is refused by the marketplace. */
  choose(
    account_id: string,
    shop_id: number | undefined,
    given: GivenApplication | undefined,
  ): Promise<Chosen>;
  /**
   * The chosen application with its secrets; null: the installation's own. Throws VALIDATION_FAILED if it is no longer known.
   */
  find(request: Pick<ConnectRequest, 'account_id'> & Chosen): Promise<Application | null>;
};

const OWN: Chosen = { keystring: null, brought: null };

export function createConnectingApplication({
  store,
  marketplace,
}: Pick<Ports, 'store' | 'marketplace'>): ConnectingApplication {
  const { applications } = store;

  /**
   * The application to use if none is given: the shop's while it is connected, otherwise the installation's; undefined if
   * there is none or the shop's is refused.
   */
  async function findFitting(account_id: string, shop_id: number | undefined): Promise<Chosen | undefined> {
    const shop: ShopRef | undefined = shop_id === undefined ? undefined : { account_id, shop_id };
    const kept = shop && (await applications.findShopApplication(shop));
    if (kept) return (await isRefused(kept)) ? undefined : { keystring: kept.keystring, brought: null };
    return marketplace.own_keystring === undefined ? undefined : OWN;
  }

  /** Whether the marketplace refuses the key. Other errors, such as no answer, do not count as a refusal. */
  async function isRefused({ keystring, shared_secret }: Application): Promise<boolean> {
    return marketplace.checkKey({ keystring, shared_secret }).then(
      () => false,
      (cause: unknown) => cause instanceof MarketplaceError && cause.failure === 'credentials',
    );
  }

  /** Checks the key before the seller is sent to the marketplace. Throws VALIDATION_FAILED if the marketplace refuses it. */
  async function check(keystring: string, shared_secret: string): Promise<void> {
    try {
      await marketplace.checkKey({ keystring, shared_secret });
    } catch (cause) {
      if (!(cause instanceof MarketplaceError) || cause.failure !== 'credentials')
        throw toServiceError(cause);
      const { message, is_ours } = cause;
      throw new ServiceError(
        'VALIDATION_FAILED',
        { code: 'application_refused', params: { answer: { message, is_ours } } },
        { cause, hint: WRONG_KEY },
      );
    }
  }

  async function chooseGiven(account_id: string, given: GivenApplication): Promise<Chosen> {
    const keystring = clean(given.keystring);
    const shared_secret = clean(given.shared_secret ?? '');
    const webhook_secret = clean(given.webhook_secret ?? '') || null;
    if (keystring.includes(':')) throw refuse({ code: 'keystring_has_colon', at: 'keystring', params: {} });
    if (!WORD.test(keystring)) throw refuse({ code: 'keystring_wrong', at: 'keystring', params: {} });
    if (webhook_secret !== null && !WEBHOOK_SECRET.test(webhook_secret)) {
      throw refuse({ code: 'webhook_secret_wrong', at: 'webhook_secret', params: {} });
    }
    if (shared_secret === '') {
      if (webhook_secret !== null) throw refuse(buildMissing('webhook_secret'));
      if (keystring === marketplace.own_keystring) return OWN;
      if (await applications.findApplication(account_id, keystring)) return { keystring, brought: null };
      throw refuse(buildMissing('application'));
    }
    if (!WORD.test(shared_secret)) {
      throw refuse({ code: 'shared_secret_wrong', at: 'shared_secret', params: {} });
    }
    await check(keystring, shared_secret);
    return { keystring, brought: { shared_secret, webhook_secret } };
  }

  return {
    isNeeded: async (account_id, shop_id) => (await findFitting(account_id, shop_id)) === undefined,
    async choose(account_id, shop_id, given) {
      if (given) return chooseGiven(account_id, given);
      const fitting = await findFitting(account_id, shop_id);
      if (fitting) return fitting;
      throw refuse({ code: 'application_required', at: '', params: {} });
    },
    async find({ account_id, keystring, brought }) {
      if (keystring === null) return null;
      if (brought) return { keystring, ...brought };
      const known = await applications.findApplication(account_id, keystring);
      if (known) return known;
      throw refuse({ code: 'application_gone', at: '', params: {} });
    },
  };
}

const WORD = /^[\x21-\x7e]{1,200}$/;
const WEBHOOK_SECRET = /^(whsec_)?[A-Za-z0-9+/]{22,500}={0,2}$/;

/** Trims, since pasted text comes with spaces around it. */
function clean(text: string): string {
  return text.trim();
}

function buildMissing(by: 'webhook_secret' | 'application'): Issue {
  return { code: 'shared_secret_required', at: 'shared_secret', params: { by } };
}

function refuse(issue: Issue): ServiceError {
  return buildValidationError([issue], WHERE);
}

const WHERE =
  'Copy the keystring and the shared secret of your application from etsy.com/developers/your-apps; a shop without one gets it there as Seller API Access.';
const WRONG_KEY =
  'Copy both again from the same application at etsy.com/developers/your-apps, and check that it is approved and not revoked.';
