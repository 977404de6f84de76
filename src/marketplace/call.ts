import {
  MarketplaceError,
  type CallOptions,
  type Clock,
  type Log,
  type ShopRef,
} from '../core/ports/index.js';
import type { AccessTokens } from './access_tokens.js';
import { toSearchParams, type EncodedBody, type FormFields } from './encode.js';
import { parseRefusal, toMarketplaceError, type Refusal } from './failures.js';
import { HttpFailure, type Http, type HttpAnswer } from './http.js';
import { isWrite, OPERATIONS, type OperationId, type WireOperation } from './operations.js';
import type { Pacing } from './pacing.js';

/** How often, and how long in all, a call waits out a 429 before its caller is told. */
const MAX_HOLDS = 3;
const MAX_HOLD_MS = 60_000;
const READ_PAUSE_MS = 250;

export type WireCall = {
  operation_id: OperationId;
  /** Whose token goes with it; left out for public reads. */
  shop?: ShopRef;
  /** Values for the path's parameters besides shop_id. */
  path?: Readonly<Record<string, number>>;
  query?: FormFields;
  body?: EncodedBody;
  options?: CallOptions | undefined;
};

/** Makes a call and returns the parsed JSON, undefined when there is none. Throws MarketplaceError. */
export type Send = (wire_call: WireCall) => Promise<unknown>;

export type CallerOptions = {
  http: Http;
  pacing: Pacing;
  access_tokens: AccessTokens;
  getApiUrl: () => Promise<string>;
  api_key: string;
  clock: Clock;
  log: Log;
  call_timeout_ms: number;
  upload_timeout_ms: number;
  read_attempts: number;
  onDate: (date: string, sent_at_ms: number, received_at_ms: number) => void;
};

/** The one way to the marketplace: paced, with the right token, and with every failure told apart. Writes are sent once. */
export function createSend(options: CallerOptions): Send {
  const { http, pacing, access_tokens, clock, log } = options;

  async function attempt(wire_call: WireCall, token: string | undefined): Promise<HttpAnswer> {
    const operation: WireOperation = OPERATIONS[wire_call.operation_id];
    const signal = wire_call.options?.signal;
    const url = await buildUrl(operation, wire_call);
    await pacing.enter(signal);
    const sent_at_ms = clock.now().getTime();
    const answer = await http.send({
      method: operation.method,
      url,
      headers: {
        'x-api-key': options.api_key,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(wire_call.body ? { body: wire_call.body } : {}),
      deadline_ms: operation.encoding === 'multipart' ? options.upload_timeout_ms : options.call_timeout_ms,
      signal,
    });
    pacing.learn(answer.headers);
    const date = answer.headers.get('date');
    if (date !== null) options.onDate(date, sent_at_ms, clock.now().getTime());
    return answer;
  }

  /** Waits out 429 and renews a token once; any other refusal comes back as it is. */
  async function settle(wire_call: WireCall): Promise<HttpAnswer> {
    let token = await getToken(wire_call);
    let has_renewed = false;
    let held_ms = 0;
    for (let holds = 0; ;) {
      const answer = await attempt(wire_call, token);
      if (answer.status === 429) {
        const wait_ms = pacing.hold(answer.headers);
        held_ms += wait_ms;
        holds += 1;
        if (holds > MAX_HOLDS || held_ms > MAX_HOLD_MS) throw toRateError(answer, wait_ms);
        continue;
      }
      const isTokenRefused =
        answer.status === 401 && token !== undefined && wire_call.shop !== undefined && !has_renewed;
      if (!isTokenRefused || !wire_call.shop || token === undefined) return answer;
      has_renewed = true;
      token = await access_tokens.replace(wire_call.shop, token);
    }
  }

  async function getToken({ operation_id, shop }: WireCall): Promise<string | undefined> {
    return OPERATIONS[operation_id].needs_token && shop ? access_tokens.get(shop) : undefined;
  }

  async function sendOnce(wire_call: WireCall): Promise<unknown> {
    const is_write = isWrite(wire_call.operation_id);
    let answer: HttpAnswer;
    try {
      answer = await settle(wire_call);
    } catch (cause) {
      if (!(cause instanceof HttpFailure)) throw cause;
      const failure = is_write && !cause.is_unsent ? 'unknown' : 'unavailable';
      log.warn('marketplace call failed', {
        operation: wire_call.operation_id,
        shop_id: wire_call.shop?.shop_id,
        failure,
      });
      throw new MarketplaceError(failure, cause.message, { cause });
    }
    if (answer.status >= 200 && answer.status < 300) return parseJson(answer, is_write);
    const refusal = parseRefusal(answer);
    logRefusal(wire_call, refusal);
    throw toMarketplaceError(refusal, is_write);
  }

  return async (wire_call) => {
    if (isWrite(wire_call.operation_id)) return sendOnce(wire_call);
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await sendOnce(wire_call);
      } catch (cause) {
        const isPassing = cause instanceof MarketplaceError && cause.failure === 'unavailable';
        if (!isPassing || attempts >= options.read_attempts) throw cause;
        await clock.sleep(READ_PAUSE_MS * 2 ** (attempts - 1), wire_call.options?.signal);
      }
    }
  };

  async function buildUrl({ path }: WireOperation, wire_call: WireCall): Promise<URL> {
    const values: Record<string, number | undefined> = {
      shop_id: wire_call.shop?.shop_id,
      ...wire_call.path,
    };
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
    const url = new URL(`/v3/application${filled}`, await options.getApiUrl());
    if (wire_call.query) url.search = toSearchParams(wire_call.query).toString();
    return url;
  }

  function logRefusal({ operation_id, shop }: WireCall, { status, message, request_id }: Refusal): void {
    log.warn('marketplace refused a call', {
      operation: operation_id,
      shop_id: shop?.shop_id,
      status,
      message: message.slice(0, 300),
      marketplace_request_id: request_id,
    });
  }
}

function toRateError(answer: HttpAnswer, wait_ms: number): MarketplaceError {
  const { message, request_id } = parseRefusal(answer);
  return new MarketplaceError('rate_limited', message, {
    status: 429,
    retry_after_seconds: Math.max(1, Math.ceil(wait_ms / 1000)),
    ...(request_id === undefined ? {} : { request_id }),
  });
}

function parseJson({ status, text }: HttpAnswer, is_write: boolean): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const failure = is_write ? 'unknown' : 'unavailable';
    throw new MarketplaceError(failure, `HTTP ${status} with a body that is not JSON`, { status, cause });
  }
}
