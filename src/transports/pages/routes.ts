import type { FastifyInstance } from 'fastify';
import { ICON, SCRIPTS, STYLE } from '../../pages/index.js';
import { addAssets } from '../http/assets.js';
import { sendPage } from '../http/send_page.js';
import { EVENTS } from '../events.js';
import { buildOpenApi } from '../openapi/document.js';
import { API_PREFIX, sendFile } from '../rest/rest.js';
import type { Service } from '../service.js';
import { addDocs } from './docs/routes.js';
import { buildHomePage } from './home.js';

const PAGE_CACHE = 'public, max-age=300';

/** Pages: not operations, served without a key and without limits. */
export function addPages(server: FastifyInstance, service: Service): void {
  const { operations, base_url } = service;
  addAssets(server, [STYLE, ICON, ...SCRIPTS]);
  const home = buildHomePage(service);
  server.get('/', (_request, reply) => sendPage(reply.header('cache-control', PAGE_CACHE), home));
  addDocs(server, service);
  let document: string | undefined;
  server.get(`${API_PREFIX}/openapi.json`, (_request, reply) => {
    document ??= JSON.stringify(buildOpenApi(operations, EVENTS, base_url));
    return reply.header('cache-control', PAGE_CACHE).type('application/json; charset=utf-8').send(document);
  });
}

/**
 * The one-time address of batch_sheet. The token in the path is the only credential; methods other than GET
 * do not use it up.
 */
export function addDownloadRoute(server: FastifyInstance, { sheets }: Pick<Service, 'sheets'>): void {
  server.route<{ Params: { token: string } }>({
    method: 'GET',
    url: '/download/:token',
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const file = await sheets.readByLink(request.params.token);
      return sendFile(file, {}, reply.header('cache-control', 'no-store'));
    },
  });
}
