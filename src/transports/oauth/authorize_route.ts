import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createAddressLimit, createAddressPlaces } from '../../core/identity/address_limit.js';
import { toExpiredKey } from '../../core/identity/accounts.js';
import { ServiceError } from '../../core/errors.js';
import {
  type Authorization,
  checkAuthorization,
  checkRedirectUri,
} from '../../core/identity/grants/authorization.js';
import { OAuthError } from '../../core/identity/grants/oauth_error.js';
import type { Session } from '../../core/identity/sessions.js';
import { buildPolicy, createSessionCookie } from '../../pages/index.js';
import { toFailure } from '../failure.js';
import type { Guesses } from '../guesses.js';
import { parseCookies } from '../http/cookies.js';
import { sendPage } from '../http/send_page.js';
import type { Service } from '../service.js';
import { buildConsentPage } from './consent_page.js';
import { buildRefusalPage } from './refusal_page.js';
import { buildSignInPage } from './sign_in_page.js';
import { PATHS } from './metadata.js';
import { readUrlForm, toParameters } from './parameters.js';

/**
 * Browsers check the redirect after a form, and all that follow it, against form-action, and an application's
 * own scheme cannot be named there for a client whose site redirects to it. So the consent page, which asks
 * for nothing secret, has no form-action; the page that asks for a key may send it only here.
 */
const CONSENT_POLICY = buildPolicy({ form_targets: 'anywhere' });

/**
 * Checking a request may fetch the client's metadata document; at most this many checks run at a time, across
 * all callers.
 */
const MAX_UNDERSTANDING = 4;

/** The query of the request, as text to repeat it, and parsed. */
type Asked = { search: string; query: URLSearchParams };

export type AuthorizeOptions = { guesses: Guesses };

/**
 * The consent page. A GET shows which client asks and, to a person without a session, where to sign in; only
 * a POST with the session's token gives consent. An invalid request is shown on a page and never redirected
 * automatically: registering a client needs no credentials, so that would be an open redirect.
 */
export function addAuthorizeRoute(
  server: FastifyInstance,
  service: Service,
  { guesses }: AuthorizeOptions,
): void {
  const { grants, sessions, accounts, base_url, window_counts, is_sandbox } = service;
  const cookie = createSessionCookie(base_url);
  const lookups = createAddressLimit(window_counts, { max: 60, window_ms: 60_000, of: 'logins' });
  const inPlace = createAddressPlaces({ max: MAX_UNDERSTANDING, of: 'logins' });

  server.get(PATHS.authorize, { exposeHeadRoute: false }, (request, reply) => handle(request, reply, show));
  server.post(PATHS.authorize, (request, reply) => handle(request, reply, decide));

  async function handle(
    request: FastifyRequest,
    reply: FastifyReply,
    next: (request: FastifyRequest, reply: FastifyReply, asked: Asked) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    // Forms need the Origin header, which no-referrer would blank.
    reply.header('referrer-policy', 'same-origin');
    try {
      await lookups.count(request.ip);
      const { search } = new URL(request.url, 'http://unused');
      return await next(request, reply, { search, query: new URLSearchParams(search) });
    } catch (cause) {
      const { status, body, headers } = toFailure(cause, service);
      const { message, hint } = body.error;
      return sendPage(reply.code(status).headers(headers), buildRefusalPage({ is_sandbox, message, hint }));
    }
  }

  async function show(request: FastifyRequest, reply: FastifyReply, asked: Asked): Promise<FastifyReply> {
    const understood = await inPlace(request.ip, () => understand(asked.query, service));
    if (!understood.ok) return sendRefusal(reply, understood, is_sandbox);
    const { authorization } = understood;
    const session = asked.query.get('prompt') === 'login' ? undefined : await findSession(request);
    return session
      ? sendConsent(reply, narrow(authorization, session), session, asked)
      : sendPage(reply, buildSignInPage({ is_sandbox, authorization, search: asked.search }));
  }

  async function decide(request: FastifyRequest, reply: FastifyReply, asked: Asked): Promise<FastifyReply> {
    const form = await readForm(request);
    const understood = await inPlace(request.ip, () => understand(asked.query, service));
    if (!understood.ok) return sendRefusal(reply, understood, is_sandbox);
    const { authorization } = understood;
    const key = form.get('key');
    if (key !== null) return signIn(request, reply, authorization, asked, key.trim());
    const session = await findSession(request);
    if (!session)
      return sendPage(reply, buildSignInPage({ is_sandbox, authorization, search: asked.search }));
    if (form.get('csrf_token') !== session.csrf_token) {
      const problem = 'Please answer on this page.';
      return sendConsent(reply, narrow(authorization, session), session, asked, problem);
    }
    if (form.get('decision') !== 'allow') {
      const denied = new OAuthError('access_denied', 'The person said no.');
      return sendAway(reply, buildErrorUrl(authorization, denied, base_url));
    }
    const code = await grants.allow(session.account_id, narrow(authorization, session), session.key_id);
    return sendAway(reply, buildReturnUrl(authorization, { code }, base_url));
  }

  async function signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    authorization: Authorization,
    { search, query }: Asked,
    text: string,
  ): Promise<FastifyReply> {
    const key = await accounts.findKey(text).catch(toExpiredKey);
    if (!key || 'expired_at' in key) {
      if (!key) await guesses.count(request.ip);
      const refused = { expired_at: key?.expired_at };
      return sendPage(reply.code(401), buildSignInPage({ is_sandbox, authorization, search, refused }));
    }
    const opened = await sessions.create(key.account_id, key.key_id);
    query.delete('prompt');
    reply.header('set-cookie', cookie.write(opened));
    return reply.redirect(`${PATHS.authorize}?${query.toString()}`, 303);
  }

  async function findSession({ headers }: FastifyRequest): Promise<Session | undefined> {
    const token = cookie.read({ cookies: parseCookies(headers.cookie) });
    return token === undefined ? undefined : sessions.find(token);
  }

  async function sendConsent(
    reply: FastifyReply,
    authorization: Authorization,
    { account_id, csrf_token }: Session,
    { search }: Asked,
    problem?: string,
  ): Promise<FastifyReply> {
    const account = (await accounts.find(account_id))?.name ?? account_id;
    const page = buildConsentPage({
      is_sandbox,
      authorization,
      account,
      csrf_token,
      search,
      problem,
      operations: service.operations,
    });
    return sendPage(reply.code(problem === undefined ? 200 : 400), page, CONSENT_POLICY);
  }
}

