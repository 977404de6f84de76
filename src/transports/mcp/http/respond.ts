import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  // Proxies that buffer would hold back progress until the result.
  'x-accel-buffering': 'no',
};

/**
 * Sends the SDK's response. Undefined, for a canceled request, is sent as 202 without a body.
 * @param headers of every response of the service
 * @param takes_json false for a client that accepts only event streams
 */
export async function respond(
  response: ServerResponse,
  answer: Response | undefined,
  { headers, takes_json, status }: { headers: Record<string, string>; takes_json: boolean; status?: number },
): Promise<void> {
  if (response.destroyed) return;
  if (!answer?.body) {
    response.writeHead(202, headers).end();
  } else if (answer.headers.get('content-type') === 'text/event-stream') {
    response.writeHead(200, { ...headers, ...STREAM_HEADERS });
    // Ends early when the client disconnects.
    await pipeline(Readable.fromWeb(answer.body as ReadableStream), response).catch(() => undefined);
  } else if (takes_json || !answer.ok) {
    const bytes = Buffer.from(await answer.arrayBuffer());
    const own = { 'content-type': 'application/json', 'content-length': String(bytes.length) };
    response.writeHead(status ?? answer.status, { ...headers, ...own }).end(bytes);
  } else {
    response.writeHead(200, { ...headers, ...STREAM_HEADERS });
    response.end(`event: message\ndata: ${await answer.text()}\n\n`);
  }
}
