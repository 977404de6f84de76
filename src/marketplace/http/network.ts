import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { RequestBody } from './encode.js';

export type HttpRequest = {
  method: Dispatcher.HttpMethod;
  origin: string;
  /** URL with its query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: RequestBody | undefined;
  /** Total: from the call until the last byte of the answer. */
  timeout_ms: number;
  /** From the call until its first byte is written, if that may not take the total. */
  start_within_ms?: number;
};

export type Received = {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** How long it waited for a connection; 0 if omitted. */
  waited_ms?: number;
};

/** `has_started`: set as soon as the marketplace may have received any part of the request. */
export type Progress = { has_started: boolean };

/** How requests reach the marketplace. */
export type Network = {
  /**
   * Sends one request and returns the complete answer. Otherwise rejects: with DeadlineError after the
   * request's time, with the error that its body threw, or with any error for a broken connection or an
   * aborted signal.
   */
  exchange(request: HttpRequest, progress: Progress, signal?: AbortSignal): Promise<Received>;
  /** Closes every connection; requests in flight are lost. */
  close(): Promise<void>;
};

export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/**
 * Sockets, opened at the first request.
 * @param proxy the HTTP proxy that every connection is tunneled through
 */
export function openNetwork(proxy?: string): Network {
  let opening: Promise<Dispatcher> | undefined;
  let isClosed = false;

  function getDispatcher(): Promise<Dispatcher> {
    if (isClosed) return Promise.reject(new Error('The client is closed.'));
    opening ??= openDispatcher(proxy);
    return opening;
  }

  return {
    async exchange(request, progress, signal) {
      const dispatcher = await getDispatcher();
      signal?.throwIfAborted();
      return dispatch(dispatcher, request, progress, signal);
    },
    async close() {
      isClosed = true;
      await (await opening)?.destroy();
    },
  };
}

/** Loaded lazily: many processes never call the marketplace. */
async function openDispatcher(proxy: string | undefined): Promise<Dispatcher> {
  const undici = await import('undici');
  const options = {
    connections: MAX_CONNECTIONS,
    // Shorter than any server idle limit that we know of, so that a request seldom meets a closing
    // connection.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 30_000,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    // We enforce the total deadline ourselves.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  if (proxy === undefined) return new undici.Agent(options);
  return new undici.ProxyAgent({
    ...options,
    uri: proxy,
    // A proxy that does not open the tunnel is given up after the same time as one that does not answer.
    clientFactory: (origin, given) =>
      new undici.Pool(origin, { ...given, headersTimeout: CONNECT_TIMEOUT_MS }),
  });
}

/**
 * Uses undici's own `dispatch`, since `request` does not report when the head of a request is about to be
 * written: from then on the request may have an effect; before, a request that comes too late can still be
 * refused.
 */
function dispatch(
  dispatcher: Dispatcher,
  { method, origin, path, headers, body, timeout_ms, start_within_ms = timeout_ms }: HttpRequest,
  progress: Progress,
  signal: AbortSignal | undefined,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let failed: Error | undefined;
    let isOver = false;
    let received = { status: 0, headers: {} };
    let waited_ms = 0;
    let size_bytes = 0;
    const chunks: Buffer[] = [];
    // A socket lives in real time, so this timer is the platform's and not the clock port's. After a process
    // was suspended, the timer fires before an answer that arrived during the suspension is read; the
    // immediate lets that answer be read first.
    const deadline = setTimeout(() => setImmediate(() => fail(new DeadlineError())), timeout_ms);
    const asked_ms = performance.now();
    const onCancelled = (): void => fail(new Error('cancelled', { cause: signal?.reason }));
    signal?.addEventListener('abort', onCancelled, { once: true });

    function end(): void {
      isOver = true;
      clearTimeout(deadline);
      signal?.removeEventListener('abort', onCancelled);
    }

    function fail(cause: Error): void {
      if (isOver) return;
      failed = cause;
      end();
      reject(cause);
      controller?.abort(cause);
    }

    const content = body ? endWhereItStoodStill(body.open()) : null;
    const described = body && {
      'content-type': body.content_type,
      'content-length': String(body.size_bytes),
    };
    dispatcher.dispatch(
      {
        origin,
        path,
        method,
        headers: { accept: 'application/json', ...headers, ...described },
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it takes every iterable, and its types do not say so
        body: content as Buffer | null,
      },
      {
        /** The connection is open, and the head of the request is about to be written. */
        onRequestStart(started) {
          // A process that was suspended while it connected reaches this point before the timer fires;
          // another process may have taken over its job by now.
          waited_ms = performance.now() - asked_ms;
          if (waited_ms > start_within_ms) fail(new DeadlineError());
          controller = started;
          if (failed) started.abort(failed);
          else progress.has_started = true;
        },
        onResponseStart(_controller, status, answered) {
          received = { status, headers: answered };
        },
        onResponseData(_controller, chunk) {
          size_bytes += chunk.length;
          if (size_bytes > MAX_ANSWER_BYTES)
            fail(new Error(`an answer of more than ${MAX_ANSWER_BYTES} bytes`));
          else chunks.push(chunk);
        },
        onResponseEnd() {
          end();
          resolve({ ...received, text: Buffer.concat(chunks).toString('utf8'), waited_ms });
        },
        onResponseError: (_controller, error) => fail(error),
      },
    );
  });
}

/**
 * A body that resumes after a pause, in which a job may have gone to another process, must not be completed:
 * the other process checked whether the request had arrived, and has sent it again. Throws DeadlineError
 * then.
 */
function endWhereItStoodStill(content: Buffer | AsyncIterable<Buffer>): Buffer | AsyncIterable<Buffer> {
  return Buffer.isBuffer(content) ? content : readWithoutPause(content);
}

async function* readWithoutPause(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  // A timer distinguishes a process that was suspended from a slow receiver, which may use the whole
  // deadline.
  let last_ms = performance.now();
  let hasStoodStill = false;
  const check = (): void => {
    hasStoodStill ||= performance.now() - last_ms > MAX_STILL_MS;
    last_ms = performance.now();
  };
  const timer = setInterval(check, CHECK_MS);
  try {
    for await (const piece of content) {
      check();
      if (hasStoodStill) throw new DeadlineError();
      yield piece;
      check();
      if (hasStoodStill) throw new DeadlineError();
    }
  } finally {
    clearInterval(timer);
  }
}

/** Shorter than the time that a renewed claim of a job has left at any moment. */
const MAX_STILL_MS = 15_000;
const CHECK_MS = 1_000;
const MAX_CONNECTIONS = 64;
const CONNECT_TIMEOUT_MS = 10_000;
/** The category tree, the largest answer, has several megabytes. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
