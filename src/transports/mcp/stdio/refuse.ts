import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { isRequest, parseIncoming, toMessage } from '../incoming.js';
import { buildRpcFailure, ProtocolError, RPC } from '../protocol_error.js';

/** How long a client may take to send a request, or to close its end after the response. */
const WAIT_MS = 10_000;

/**
 * Replaces a server that cannot start: answers each request, one per line, with the reason, so that a client
 * shows it instead of a closed connection. Resolves when the input ends, the signal aborts, or no request
 * arrives for ten seconds.
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

/** Undefined for a line that gets no response, such as a notification. */
function readRequestId(line: string) {
  try {
    const message = toMessage(parseIncoming(Buffer.from(line)));
    return isRequest(message) ? message.id : undefined;
  } catch (cause) {
    if (cause instanceof ProtocolError) return undefined;
    throw cause;
  }
}
