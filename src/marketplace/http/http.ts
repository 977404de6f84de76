import { StoredFileError } from './multipart.js';
import { DeadlineError, type HttpRequest, type Network, type Received } from './network.js';

export type HttpAnswer = {
  status: number;
  /** A header by its lower-case name. */
  findHeader: (name: string) => string | undefined;
  text: string;
  /** Counted from its first byte. */
  round_trip_ms: number;
};

/**
 * A request without a usable answer. `can_have_effect` is false only if the marketplace cannot have acted on
 * it: no connection was made, or the body was not sent completely. A request without a body counts as sent.
 */
export type LostRequest = { can_have_effect: boolean; reason: string; cause?: unknown };

export type Http = {
  /**
   * Sends one request, never retried, without following redirects. Rejects only with the reason of the
   * signal.
   */
  send(request: HttpRequest, signal?: AbortSignal): Promise<HttpAnswer | LostRequest>;
  /** Closes every connection; requests in flight are lost. */
  close(): Promise<void>;
};

export function createHttp(network: Network, now: () => Date): Http {
  return {
    async send(request, signal) {
      signal?.throwIfAborted();
      const started_at = now().getTime();
      const progress = { has_started: request.body === undefined };
      try {
        const { status, headers, text, waited_ms = 0 } = await network.exchange(request, progress, signal);
        const round_trip_ms = now().getTime() - started_at - waited_ms;
        return { status, findHeader: (name) => findHeader(headers, name), text, round_trip_ms };
      } catch (cause) {
        signal?.throwIfAborted();
        const canHaveEffect = progress.has_started && !(cause instanceof StoredFileError);
        return { can_have_effect: canHaveEffect, reason: describe(cause, request.timeout_ms), cause };
      }
    },
    close: () => network.close(),
  };
}

function findHeader(headers: Received['headers'], name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function describe(cause: unknown, timeout_ms: number): string {
  if (cause instanceof DeadlineError) return `no answer within ${timeout_ms / 1000} seconds`;
  if (cause instanceof StoredFileError) return cause.message;
  const refused = cause instanceof Error ? PROXY_REFUSAL.exec(cause.message)?.[1] : undefined;
  if (refused !== undefined) return `no answer: the proxy refused the connection with status ${refused}`;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? `no answer (${code})` : 'no answer';
}

/** undici's message for a tunnel that the proxy refuses to open. */
const PROXY_REFUSAL = /^Proxy response \((\d{3})\)/;
