import type { FastifyInstance, FastifyReply } from 'fastify';
import { buildOpenApi } from '../openapi/document.js';
import { API_PREFIX } from '../rest/rest.js';
import type { Service } from '../service.js';
import { buildDocsPage } from './docs.js';
import { buildHomePage } from './home.js';
import { PAGE_POLICY } from './html.js';

/** Pages and probes: what is not an operation, needs no key and counts for no limit. */
export function addPages(server: FastifyInstance, service: Service): void {
  const { operations, base_url } = service;
  const pages = { '/': buildHomePage(service), '/docs': buildDocsPage(operations, base_url) };
  for (const [path, page] of Object.entries(pages)) {
    server.get(path, (_request, reply) => sendPage(reply, page));
  }
  const openapi = JSON.stringify(buildOpenApi(operations, base_url));
  server.get(`${API_PREFIX}/openapi.json`, (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').type('application/json').send(openapi),
  );
  server.get('/healthz', (_request, reply) => reply.send({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const isReady = await service.isReady();
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready' });
  });
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply
    .headers({ 'content-security-policy': PAGE_POLICY, 'cache-control': 'public, max-age=300' })
    .type('text/html; charset=utf-8')
    .send(page);
}
