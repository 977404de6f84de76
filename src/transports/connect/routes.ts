import type { FastifyInstance, FastifyRequest } from 'fastify';
import { toRefused } from '../../core/errors.js';
import { buildValidationError } from '../../core/issues/issues.js';
import { BROWSER_COOKIE, CALLBACK_PATH, PASTE_PATH, readConsentAnswer } from '../../core/shops/connecting.js';
import { toFailure } from '../failure.js';
import { bindToPort } from './known.js';
import { sendPage } from '../http/send_page.js';
import type { Service } from '../service.js';
import { buildConnectedPage, buildNotConnectedPage } from './pages.js';

/** Where the marketplace sends sellers back to. The state in the query is the credential. */
export function addConnectRoutes(server: FastifyInstance, service: Service): void {
  const { connecting, is_sandbox } = service;

  // OAuth requires a GET with a side effect; a HEAD request must not have it.
  server.get(CALLBACK_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    const { outcome, return_path } = await connecting.finish(toAnswer(request));
    if (outcome.ok) return sendPage(reply, buildConnectedPage(outcome, { return_path, is_sandbox }));
    const { status, body, headers } = toFailure(outcome.error, service);
    reply.code(status).headers(headers);
    return sendPage(
      reply,
      buildNotConnectedPage(toRefused(body, outcome.error.issues), { return_path, is_sandbox }),
    );
  });

  server.get(PASTE_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    const address = new URL(request.url, 'http://unused').searchParams.get('address') ?? '';
    const answer = readConsentAnswer(address, undefined);
    if (!answer) {
      const error = buildValidationError(
        [{ code: 'consent_address_wrong', at: 'address', params: {} }],
        PASTE_HINT,
      );
      const { status, body, headers } = toFailure(error, service);
      reply.code(status).headers(headers);
      const refused = toRefused(body, error.issues);
      return sendPage(reply, buildNotConnectedPage(refused, { return_path: SHOPS_PATH, is_sandbox }));
    }
    const query = Object.entries(answer).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    );
    return reply.redirect(`${CALLBACK_PATH}?${new URLSearchParams(query).toString()}`, 303);
  });

  // `listing-service connect` asks here whether this server works on the same data as the command.
  server.get<{ Params: { state_sha256: string } }>('/connect/known/:state_sha256', async (request, reply) => {
    const { state_sha256 } = request.params;
    const bound = bindToPort(state_sha256, request.socket.localPort ?? 0);
    const isKnown = (await connecting.isKnown(state_sha256)) || (await connecting.isKnown(bound));
    return reply.send({ is_known: isKnown });
  });
}

const SHOPS_PATH = '/dashboard/shops';
const PASTE_HINT = 'Copy all of the address bar after you agreed; it has /connect/callback?code= in it.';

function toAnswer(request: FastifyRequest) {
  const query = new URL(request.url, 'http://unused').searchParams;
  const read = (name: string): string | undefined => query.get(name) ?? undefined;
  return {
    state: read('state'),
    code: read('code'),
    error: read('error'),
    error_description: read('error_description'),
    browser_key: findCookie(request.headers.cookie, BROWSER_COOKIE),
  };
}

function findCookie(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([key]) => key === name)?.[1];
}
