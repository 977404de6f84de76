import type { FastifyInstance } from 'fastify';
import { sendPage } from '../../http/send_page.js';
import { buildDocsPage, type Documented } from './page.js';
import { buildGuidePage } from './guide.js';
import { readGuides } from './guides.js';

const CACHE = 'public, max-age=300';

/** The reference at /docs and the guides under it, made once, as bytes: as text each answer would encode them again. */
export function addDocs(server: FastifyInstance, service: Documented): void {
  const guides = readGuides();
  const pages = {
    '/docs': buildDocsPage(service, guides, 'served'),
    ...Object.fromEntries(
      guides.map((guide) => [`/docs/${guide.name}`, buildGuidePage(guide, guides, 'served')]),
    ),
  };
  for (const [path, page] of Object.entries(pages)) {
    const bytes = Buffer.from(page);
    server.get(path, (_request, reply) => sendPage(reply.header('cache-control', CACHE), bytes));
  }
}
