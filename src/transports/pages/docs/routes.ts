import type { FastifyInstance } from 'fastify';
import { sendPage } from '../../http/send_page.js';
import { EVENTS } from '../../events.js';
import type { Service } from '../../service.js';
import { listContents } from './contents.js';
import { SEARCH_PATH } from './frame.js';
import { readGuides } from './guides.js';
import type { Documented } from './page.js';
import { listPages } from './pages.js';
import { linkTo, type Place } from './place.js';
import { listEntries, search } from './search.js';
import { buildSearchPage } from './search_page.js';

const CACHE = 'public, max-age=300';
/** Characters of a search, enough for a person; with more, each answer would take longer. */
const MAX_QUERY_CHARS = 100;

/**
 * The pages at /docs and under it. Each is made when it is asked for: all of them together take longer than the rest of a start,
 * and few of the processes that serve them are ever asked.
 */
export function addDocs(server: FastifyInstance, service: Documented & Pick<Service, 'is_sandbox'>): void {
  const place = service.is_sandbox ? 'served_by_sandbox' : 'served';
  for (const [name, build] of listPages(service, place)) {
    server.get(linkTo(place, name), (_request, reply) =>
      sendPage(reply.header('cache-control', CACHE), build()),
    );
  }
  server.get(`${linkTo(place, 'reference')}/`, (_request, reply) =>
    reply.redirect(linkTo(place, 'reference'), 308),
  );
  addSearch(server, service, place);
}

function addSearch(server: FastifyInstance, { operations }: Documented, place: Place): void {
  const guides = readGuides();
  const contents = listContents(operations, guides);
  server.get<{ Querystring: { q?: string | string[] } }>(SEARCH_PATH, (request, reply) => {
    const words = String(request.query.q ?? '')
      .slice(0, MAX_QUERY_CHARS)
      .trim();
    const found = search(listEntries({ operations, events: EVENTS, guides }), words);
    return sendPage(reply.header('cache-control', CACHE), buildSearchPage(words, found, contents, place));
  });
}
