import type { ServerResponse } from 'node:http';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../../core/operations/call.js';
import type { Exchange } from '../revisions/exchange.js';

/** Below what proxies allow a silent connection. */
const KEEP_ALIVE_MS = 15_000;

/** What the client takes for an answer. */
export type Accepted = { is_json: boolean; is_stream: boolean };

/** One POST that was let in. */
export type Posted = { request: FastifyRequest; reply: FastifyReply; caller: Caller; accepted: Accepted };

/**
 * Takes the answer out of Fastify's hands: `receive` gets an exchange to answer through. Cancels the work when the client
 * disconnects before the answer.
 * @param receive begins the work, and returns how to cancel it
 */
export function answerLater(
  reply: FastifyReply,
  accepted: Accepted,
  receive: (exchange: Exchange) => () => void,
): void {
  const headers = reply.getHeaders() as Record<string, string>;
  reply.hijack();
  const response = reply.raw;
  const cancel = receive(createHttpExchange(response, headers, accepted));
  if (response.writableEnded) return;
  // The client may have gone while its session was looked for.
  if (response.destroyed) return cancel();
  response.on('close', () => {
    if (!response.writableFinished) cancel();
  });
}

/**
 * One POST and its answer: plain JSON, or, from the moment that progress or a question has to be sent, an event stream.
 * A client that takes no stream gets neither of the two.
 */
function createHttpExchange(
  response: ServerResponse,
  headers: Record<string, string>,
  accepted: Accepted,
): Exchange {
  let keepAlive: NodeJS.Timeout | undefined;

  const openStream = () => {
    if (response.headersSent) return;
    // Proxies that buffer would hold the question back until the answer.
    const own = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };
    response.writeHead(200, { ...headers, ...own });
    keepAlive = setInterval(() => response.write(': still here\n\n'), KEEP_ALIVE_MS);
    keepAlive.unref();
    response.once('close', () => clearInterval(keepAlive));
  };
  const writeEvent = (message: JSONRPCMessage | JSONRPCMessage[]) =>
    response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);

  return {
    send(message) {
      if (!accepted.is_stream || response.destroyed || response.writableEnded) return false;
      openStream();
      writeEvent(message);
      return true;
    },
    finish(answer, status = 200) {
      clearInterval(keepAlive);
      if (response.destroyed || response.writableEnded) return;
      if (answer && !accepted.is_json && status === 200) openStream();
      if (response.headersSent) {
        if (answer) writeEvent(answer);
        response.end();
      } else if (answer) {
        const text = JSON.stringify(answer);
        headers['content-type'] = 'application/json';
        headers['content-length'] = String(Buffer.byteLength(text));
        response.writeHead(status, headers).end(text);
      } else {
        response.writeHead(202, headers).end();
      }
    },
  };
}
