import type { Client } from 'undici';
import type { Deadline } from './deadline.js';

/** What a receiver answers is of no interest beyond its status; so much is read that its connection ends well. */
const MAX_ANSWER_BYTES = 16 * 1024;
const MAX_ANSWER_MS = 1_000;

export type Request = { path: string; headers: Record<string, string>; body: string };

/** `is_whole`: the answer came to its end, and the connection is good for another request. */
export type Answer = { status: number; is_whole: boolean };

/**
 * Posts over the connection of this client. Rejects when no status came, at the deadline too. The status stands once it was said:
 * an answer that breaks off or never ends changes nothing of it.
 */
export function post(client: Client, request: Request, deadline: Deadline): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let status: number | undefined;
    let size = 0;
    let late: NodeJS.Timeout | undefined;
    let stop: (() => void) | undefined;
    const settle = (): void => {
      clearTimeout(late);
      deadline.setListener(null);
    };
    const fail = (cause: unknown): void => {
      settle();
      if (status === undefined) reject(cause instanceof Error ? cause : new Error(String(cause)));
      else resolve({ status, is_whole: false });
    };
    deadline.setListener(() => {
      stop?.();
      fail(new Error('No status came in time.'));
    });
    client.dispatch(
      { method: 'POST', path: request.path, headers: request.headers, body: request.body },
      {
        onRequestStart(controller) {
          stop = () => controller.abort(new Error('The answer is not read any further.'));
          if (deadline.isOver()) stop();
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
