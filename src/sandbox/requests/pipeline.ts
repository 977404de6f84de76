import { checkCredentials } from './admission.js';
import { readBody, readContentType } from './bodies.js';
import { ok } from './call.js';
import type { Answer, Call, CallBody, Caller, Fields, Route } from './call.js';
import { toReply, type Outcome, type Reply, type Request } from './endpoint.js';
import { takeFault } from './faults.js';
import type { FaultAction, FaultTarget } from './faults.js';
import { INVENTED, VERBATIM } from './messages.js';
import { exchange } from '../oauth.js';
import type { SandboxPorts } from '../ports.js';
import { readRateHeaders, takeCall, type RateLimits } from './rates.js';
import { buildAuthRefusal, buildRefusal, Refusal } from './refusal.js';
import { expireOrRenew } from '../rules/expiry.js';
import { announceListings } from '../rules/listing_events.js';
import { readSettings } from '../settings.js';
import type { Settings } from '../settings.js';
import type { Database } from '../store/database.js';
import { findListing } from '../store/listings.js';
import type { Application } from '../store/applications.js';
import { SANDBOX_APP } from '../world/shops.js';

type PipelineOptions = {
  db: Database;
  ports: SandboxPorts;
  /** Settings of this process; those posted to the control route take precedence. */
  settings: Partial<Settings>;
  /** Waits; rejects early if the server closes. */
  pause(ms: number): Promise<void>;
  toOrigin(request: Request): string;
};

type Admission = {
  settings: Settings;
  headers: Record<string, string>;
  caller: Caller | undefined;
  /** Undefined if the key is refused. */
  application?: Application;
  refusal?: Refusal;
  fault?: FaultAction;
};

export const TOKEN_PATH = '/v3/public/oauth/token';

/**
 * Processes one call: credentials, limits, route, fault, body, effect, fault, answer. Counting and the effect
 * are two transactions, so a fault is used up and a call is counted even if the effect is refused.
 */
export function createPipeline(options: PipelineOptions) {
  const { db, ports } = options;

  async function serve(route: Route | undefined, request: Request): Promise<Outcome> {
    const now_ms = ports.nowMs();
    const admission = db.write(() => admit(route, request, now_ms));
    const stamp = { ...admission.headers, ...buildStamp(ports, now_ms, admission.settings) };
    if (admission.refusal) return stampReply(stamp, toReply(toAnswer(admission.refusal)));
    if (!route) return stampReply(stamp, toReply(toAnswer(buildRefusal(404, INVENTED.not_in_sandbox))));

    const outcome = await perform({ ...admission, now_ms }, async () => {
      const body = await readBody(route, request).catch(toRefusal);
      return body instanceof Refusal ? () => toAnswer(body) : () => runRoute(route, request, admission, body);
    });
    return stampReply(stamp, outcome);
  }

  /** The token endpoint: outside the limits and without a key, but faults can strike it as `requestToken`. */
  async function serveToken(request: Request): Promise<Outcome> {
    const now_ms = ports.nowMs();
    const fields = readTokenFields(request);
    const admission = db.write((): Admission => {
      const settings = readSettings(db, options.settings);
      countOperation(db, 'requestToken');
      const target = {
        operation: 'requestToken',
        method: 'POST',
        path: TOKEN_PATH,
        findShopId: () => undefined,
      };
      const fault = takeFault(db, target, () => ports.chance());
      const headers = readRateHeaders(db, fields?.get('client_id') ?? '', now_ms, settings);
      return { settings, headers, caller: undefined, ...(fault && { fault }) };
    });
    const stamp = { ...admission.headers, ...buildStamp(ports, now_ms, admission.settings) };
    const outcome = await perform({ ...admission, now_ms }, () =>
      Promise.resolve(() => {
        try {
          if (!fields) throw buildAuthRefusal(400, 'invalid_request', INVENTED.json_malformed);
          return ok(db.write(() => exchange(db, ports, fields, admission.settings.access_token_ttl_s)));
        } catch (error) {
          return toAnswer(toRefusal(error));
        }
      }),
    );
    return stampReply(stamp, outcome);
  }

  return { serve, serveToken };

  async function perform(
    { fault, settings, now_ms }: Admission & { now_ms: number },
    prepare: () => Promise<() => Answer>,
  ): Promise<Outcome> {
    if (fault?.type === 'status') return toFaultReply(fault);
    if (fault?.type === 'reset' || fault?.type === 'stall') return fault.type;
    const effect = await prepare();
    if (fault?.type === 'slow') await options.pause(fault.ms);
    const first = effect();
    const second = fault?.type === 'double' ? effect() : first;
    const answer = fault?.type === 'double' && fault.answer === 'second' ? second : first;
    if (fault?.type === 'commit_then_reset') return 'reset';
    if (fault?.type === 'double' && fault.answer === 'lost') return 'reset';
    if (fault?.type === 'commit_then_status') return toFaultReply(fault);
    if (fault?.type === 'commit_then_slow') await options.pause(fault.ms);
    const rest_ms = settings.latency_ms - (ports.nowMs() - now_ms);
    if (rest_ms > 0) await options.pause(rest_ms);
    return toReply(answer);
  }

  function admit(route: Route | undefined, request: Request, now_ms: number): Admission {
    const settings = readSettings(db, options.settings);
    const checked = checkCredentials(db, route, request, now_ms);
    if ('refusal' in checked) {
      const headers = readRateHeaders(db, SANDBOX_APP.keystring, now_ms, settings);
      return { settings, headers, caller: undefined, refusal: checked.refusal };
    }
    expireOrRenew(db, now_ms);
    const { application, caller } = checked;
    const { headers, refused } = takeCall(db, application.keystring, now_ms, toLimits(application, settings));
    if (refused) {
      const text = refused.window === 'second' ? VERBATIM.rate_per_second : INVENTED.rate_per_day;
      return { settings, headers, caller: undefined, refusal: buildRefusal(429, text) };
    }
    if (!route) return { settings, headers, caller, application };
    countOperation(db, route.operation);
    const fault = takeFault(db, toFaultTarget(db, route, request), () => ports.chance());
    return { settings, headers, caller, application, ...(fault && { fault }) };
  }

  function runRoute(route: Route, request: Request, admission: Admission, body: CallBody): Answer {
    const call: Call = {
      ...body,
      db,
      ports,
      settings: admission.settings,
      now_ms: ports.nowMs(),
      origin: options.toOrigin(request),
      caller: admission.caller,
      application_id: admission.application?.application_id ?? 0,
      params: toParams(request),
      query: toQuery(request),
    };
    try {
      if (route.method === 'GET') return db.read(() => route.run(call));
      return db.write(() => announceListings(call, toListingId(request), () => route.run(call)));
    } catch (error) {
      return toAnswer(toRefusal(error));
    }
  }
}

