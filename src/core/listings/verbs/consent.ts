import { createHash } from 'node:crypto';
import type { ListingJobResult, Warning } from '../../../../schemas/job.js';
import { toCanonicalJson } from '../../text/canonical_json.js';
import type { Continuations, Resumed } from '../../operations/continuations.js';
import type { Ports, Binding, ShopJob } from '../../ports/index.js';
import { ServiceError } from '../../errors.js';
import { cleanForeign } from '../../text/foreign.js';
import type { Issue } from '../../../../schemas/issue.js';
import type { Call } from '../../operations/call.js';
import type { Settings } from '../../settings.js';
import { toConfirmation } from './answers.js';
import { toShopJob } from '../jobs/jobs.js';
import { sumFees, toFeeQuestion, type OfferedShop } from '../fees/fee_question.js';

/** A confirm_token is valid for this long. */
const CONFIRM_MS = 10 * 60 * 1000;

/** A tool and its complete request: the scope of a confirm_token. */
type PaidRequest =
  | readonly ['listing_create', Binding]
  | readonly ['listing_copy', Binding & { listing_pk: number }]
  | readonly ['batch_start', { batch_id: string; credential: string }]
  | readonly [
      'listing_publish',
      { listing_pk: number; state: string; shops?: readonly number[]; stock?: number },
    ];

/** The seller's consent to fees, from the arrival of a call to the transaction that creates its job. */
export type FeeConsent = {
  /** Problems of the given confirm_token, for preflight to list with all others. */
  issues: readonly Issue[];
  /** The job created earlier with that token: the response to the repeated call. */
  job: ShopJob | undefined;
  /**
   * Asks for consent to the fees of those shops that cost one, before anything is persisted. Asks nothing if none
   * does. Throws ACTIVATION_DECLINED if the person says no.
   * @param warnings about the request as a whole
   */
  ask(shops: readonly OfferedShop[], warnings: readonly Warning[]): Promise<Agreed>;
};

/**
 * `job_id`: for the job, which uses the token up, since no two jobs share an id. `instead`: the response to return
 * without a job.
 */
type Agreed = { job_id: string } | { instead: ListingJobResult };

export type FeeConsents = {
  /** @param confirm the given token, if the call may cost fees */
  open(call: Call, request: PaidRequest, confirm: string | undefined): Promise<FeeConsent>;
};

/**
 * Asks the person if the client can show a question. Any other assistant, and one whose client dismisses questions
 * by itself, gets a token with the sum and the shops, and spends with its next call, which passes the token. For
 * all other callers, the call itself is consent. With CONFIRM_SPENDING=off only pages are asked, which compare the
 * fees with those they showed.
 */
