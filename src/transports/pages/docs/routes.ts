import type { FastifyInstance } from 'fastify';
import { sendPage } from '../../http/send_page.js';
import { EVENTS } from '../../events.js';
import type { Service } from '../../service.js';
import { listContents } from './contents.js';
import { SEARCH_PATH } from './frame.js';
import { BOARD, readBoard, readGuides } from './guides.js';
import { buildLlmsText, LLMS } from './llms.js';
import type { Documented } from './page.js';
import { listPages, buildSearchPage } from './pages.js';
import { linkTo, type Place } from './place.js';
import { listEntries, search, type Entry } from './search.js';

const CACHE = 'public, max-age=300';
const MARKDOWN = 'text/markdown; charset=utf-8';
/**
 * Maximum length of a search in characters, enough for a person; with more, each response would take longer.
 */
const MAX_QUERY_CHARS = 100;

/**
 * The pages at /docs and below. Each is rendered at its first request: rendering all of them takes longer
 * than the rest of a start, and few processes ever serve them. A rendered page is kept, since anyone may
 * request it repeatedly without a key.
 */
export function addDocs(server: FastifyInstance, service: Documented & Pick<Service, 'is_sandbox'>): void {
  const place = service.is_sandbox ? 'served_by_sandbox' : 'served';
  for (const [name, build] of listPages(service, place)) {
    let page: string | undefined;
    server.get(linkTo(place, name), (_request, reply) =>
      sendPage(reply.header('cache-control', CACHE), (page ??= build())),
    );
  }
  const guides = readGuides();
  sendText(`/docs/${BOARD}`, 'application/json', readBoard);
  sendText(`/${LLMS}`, MARKDOWN, () => buildLlmsText(service.operations, guides, place));
  for (const { name, markdown } of guides) sendText(`/docs/${name}.md`, MARKDOWN, () => markdown);
  addSearch(server, service, place);

  function sendText(path: string, type: string, build: () => string): void {
    let text: string | undefined;
    server.get(path, (_request, reply) =>
      reply
        .header('cache-control', CACHE)
        .type(type)
        .send((text ??= build())),
    );
  }
}

function addSearch(server: FastifyInstance, { operations }: Documented, place: Place): void {
  const guides = readGuides();
  const contents = listContents(operations, guides);
  let entries: Entry[] | undefined;
  server.get<{ Querystring: { q?: string | string[] } }>(SEARCH_PATH, (request, reply) => {
    const words = String(request.query.q ?? '')
      .slice(0, MAX_QUERY_CHARS)
      .trim();
    entries ??= listEntries({ operations, events: EVENTS, guides });
    const found = search(entries, words);
    return sendPage(reply.header('cache-control', CACHE), buildSearchPage(words, found, contents, place));
  });
}
