import { PassThrough, type Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toRefused } from '../../core/errors.js';
import { buildValidationError } from '../../core/issues/issues.js';
import type { ReceivedFile } from '../../core/operations/call.js';
import { toServiceError } from '../../core/operations/service_error.js';
import { buildLinkError } from '../../core/uploads/uploads.js';
import { toFailure } from '../failure.js';
import { wantsHtml } from '../http/wants_html.js';
import { isForm, readForm } from '../http/multipart.js';
import { hasBody, refuseEncoding } from '../http/read_body.js';
import { sendPage } from '../http/send_page.js';
import { watchRate } from '../http/watch_rate.js';
import type { Service } from '../service.js';
import { buildUploadDone, buildUploadFailed, buildUploadForm } from './upload.js';

type LinkRoute = { Params: { token: string } };
type LinkRequest = FastifyRequest<LinkRoute>;

/**
 * The one-time address of file_upload: a page for a person, and a POST for a program, either multipart with a part `file`
 * or the bare bytes with `?filename=`. The token in the path is the only credential.
 */
export function addUploadRoute(server: FastifyInstance, service: Service): void {
  const { uploads, is_sandbox } = service;

  server.get<LinkRoute>('/upload/:token', async (request, reply) => {
    const link = await uploads.findLink(request.params.token);
    if (!link) return fail(buildLinkError(), request, reply);
    return sendForm(reply, buildUploadForm(link, is_sandbox));
  });

  server.post<LinkRoute>('/upload/:token', async (request, reply) => {
    let file: ReceivedFile | undefined;
    try {
      const { token } = request.params;
      if (!(await uploads.findLink(token))) throw buildLinkError();
      file = await receive(request, uploads);
      const result = await uploads.createByLink(token, file);
      return wantsHtml(request.headers)
        ? sendPage(reply, buildUploadDone(result, is_sandbox))
        : reply.send(result);
    } catch (cause) {
      return fail(cause, request, reply);
    } finally {
      if (file) await uploads.discard(file);
    }
  });

  async function fail(cause: unknown, request: LinkRequest, reply: FastifyReply): Promise<FastifyReply> {
    const error = toServiceError(cause);
    const { status, body, headers } = toFailure(error, service);
    reply.code(status).headers(headers);
    if (!wantsHtml(request.headers)) return reply.type('application/json').send(JSON.stringify(body));
    const link = await uploads.findLink(request.params.token);
    return sendForm(reply, buildUploadFailed(toRefused(body, error.issues), link, is_sandbox));
  }
}

/** Sends a page with a form. Its POST needs the Origin header, which the policy no-referrer would set to null. */
function sendForm(reply: FastifyReply, page: string): FastifyReply {
  return sendPage(reply.header('referrer-policy', 'same-origin'), page);
}

async function receive(request: FastifyRequest, uploads: Service['uploads']): Promise<ReceivedFile> {
  if (isForm(request.headers['content-type'])) {
    const { file } = await readForm(request, uploads);
    if (!file) throw buildValidationError([{ code: 'required', at: 'file', params: {} }]);
    return file;
  }
  refuseEncoding(request.raw);
  if (!hasBody(request.raw)) throw buildValidationError([{ code: 'required', at: 'file', params: {} }]);
  const { filename } = request.query as { filename?: unknown };
  const stopWatching = watchRate(request.raw);
  try {
    return await uploads.receive(
      detach(request.raw),
      typeof filename === 'string' ? filename : 'file',
      Number(request.headers['content-length'] ?? 0),
    );
  } finally {
    stopWatching();
  }
}

/**
 * A stream of the body that can be destroyed without closing the connection, so that a refusal can still be
 * read.
 */
function detach(body: Readable): Readable {
  const stream = new PassThrough();
  body.once('error', (error) => stream.destroy(error));
  return body.pipe(stream);
}
