import type { Client } from 'undici';

/** What a receiver answers is of no interest beyond its status; so much is read that its connection ends well. */
const MAX_ANSWER_BYTES = 16 * 1024;
const MAX_ANSWER_MS = 1_000;

export type Request = { path: string; headers: Record<string, string>; body: string };

/** `is_whole`: the answer came to its end, and the connection is good for another request. */
export type Answer = { status: number; is_whole: boolean };

/**
 * Posts over the connection of this client. Rejects when no status came, with the signal's reason after an abort. The status stands
 * once it was said: an answer that breaks off or never ends changes nothing of it.
 */
export function post(client: Client, request: Request, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let status: number | undefined;
    let size = 0;
    let late: NodeJS.Timeout | undefined;
    let stop: (() => void) | undefined;
    const onAbort = (): void => {
      stop?.();
      fail(signal.reason);
    };
    const settle = (): void => {
      clearTimeout(late);
      signal.removeEventListener('abort', onAbort);
    };
    const fail = (cause: unknown): void => {
      settle();
      if (status === undefined) reject(cause instanceof Error ? cause : new Error(String(cause)));
      else resolve({ status, is_whole: false });
    };
    signal.addEventListener('abort', onAbort, { once: true });
    client.dispatch(
      { method: 'POST', ...request },
      {
        onRequestStart(controller) {
          stop = () => controller.abort(new Error('The answer is not read any further.'));
          if (signal.aborted) stop();
        },
        onResponseStart(_controller, code) {
          if (code < 200) return;
          status = code;
          late = setTimeout(() => stop?.(), MAX_ANSWER_MS);
        },
        onResponseData(_controller, chunk) {
          size += chunk.length;
          if (size > MAX_ANSWER_BYTES) stop?.();
        },
        onResponseEnd() {
          settle();
          resolve({ status: status ?? 0, is_whole: true });
        },
        onResponseError: (_controller, error) => fail(error),
      },
    );
  });
}
