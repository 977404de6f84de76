import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { isRequest, parseIncoming, toMessage } from '../incoming.js';
import { buildRpcFailure, ProtocolError, RPC } from '../protocol_error.js';

/** How long a client may take to send a request, or to close its end after the answer. */
const WAIT_MS = 10_000;

/**
 * In the place of a server that cannot start: answers each request, a line each, with why, so that a client shows that
 * instead of a connection that closed. Resolves when the input ends, the signal aborts, or no request comes for ten seconds.
 */
export async function refuseStdio(
  why: string,
  { input, output, signal }: { input: Readable; output: Pick<Writable, 'write'>; signal: AbortSignal },
): Promise<void> {
  const lines = createInterface({ input, signal });
  const over = setTimeout(() => lines.close(), WAIT_MS);
  lines.on('line', (line) => {
    over.refresh();
    const id = readRequestId(line);
    if (id === undefined) return;
    output.write(`${JSON.stringify(buildRpcFailure(id, { code: RPC.internal, message: why }))}\n`);
  });
  await new Promise((resolve) => lines.once('close', resolve));
  clearTimeout(over);
}

/** Undefined for a line that gets no answer, such as a notification. */
function readRequestId(line: string) {
  try {
    const message = toMessage(parseIncoming(Buffer.from(line)));
    return isRequest(message) ? message.id : undefined;
  } catch (cause) {
    if (cause instanceof ProtocolError) return undefined;
    throw cause;
  }
}