function toLimits(application: Application, settings: Settings): RateLimits {
  return {
    rate_per_second: application.rate_per_second ?? settings.rate_per_second,
    rate_per_day: application.rate_per_day ?? settings.rate_per_day,
  };
}

/** Headers of the answer itself take precedence. */
function stampReply(stamp: Readonly<Record<string, string>>, outcome: Outcome): Outcome {
  return typeof outcome === 'string' ? outcome : { ...outcome, headers: { ...stamp, ...outcome.headers } };
}

/**
 * Added to every answer. The date is that of the sandbox's own clock, unless a setting shifts it: clients
 * compare theirs with it.
 */
function buildStamp(
  ports: SandboxPorts,
  now_ms: number,
  { date_ahead_ms }: Settings,
): Record<string, string> {
  const date = new Date(now_ms + date_ahead_ms).toUTCString();
  return { date, 'x-etsy-request-uuid': ports.randomUuid() };
}

function toAnswer(refusal: Refusal): Answer {
  return { status: refusal.status, body: refusal.body, headers: refusal.headers };
}

// Any error other than a refusal is a bug of the sandbox; its text is not sent, as on the marketplace.
function toRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : buildRefusal(500, describeOwnFault(error));
}

/** The parts of the path that the route names. */
export function toParams(request: Request): Record<string, string> {
  const { params } = request;
  if (typeof params !== 'object' || params === null) return {};
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
}

/** The listing in the path; undefined if it names none. */
export function toListingId(request: Request): number | undefined {
  const { listing_id } = toParams(request);
  return listing_id === undefined ? undefined : Number(listing_id) || 0;
}

/** The fields of a form body, under any content type: only the token and consent endpoints are that lenient. */
export function toForm(request: Request): Fields {
  const text = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
  return new Map(new URLSearchParams(text));
}

/** The fields of the token endpoint's body, a form or JSON. Undefined for malformed JSON. */
function readTokenFields(request: Request): Fields | undefined {
  if (readContentType(request) !== 'application/json') return toForm(request);
  try {
    const body = JSON.parse(String(request.body)) as unknown;
    const fields = typeof body === 'object' && body !== null ? Object.entries(body) : [];
    return new Map(fields.map(([name, value]) => [name, String(value)]));
  } catch {
    return undefined;
  }
}

export function toQuery(request: Request): Fields {
  const at = request.url.indexOf('?');
  return new Map(new URLSearchParams(at === -1 ? '' : request.url.slice(at + 1)));
}

function countOperation(db: Database, operation: string): void {
  db.run(
    'INSERT INTO operation_calls VALUES (?, 1) ON CONFLICT (operation) DO UPDATE SET calls = calls + 1',
    operation,
  );
}

function toFaultReply({ status, headers, body, raw }: Extract<FaultAction, { status: number }>): Reply {
  const lower = Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  if (raw) {
    const text = typeof body === 'string' ? body : '';
    return { status, headers: { ...lower, 'content-type': 'text/html' }, body: text };
  }
  return toReply({ status, headers: lower, body: body ?? { error: INVENTED.server_error } });
}

function toFaultTarget(db: Database, route: Route, request: Request): FaultTarget {
  const params = toParams(request);
  return {
    operation: route.operation,
    method: route.method,
    path: request.url.split('?', 1)[0] ?? '',
    findShopId: () =>
      params.shop_id === undefined
        ? findListing(db, Number(params.listing_id ?? 0))?.shop_id
        : Number(params.shop_id),
  };
}

/**
 * The embedded marketplace shares the disk of the service that embeds it, and reports its faults: a real one
 * would have no fault then.
 */
export function describeOwnFault(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const isUnwritable = /^(ENOSPC|EDQUOT|EROFS|SQLITE_(FULL|READONLY|CANTOPEN))/.test(code);
  return isUnwritable ? INVENTED.file_not_writable : INVENTED.server_error;
}
