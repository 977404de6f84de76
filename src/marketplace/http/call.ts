import { MarketplaceError, type CallOptions } from '../../core/ports/marketplace_call.js';
import type { ShopRef } from '../../core/ports/records.js';
import type { Clock, Log } from '../../core/ports/world.js';
import { retry } from '../../core/async/retry.js';
import { toQueryString, type Fields, type RequestBody } from './encode.js';
import {
  buildAnswerError,
  isTokenRefused,
  parseJson,
  parseRefusal,
  toFailure,
  toLostFailure,
} from './errors.js';
import type { Http, HttpAnswer, LostRequest } from './http.js';
import type { AppIdentity } from '../access/oauth.js';
import type { ClockSkew } from '../time/clock_skew.js';
import type { MarketplaceTime } from '../time/marketplace_time.js';
import { getLane, needsToken, type Operation } from '../endpoints/operations.js';
import { MAX_HOLD_MS, TooLongError, type Lane, type Pacing } from '../limits/pacing.js';
import { readRateHeaders } from '../limits/rate_headers.js';
import { parseRetryAfter } from './retry_after.js';
import type { Tokens } from '../access/tokens.js';
import { UnreadableError } from '../map/wire.js';
import type { MarketplaceFigures } from '../../core/ports/store/figures.js';

export type CallRequest = {
  /** The shop whose token is sent; undefined if the operation takes none. */
  shop?: ShopRef;
  /** Used instead of a shop's token while the seller's consent is not stored yet. Never refreshed. */
  access_token?: string;
  /** Values of the path's placeholders. */
  path?: Readonly<Record<string, number | string>>;
  query?: Fields;
  body?: RequestBody;
};

/**
 * Makes one call of the API and reads its answer with `parse`, which throws UnreadableError for an unusable
 * one. Throws MarketplaceError, or the reason of the signal.
 */
export type Call = <T>(
  operation: Operation,
  request: CallRequest,
  parse: (body: unknown) => T,
  options?: CallOptions,
) => Promise<T>;

type CallParts = AppIdentity & {
  getApiUrl: () => Promise<string>;
  http: Http;
  pacing: Pacing;
  tokens: Tokens;
  skew: ClockSkew;
  time: MarketplaceTime;
  count: CallCount;
  clock: Clock;
  log: Log;
  call_timeout_ms: number;
  upload_timeout_ms: number;
  read_attempts: number;
};

/** How many times a call is resent after a 429, even a write: a 429 means that nothing was done. */
const MAX_RATE_RETRIES = 3;
const READ_PAUSE_MS = 200;

