import type { ServerResponse } from 'node:http';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Exchange } from './exchange_transport.js';
import { toMessageText } from './message_text.js';

/** Below what proxies allow a silent connection. */
const KEEP_ALIVE_MS = 15_000;

/**
 * One POST and its answer: plain JSON, or, from the moment that progress or a question has to be sent, an event stream.
 * A client that takes no stream gets neither of the two.
 */
export function createHttpExchange(
  response: ServerResponse,
  headers: Record<string, string>,
  accepted: { isJson: boolean; isStream: boolean },
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
  const writeEvent = (message: JSONRPCMessage) =>
    response.write(`event: message\ndata: ${toMessageText(message)}\n\n`);

  return {
    send(message) {
      if (!accepted.isStream || response.destroyed || response.writableEnded) return;
      openStream();
      writeEvent(message);
    },
    finish(answer) {
      clearInterval(keepAlive);
      if (response.destroyed || response.writableEnded) return;
      if (answer && !accepted.isJson) openStream();
      if (response.headersSent) {
        if (answer) writeEvent(answer);
        response.end();
      } else if (answer) {
        const text = toMessageText(answer);
        const own = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) };
        response.writeHead(200, { ...headers, ...own }).end(text);
      } else {
        response.writeHead(202, headers).end();
      }
    },
  };
}