export function createConsents(
  { store, ids, continuations }: Ports & { continuations: Continuations },
  { confirm_spending }: Pick<Settings, 'confirm_spending'>,
): FeeConsents {
  const clients = createAskableClients({ store });

  async function findShopJob(account_id: string, job_id: string): Promise<ShopJob | undefined> {
    const job = await store.listings.findJob(account_id, job_id);
    // The job of a batch is found through the batch.
    return job && job.listing_pk !== null ? toShopJob(job) : undefined;
  }

  return {
    async open(call, request, confirm) {
      const { account_id } = call.caller;
      const needsToken = confirm_spending && isAssistant(call);
      // A client whose person answers questions is asked, whatever token it has.
      const isAnswering = confirm !== undefined && call.askConsent && (await clients.isKnown(call));
      const token = needsToken && !isAnswering ? confirm : undefined;
      const resumed =
        token === undefined ? undefined : await continuations.resume(account_id, request, token);
      const job_id = resumed ? `job_${resumed.id}` : ids.build('job_');
      const job = resumed && (await findShopJob(account_id, job_id));

      return {
        job,
        issues: token === undefined || job ? [] : listIssues(resumed),
        async ask(shops, warnings) {
          // A page has always shown the fees, and asks about no others.
          const isAsking = confirm_spending || call.face === 'dashboard';
          if (!isAsking || !shops.some(({ is_paid }) => is_paid)) return { job_id };
          const shown = toDigest(shops);
          if (resumed?.memory === shown) return { job_id };
          // A token for other fees shows that the client cannot be asked.
          const asked = resumed ? 'cannot_be_asked' : await askPerson(call, request, shops);
          if (asked === 'accepted' || !needsToken) return { job_id };
          const issued = await continuations.issue(account_id, request, shown, CONFIRM_MS);
          const { continuation: confirm_token, expires_at } = issued;
          const reason = resumed ? 'changed' : asked === 'dismissed' ? 'dismissed' : undefined;
          return { instead: toConfirmation({ confirm_token, expires_at, shops, warnings, reason }) };
        },
      };
    },
  };

  /** Throws ACTIVATION_DECLINED unless the person agreed or could not be asked. */
  async function askPerson(
    call: Call,
    request: PaidRequest,
    shops: readonly OfferedShop[],
  ): Promise<'accepted' | 'dismissed' | 'cannot_be_asked'> {
    if (!call.askConsent) return 'cannot_be_asked';
    const answer = await call.askConsent(toFeeQuestion(shops));
    if (isAssistant(call) && (answer === 'accepted' || answer === 'declined')) await clients.learn(call);
    if (answer === 'accepted') return answer;
    if (
      answer === 'dismissed' &&
      !(await clients.isKnown(call)) &&
      (await clients.isFirstDismissal(call, request, CONFIRM_MS))
    ) {
      return answer;
    }
    const because = answer === 'dismissed' ? 'declined' : answer;
    throw new ServiceError('ACTIVATION_DECLINED', { code: 'fee_declined', params: { because } });
  }
}

/** Over MCP, with any credential; over REST, a client that a person logged in. */
function isAssistant({ face, caller }: Call): boolean {
  return face === 'mcp_http' || face === 'mcp_stdio' || (face === 'rest' && caller.credential === 'token');
}

function listIssues(resumed: Resumed | undefined): Issue[] {
  if (resumed && !resumed.is_expired) return [];
  return [{ code: resumed ? 'confirm_expired' : 'confirm_foreign', at: 'confirm', params: {} }];
}

/** A digest of the seller's consent: the fees, and the shops, each with its price and earlier state. */
function toDigest(shops: readonly OfferedShop[]): string {
  const shown = shops.map(({ shop_id, shop_name, currency_code, price, state }) => [
    shop_id,
    cleanForeign(shop_name),
    currency_code,
    price,
    state,
  ]);
  return hash([sumFees(shops), shown]).slice(0, 22);
}

/** How long a client is remembered for showing questions to its person. */
const KNOWN_MS = 365 * 24 * 60 * 60 * 1000;

/**
 * Records which clients show questions to their person. Some declare that they can but dismiss each question by
 * themselves, and a person may also dismiss one. A client (a credential and the name the client gave itself) is
 * trusted once its person has answered. Kept in the store, so that it applies after a restart and on every
 * instance.
 */
type AskableClients = {
  isKnown(call: Call): Promise<boolean>;
  /** Remembers that the client's person answered a question. */
  learn(call: Call): Promise<void>;
  /**
   * Whether this is the client's first dismissal of the question about this request.
   * @param forget_ms how long a dismissal counts
   */
  isFirstDismissal(call: Call, request: unknown, forget_ms: number): Promise<boolean>;
};

function createAskableClients({ store: { continuations } }: Pick<Ports, 'store'>): AskableClients {
  return {
    isKnown: (call) => continuations.isTaken(call.caller.account_id, nameClient(call)),
    async learn(call) {
      await continuations.take(call.caller.account_id, nameClient(call), KNOWN_MS);
    },
    isFirstDismissal: (call, request, forget_ms) => {
      const name = `dismissed_${hash([nameClient(call), request])}`;
      return continuations.take(call.caller.account_id, name, forget_ms);
    },
  };
}

function nameClient({ caller: { credential, credential_id }, client_name = '' }: Call): string {
  return `client_${hash([credential, credential_id, client_name])}`;
}

function hash(value: unknown): string {
  return createHash('sha256').update(toCanonicalJson(value)).digest('base64url');
}
