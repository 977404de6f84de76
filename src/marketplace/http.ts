import { Agent, request } from 'undici';
import type { EncodedBody } from './encode.js';

/** The whole taxonomy has several megabytes; nothing else comes near. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** Errors that can only happen before anything was sent. */
const UNSENT_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export type HttpRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  url: URL;
  headers: Record<string, string>;
  body?: EncodedBody;
  /** From the first byte sent to the last one received. */
  deadline_ms: number;
  signal?: AbortSignal | undefined;
};

export type HttpAnswer = { status: number; headers: Headers; text: string };

/** No answer, or not a whole one. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  /** False when the marketplace may have received the call. */
  readonly is_unsent: boolean;

  constructor(message: string, is_unsent: boolean, options: { cause?: unknown } = {}) {
    super(message, options);
    this.is_unsent = is_unsent;
  }
}

export type Http = { send(http_request: HttpRequest): Promise<HttpAnswer>; close(): Promise<void> };

/** One call is sent once: nothing here tries again, follows a redirect or decodes an encoding it did not ask for. */
export function createHttp(user_agent: string): Http {
  const dispatcher = new Agent({ connections: 64, keepAliveTimeout: 10_000, connect: { timeout: 10_000 } });
  return {
    async send({ method, url, headers, body, deadline_ms, signal }) {
      const deadline = AbortSignal.timeout(deadline_ms);
      try {
        const answer = await request(url, {
          dispatcher,
          method,
          headers: { 'user-agent': user_agent, accept: 'application/json', ...headers, ...body?.headers },
          body: body ? body.open() : null,
          signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
          headersTimeout: deadline_ms,
          bodyTimeout: deadline_ms,
        });
        return {
          status: answer.statusCode,
          headers: toHeaders(answer.headers),
          text: await readText(answer.body),
        };
      } catch (cause) {
        if (signal?.aborted) throw signal.reason;
        throw toFailure(cause, deadline.aborted);
      }
    },
    close: () => dispatcher.close(),
  };
}

async function readText(body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) {
      body.destroy();
      throw new HttpFailure('the answer is too large', false);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function toHeaders(raw: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) headers.append(name, one);
  }
  return headers;
}

function toFailure(cause: unknown, is_late: boolean): HttpFailure {
  if (cause instanceof HttpFailure) return cause;
  if (is_late) return new HttpFailure('no answer in time', false, { cause });
  const code = findCode(cause);
  return new HttpFailure(
    `no answer (${code ?? 'connection lost'})`,
    code !== undefined && UNSENT_CODES.has(code),
    { cause },
  );
}

/** The code of an error or of what it was made from; a name that resolves to several addresses fails with a list of errors. */
function findCode(cause: unknown): string | undefined {
  if (cause === null || typeof cause !== 'object') return undefined;
  if ('code' in cause && typeof cause.code === 'string') return cause.code;
  if ('errors' in cause && Array.isArray(cause.errors)) return findCode(cause.errors[0]);
  return 'cause' in cause ? findCode(cause.cause) : undefined;
}