export function createCall(parts: CallParts): Call {
  const { http, pacing, tokens, skew, time, count, clock, log } = parts;
  const { keystring, shared_secret, user_agent, call_timeout_ms, upload_timeout_ms } = parts;
  const own_headers = { 'x-api-key': `${keystring}:${shared_secret}`, 'user-agent': user_agent };
  let api = { url: '', origin: '' };

  return async (operation, request, parse, options = {}) => {
    const { signal } = options;
    const attempts = operation.method === 'GET' ? parts.read_attempts : 1;
    const make = async (attempt: number) => {
      try {
        return readAnswer(operation, await exchange(operation, request, options), parse);
      } catch (cause) {
        if (cause instanceof MarketplaceError) logFailure(operation, request, cause, attempt);
        throw cause;
      }
    };
    return retry(make, {
      attempts,
      isWorthIt: (cause) => cause instanceof MarketplaceError && cause.failure === 'unavailable',
      pause: (attempt) => clock.sleep(READ_PAUSE_MS * 2 ** (attempt - 1), signal),
    });
  };

  /** Sends until the answer is neither a 429 nor a refused token. */
  async function exchange(
    operation: Operation,
    request: CallRequest,
    { signal, send_before_ms: given_ms, beforeSend, is_sent_once = false, lane }: CallOptions,
  ): Promise<HttpAnswer> {
    const shop = needsToken(operation) ? request.shop : undefined;
    let token = shop ? await tokens.getAccessToken(shop, signal) : request.access_token;
    let hasReplaced = false;
    let waited_ms = 0;
    for (let refusals = 0; ;) {
      const answered = await enter(lane ?? getLane(operation), signal);
      const send_before_ms = beforeSend ? await beforeSend() : given_ms;
      if (send_before_ms !== undefined && clock.monotonic() > send_before_ms) {
        throw new MarketplaceError('rate_limited', 'the call was held up for too long and was not sent', {
          retry_after_seconds: 1,
        });
      }
      const answer = await send(operation, request, token, { signal, send_before_ms });
      answered(answer.round_trip_ms);
      if (answer.status === 429) {
        const wait_ms = parseRetryAfter(answer, clock.now());
        pacing.hold(wait_ms);
        refusals += 1;
        waited_ms += wait_ms;
        if (is_sent_once || refusals > MAX_RATE_RETRIES || waited_ms > MAX_HOLD_MS) {
          throw buildAnswerError('rate_limited', answer, parseRefusal(answer), {
            retry_after_seconds: wait_ms / 1000,
          });
        }
      } else if (isTokenRefused(answer) && shop && token !== undefined && !hasReplaced) {
        hasReplaced = true;
        token = await tokens.replaceAccessToken(shop, token, signal);
      } else {
        return answer;
      }
    }
  }

  async function enter(lane: Lane, signal: AbortSignal | undefined): ReturnType<Pacing['enter']> {
    try {
      return await pacing.enter(lane, signal);
    } catch (cause) {
      if (!(cause instanceof TooLongError)) throw cause;
      throw new MarketplaceError('rate_limited', cause.message, {
        retry_after_seconds: cause.wait_ms / 1000,
        cause,
      });
    }
  }

  async function send(
    operation: Operation,
    request: CallRequest,
    token: string | undefined,
    { signal, send_before_ms = Infinity }: CallOptions,
  ): Promise<HttpAnswer> {
    const url = await parts.getApiUrl();
    if (api.url !== url) api = { url, origin: new URL(url).origin };
    const { method, name } = operation;
    const path = buildPath(operation, request);
    const headers = token === undefined ? own_headers : { ...own_headers, authorization: `Bearer ${token}` };
    const timeout_ms = operation.body === 'multipart' ? upload_timeout_ms : call_timeout_ms;
    const start_within_ms = Math.min(timeout_ms, send_before_ms - clock.monotonic());
    const { body } = request;
    const sent = { method, origin: api.origin, path, headers, body, timeout_ms, start_within_ms };
    const answer = await http.send(sent, signal);
    count.add(name, 'reason' in answer ? 'lost' : String(answer.status));
    if ('reason' in answer) throw toLostError(operation, answer);
    pacing.learn(readRateHeaders(answer));
    skew.learn(answer, clock.now());
    time.learn(answer);
    return answer;
  }

  function logFailure(
    operation: Operation,
    request: CallRequest,
    error: MarketplaceError,
    attempt: number,
  ): void {
    log.warn('a call to the marketplace failed', {
      operation: operation.name,
      failure: error.failure,
      status: error.status,
      shop_id: request.shop?.shop_id,
      etsy_request_uuid: error.request_id,
      attempt,
      // Without an answer, the failure is on our side, and its cause contains nothing from the marketplace.
      ...(error.status === null && { cause: error.cause }),
    });
  }
}

function readAnswer<T>(operation: Operation, answer: HttpAnswer, parse: (body: unknown) => T): T {
  const isRead = operation.method === 'GET';
  if (answer.status < 200 || answer.status >= 300) {
    const refusal = parseRefusal(answer);
    throw buildAnswerError(
      toFailure(answer, refusal, { is_read: isRead, has_token: needsToken(operation) }),
      answer,
      refusal,
    );
  }
  try {
    // A write with an empty answer has succeeded all the same.
    const body = answer.text === '' ? null : parseJson(answer.text);
    if (body === undefined) throw new UnreadableError('a body that is not JSON');
    return parse(body);
  } catch (cause) {
    if (!(cause instanceof UnreadableError)) throw cause;
    const text = `HTTP ${answer.status} with ${cause.message}`;
    throw buildAnswerError(
      toLostFailure({ is_read: isRead }),
      answer,
      { text, is_ours: true, fields: [] },
      { cause },
    );
  }
}

function toLostError(
  operation: Operation,
  { can_have_effect, reason, cause }: LostRequest,
): MarketplaceError {
  const isRead = operation.method === 'GET';
  const failure = can_have_effect ? toLostFailure({ is_read: isRead }) : 'unavailable';
  return new MarketplaceError(failure, reason, { cause, is_ours: true });
}

function buildPath(operation: Operation, { path = {}, query }: CallRequest): string {
  let filled = operation.path;
  for (const [name, value] of Object.entries(path)) {
    filled = filled.replace(`{${name}}`, encodeURIComponent(value));
  }
  return `/v3/application${filled}${query ? toQueryString(query) : ''}`;
}

/** Every call that left this process, counted by operation and by the status of its answer, or `lost`. */
type CallCount = {
  add(operation: string, outcome: string): void;
  list(): MarketplaceFigures['calls'];
};

export function createCallCount(): CallCount {
  const counts = new Map<string, Map<string, number>>();
  return {
    add(operation, outcome) {
      const outcomes = counts.get(operation) ?? new Map<string, number>();
      counts.set(operation, outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1));
    },
    list: () =>
      [...counts].flatMap(([operation, outcomes]) =>
        [...outcomes].map(([outcome, count]) => ({ operation, outcome, count })),
      ),
  };
}
