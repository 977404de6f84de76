import type { IncomingHttpHeaders } from 'node:http';
import type { Client, Dispatcher } from 'undici';
import type { Deadline } from './deadline.js';

/** What a receiver answers is of no interest beyond its status; so much is read that its connection ends well. */
const MAX_ANSWER_BYTES = 16 * 1024;
const MAX_ANSWER_MS = 1_000;

const NO_HEADERS: IncomingHttpHeaders = Object.freeze({});

export type Request = { path: string; headers: Record<string, string>; body: string };

/** `is_whole`: it came to its end, and the connection is good for another request. `cause`: why no status came. */
export type Answer = {
  readonly status: number | undefined;
  /** Empty until a status came. */
  readonly headers: IncomingHttpHeaders;
  readonly is_whole: boolean;
  readonly cause: unknown;
};

/**
 * Posts over the connection of this client, until the deadline at most. The status stands once it was said: an answer that breaks off
 * or never ends changes nothing of it.
 */
export function post(client: Client, { path, headers, body }: Request, deadline: Deadline): Promise<Answer> {
  return new Promise((resolve) => {
    client.dispatch({ method: 'POST', path, headers, body }, new Exchange(deadline, resolve));
  });
}

/** A class, since one is made for each delivery. */
class Exchange implements Dispatcher.DispatchHandler, Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders = NO_HEADERS;
  is_whole = false;
  cause: unknown;
  private has_ended = false;
  private size = 0;
  private controller: Dispatcher.DispatchController | undefined;

  constructor(
    private readonly deadline: Deadline,
    private readonly resolve: (answer: Answer) => void,
  ) {
    deadline.listener = this;
  }

  stopLate(): void {
    this.stop();
    this.end(false, new Error('No answer came in time.'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.deadline.is_over) this.stop();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
    this.deadline.shorten(MAX_ANSWER_MS);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > MAX_ANSWER_BYTES) this.stop();
  }

  onResponseEnd(): void {
    this.end(true, undefined);
  }

  onResponseError(_controller: Dispatcher.DispatchController, cause: Error): void {
    this.end(false, cause);
  }

  private stop(): void {
    this.controller?.abort(new Error('The answer is not read any further.'));
  }

  private end(is_whole: boolean, cause: unknown): void {
    if (this.has_ended) return;
    this.has_ended = true;
    this.deadline.listener = undefined;
    this.is_whole = is_whole;
    this.cause = cause;
    this.resolve(this);
  }
}
