import type { IncomingHttpHeaders } from 'node:http';
import type { Answer, RouteMethod } from './call.js';

/** A part of a multipart body. */
export type Part =
  | { type: 'file'; fieldname: string; filename: string; mimetype: string; toBuffer(): Promise<Buffer> }
  | { type: 'field'; fieldname: string; value: unknown };

/** A request, over a socket or from within the process. */
export type Request = {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  /** The parts of the path that its endpoint names. */
  params: unknown;
  /** A Buffer; undefined if there is none, and for multipart. */
  body?: unknown;
  /** The parts of a multipart body. Throws if it is broken or too large. */
  parts(): AsyncIterable<Part>;
};

export type Reply = { status: number; headers: Readonly<Record<string, string>>; body?: Buffer | string };

/** The outcome of a request. reset: the connection breaks without an answer. stall: no answer is ever sent. */
export type Outcome = Reply | 'reset' | 'stall';

/** `path`: with `:name` for one part of it, and `*` for the rest. */
export type Endpoint = {
  method: RouteMethod;
  path: string;
  answer(request: Request): Outcome | Promise<Outcome>;
};

/** As JSON; an answer without a body is sent without one. */
export function toReply({ status, headers, body }: Answer): Reply {
  if (body === undefined) return { status, headers: { ...headers } };
  return {
    status,
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
    body: Buffer.from(JSON.stringify(body)),
  };
}
