import type { Network, RequestBody } from '../src/marketplace/index.js';
import type { SandboxHandler } from '../src/sandbox/index.js';

/** Passes requests to a sandbox in this process, without sockets. */
export function connectInProcess(handler: Pick<SandboxHandler, 'handle'>): Network {
  return {
    async exchange({ method, path, headers, body }, progress) {
      const bytes = body && (await collect(body));
      progress.has_started = true;
      const outcome = await handler.handle({
        method,
        url: path,
        headers: {
          ...headers,
          ...(body && { 'content-type': body.content_type, 'content-length': String(body.size_bytes) }),
        },
        body: bytes,
      });
      if (outcome === 'stall') return new Promise(() => undefined);
      if (outcome === 'reset') throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
      return { status: outcome.status, headers: outcome.headers, text: String(outcome.body ?? '') };
    },
    close: () => Promise.resolve(),
  };
}

async function collect(body: RequestBody): Promise<Buffer> {
  const content = body.open();
  if (Buffer.isBuffer(content)) return content;
  const pieces: Buffer[] = [];
  // The memory of a piece is reused for the next.
  for await (const piece of content) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}
