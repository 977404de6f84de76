import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../core/errors.js';
import { buildValidationError } from '../../core/issues/issues.js';
import type { ReceivedFile } from '../../core/operations/call.js';
import type { FormLimits, PageForm, PageRequest, Site } from '../../pages/index.js';
import type { Guesses } from '../guesses.js';
import type { Service } from '../service.js';
import { parseCookies } from './cookies.js';
import { addFormRoutes, isForm, readFiles } from './multipart.js';
import { hasNul } from './nul.js';
import { readBody } from './read_body.js';
import { getPath } from './server.js';

const MAX_FORM_BYTES = 64 * 1024;

type SiteOptions = { guesses: Guesses };

/** Serves a site's pages. */
export function addSite(
  server: FastifyInstance,
  site: Site,
  service: Service,
  { guesses }: SiteOptions,
): void {
  // Otherwise streams would keep the server open.
  server.addHook('preClose', async () => site.close());

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const received: ReceivedFile[] = [];
    try {
      const { status, headers, body } = await site.handle(toPageRequest(request, reply, received));
      reply.code(status).headers(headers);
      return await reply.send(typeof body === 'string' || Buffer.isBuffer(body) ? body : Readable.from(body));
    } finally {
      await Promise.all(received.map((file) => service.uploads.discard(file)));
    }
  }

  function toPageRequest(
    request: FastifyRequest,
    reply: FastifyReply,
    received: ReceivedFile[],
  ): PageRequest {
    return {
      method: request.method === 'POST' ? 'POST' : 'GET',
      path: decodeURIComponent(getPath(request)),
      query: new URLSearchParams(request.url.split('?').slice(1).join('?')),
      cookies: parseCookies(request.headers.cookie),
      signal: buildSignal(reply),
      readForm: (options) => readPageForm(request, received, options),
      countGuess: () => guesses.count(request.ip),
    };
  }

  async function readPageForm(
    request: FastifyRequest,
    received: ReceivedFile[],
    limits: FormLimits,
  ): Promise<PageForm> {
    const type = request.headers['content-type'];
    if (limits.max_files > 0 && isForm(type)) {
      const { fields, files, refused } = await readFiles(request, service.uploads, limits);
      received.push(...files);
      return { fields: new URLSearchParams(fields), files, refused };
    }
    if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type ?? '')) {
      throw new ServiceError('UNSUPPORTED_CONTENT', {
        code: 'content_type_wrong',
        params: { expected: 'form' },
      });
    }
    const text = (await readBody(request.raw, MAX_FORM_BYTES)).toString('utf8');
    if (hasNul(text)) throw buildValidationError([{ code: 'has_nul', at: '', params: { is_form: true } }]);
    return { fields: new URLSearchParams(text), files: [], refused: [] };
  }

  addFormRoutes(server, (forms) => {
    for (const url of [site.prefix, `${site.prefix}/*`]) {
      forms.route({ method: ['GET', 'POST'], url, handler: handle });
    }
  });
}

function buildSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort(new Error('The browser has gone.')));
  return controller.signal;
}