/** A session of a read-only key can consent to read access only. */
function narrow(authorization: Authorization, { is_read_only }: Session): Authorization {
  return is_read_only ? { ...authorization, scope: 'read' } : authorization;
}

function sendRefusal(reply: FastifyReply, { error, return_url }: Refused, isSandbox: boolean): FastifyReply {
  return sendPage(
    reply.code(400),
    buildRefusalPage({ is_sandbox: isSandbox, message: error.message, return_url }),
  );
}

function sendAway(reply: FastifyReply, url: string): FastifyReply {
  return reply.header('referrer-policy', 'no-referrer').redirect(url, 303);
}

async function readForm(request: FastifyRequest): Promise<URLSearchParams> {
  try {
    return await readUrlForm(request.raw);
  } catch (cause) {
    throw cause instanceof OAuthError
      ? new ServiceError(
          'UNSUPPORTED_CONTENT',
          { code: 'content_type_wrong', params: { expected: 'form' } },
          { cause },
        )
      : cause;
  }
}

/** Where to send the response, with the state that the client expects back. */
type Target = Pick<Authorization, 'redirect_uri' | 'state'>;

/** `return_url` reports the error to the client; undefined if it is not certain whose address it would be. */
type Refused = { ok: false; error: OAuthError; return_url: string | undefined };

/** Parses a request to the authorization endpoint, or returns why it is invalid. */
async function understand(
  query: URLSearchParams,
  { grants, base_url }: Pick<Service, 'grants' | 'base_url'>,
): Promise<{ ok: true; authorization: Authorization } | Refused> {
  let target: Target | undefined;
  try {
    const parameters = toParameters(query);
    const client_id = parameters.get('client_id');
    if (client_id === undefined) throw new OAuthError('invalid_client', 'client_id is required.');
    const client = await grants.find(client_id);
    const state = parameters.get('state');
    target = { redirect_uri: checkRedirectUri(client, parameters.get('redirect_uri')), state };
    const rest = {
      response_type: parameters.get('response_type'),
      code_challenge: parameters.get('code_challenge'),
      code_challenge_method: parameters.get('code_challenge_method'),
      state,
      scope: parameters.get('scope'),
      resource: parameters.resource,
    };
    const authorization = checkAuthorization(client, target.redirect_uri, rest, grants.resources);
    return { ok: true, authorization };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return { ok: false, error, return_url: target && buildErrorUrl(target, error, base_url) };
  }
}

/** `iss` names the server that answers (RFC 9207). */
function buildReturnUrl(
  { redirect_uri, state }: Target,
  answer: Record<string, string>,
  iss: string,
): string {
  const parameters = new URLSearchParams({ ...answer, ...(state !== undefined && { state }), iss });
  return `${redirect_uri}${redirect_uri.includes('?') ? '&' : '?'}${parameters}`;
}

function buildErrorUrl(target: Target, error: OAuthError, iss: string): string {
  return buildReturnUrl(target, { error: error.code, error_description: error.message }, iss);
}
