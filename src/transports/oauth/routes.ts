import type { FastifyInstance } from 'fastify';
import { chooseResource } from '../../core/identity/grants/resource.js';
import type { Service } from '../service.js';
import { addAuthorizeRoute, type AuthorizeOptions } from './authorize_route.js';
import { buildResourceMetadata, buildServerMetadata, listWellKnown } from './metadata.js';
import { addRegisterRoute } from './register_route.js';
import { addTokenRoutes } from './token_routes.js';

const CACHE = 'public, max-age=300';

/**
 * The authorization server of /mcp: OAuth 2.1 with PKCE for public clients, as the MCP specification
 * requires. We wrote our own small one, because existing ones did not fit:
 *
 * - oidc-provider (9.13, well maintained): a complete OpenID provider as a Koa application next to our
 *   Fastify, whose adapter stores each token, session and grant as a JSON payload by id. We need rows that
 *   carry the account, a code and its tokens changed in one statement, and metadata documents fetched through
 *   our own guarded connect; its interface allows none of the three, and it brings key management, cookies
 *   and views for features we do not offer.
 * - the router of the MCP SDK: Express, without metadata documents, `iss`, or any storage.
 */
export function addOAuth(server: FastifyInstance, service: Service, options: AuthorizeOptions): void {
  const { base_url, grants } = service;
  const wellKnown = listWellKnown(base_url);
  for (const path of wellKnown.resource) {
    server.get(path, (request, reply) =>
      reply
        .headers({ 'cache-control': CACHE, vary: 'Host' })
        .send(buildResourceMetadata(chooseResource(grants.resources, request.headers.host), base_url)),
    );
  }
  const metadata = buildServerMetadata(base_url);
  for (const path of wellKnown.server) {
    server.get(path, (_request, reply) => reply.header('cache-control', CACHE).send(metadata));
  }
  addAuthorizeRoute(server, service, options);
  addTokenRoutes(server, service, options.guesses);
  addRegisterRoute(server, service);
}
