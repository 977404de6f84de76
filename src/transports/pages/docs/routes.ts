import type { FastifyInstance } from 'fastify';
import { sendPage } from '../../http/send_page.js';
import { EVENTS } from '../../events.js';
import { listContents } from './contents.js';
import { SEARCH_PATH } from './frame.js';
import { readGuides } from './guides.js';
import type { Documented } from './page.js';
import { buildPages } from './pages.js';
import { linkTo } from './place.js';
import { listEntries, search } from './search.js';
import { buildSearchPage } from './search_page.js';

const CACHE = 'public, max-age=300';
/** What a person writes; beyond it, each answer would take longer. */
const MAX_QUERY_CHARS = 100;

/** The pages at /docs and under it, made once, as bytes: as text each answer would encode them again. */
export function addDocs(server: FastifyInstance, service: Documented): void {
  for (const [name, page] of buildPages(service, 'served')) {
    const bytes = Buffer.from(page);
    server.get(linkTo('served', name), (_request, reply) =>
      sendPage(reply.header('cache-control', CACHE), bytes),
    );
  }
  addSearch(server, service);
}

function addSearch(server: FastifyInstance, { operations }: Documented): void {
  const guides = readGuides();
  const contents = listContents(operations, guides);
  const entries = listEntries({ operations, events: EVENTS, guides });
  server.get<{ Querystring: { q?: string | string[] } }>(SEARCH_PATH, (request, reply) => {
    const words = String(request.query.q ?? '')
      .slice(0, MAX_QUERY_CHARS)
      .trim();
    return sendPage(
      reply.header('cache-control', CACHE),
      buildSearchPage(words, search(entries, words), contents),
    );
  });
}
