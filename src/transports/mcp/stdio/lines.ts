import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { CANCELLED, isRequest, readId, MAX_MESSAGE_BYTES, parseIncoming, toMessage } from '../incoming.js';
import { buildRpcFailure, ProtocolError, RPC, type RpcFailure } from '../protocol_error.js';
import { checkRequest, checkVersion } from '../request_params.js';
import { createServer, type Peer, type ServerParts } from '../server.js';
import { EDGE_BYTES, findIdAtEdges } from './edges.js';

export type StdioOptions = {
  input: Readable;
  output: Pick<Writable, 'write'>;
  signal?: AbortSignal;
  /** How long to wait for calls that are still running at the end of the input. */
  grace_ms?: number;
};

const GRACE_MS = 25_000;

const OPENING_BRACE = 0x7b;

/** The server behind stdio; its service may not have started yet. */
export type Spoken = ServerParts & Pick<Peer, 'caller'>;

/**
 * Serves MCP, one message per line, until the input ends or the signal aborts. After the end of the input,
 * running calls are still answered; after an abort they are not. The transport is ours, because the SDK's
 * closes the connection at a line that is too long, does not answer lines that are not messages, and drops
 * running calls at the end of the input.
 */
export async function speakStdio(
  { caller, ...parts }: Spoken,
  { input, output, signal, grace_ms = GRACE_MS }: StdioOptions,
): Promise<void> {
  const open = createOpenRequests();
  const lines = createLines(output);
  const transport: Transport = {
    start: () => Promise.resolve(),
    async send(message) {
      await lines.write(message);
      if (!('method' in message)) open.remove(message.id);
    },
    close: () => Promise.resolve(transport.onclose?.()),
  };
  const served = serveStdio(
    ({ era }) => createServer(parts, { era, face: 'mcp_stdio', caller, takes_notices: true }),
    { transport },
  );

  const onLine = (line: Buffer) => {
    let value: unknown;
    try {
      value = parseIncoming(line);
      const message = toMessage(value);
      if (isRequest(message)) {
        const checked = checkRequest(message);
        checkVersion(checked);
        open.add(message.id);
        transport.onmessage?.(checked);
        return;
      }
      if ('method' in message && message.method === CANCELLED) open.remove(message.params?.['requestId']);
      transport.onmessage?.(message);
    } catch (cause) {
      if (!(cause instanceof ProtocolError)) throw cause;
      void lines.write(buildRpcFailure(cause.id ?? readId(value), cause));
    }
  };
  const onTooLong = (id: RequestId | undefined) => {
    const message = `A message has more than ${MAX_MESSAGE_BYTES} bytes.`;
    void lines.write(buildRpcFailure(id, { code: RPC.invalid_request, message }));
  };

  await readLines(input, onLine, onTooLong, signal);
  const over = pause(grace_ms, undefined, { ref: false, signal }).catch(() => undefined);
  await Promise.race([open.whenIdle(), over]);
  await served.close();
  lines.flush();
}

/** Requests without a response, by id. Clients reuse ids. */
function createOpenRequests() {
  const counts = new Map<unknown, number>();
  let onIdle: (() => void) | undefined;
  return {
    add: (id: RequestId) => void counts.set(id, (counts.get(id) ?? 0) + 1),
    remove(id: unknown) {
      const count = counts.get(id) ?? 0;
      if (count > 1) counts.set(id, count - 1);
      else counts.delete(id);
      if (counts.size === 0) onIdle?.();
    },
    whenIdle: () => new Promise<void>((resolve) => (counts.size === 0 ? resolve() : (onIdle = resolve))),
  };
}

/** How long a result waits after progress, so that the client reads each separately. */
const GAP_MS = 10;

/**
 * Writes messages, but never a result in one chunk with progress before it: the official client passes on
 * each notification in a microtask, but handles a result at once, and drops progress that is still on its way
 * to the handler.
 */
function createLines(output: StdioOptions['output']) {
  let noticed_at = Number.NEGATIVE_INFINITY;
  /** Results that wait, by their timers. */
  const waiting = new Map<NodeJS.Timeout, () => void>();

  return {
    /** Resolves when the message has been passed to the output. */
    write(message: JSONRPCMessage | RpcFailure): Promise<void> {
      const isNotice = 'method' in message && !('id' in message);
      const line = `${JSON.stringify(message)}\n`;
      const now = performance.now();
      return new Promise((resolve) => {
        const write = () => {
          output.write(line);
          resolve();
        };
        if (isNotice) noticed_at = now;
        if (isNotice || now - noticed_at > GAP_MS) return write();
        const timer = setTimeout(() => {
          waiting.delete(timer);
          write();
        }, GAP_MS);
        waiting.set(timer, write);
      });
    },
    flush() {
      for (const [timer, write] of waiting) {
        clearTimeout(timer);
        write();
      }
      waiting.clear();
    },
  };
}

const isBlank = (line: Buffer) => line[0] !== OPENING_BRACE && line.toString('latin1').trim() === '';

/** Resolves at the end of the input, when it breaks, or when the signal aborts. */
function readLines(
  input: Readable,
  onLine: (line: Buffer) => void,
  onTooLong: (id: RequestId | undefined) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve) => {
    let held: Buffer[] = [];
    let held_bytes = 0;
    let isSkipping = false;
    let head = '';
    let tail = Buffer.alloc(0);

    const take = (piece: Buffer) => {
      held_bytes += piece.length;
      if (!isSkipping) held.push(piece);
      if (held_bytes > MAX_MESSAGE_BYTES && !isSkipping) {
        isSkipping = true;
        head = Buffer.concat(held, EDGE_BYTES).toString('utf8');
        held = [];
      }
      if (isSkipping) tail = Buffer.concat([tail, piece.subarray(-EDGE_BYTES)]).subarray(-EDGE_BYTES);
    };
    const finishLine = () => {
      const line = isSkipping ? undefined : Buffer.concat(held);
      if (isSkipping) onTooLong(findIdAtEdges(head, tail.toString('utf8')));
      if (isSkipping) tail = Buffer.alloc(0);
      held = [];
      held_bytes = 0;
      isSkipping = false;
      if (line && !isBlank(line)) onLine(line);
    };
    const onData = (chunk: Buffer) => {
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        const piece = chunk.subarray(start, end);
        start = end + 1;
        if (held_bytes > 0 || piece.length > MAX_MESSAGE_BYTES) {
          take(piece);
          finishLine();
        } else if (!isBlank(piece)) onLine(piece);
      }
      if (start < chunk.length) take(chunk.subarray(start));
    };
    const stop = () => {
      input.off('data', onData);
      input.pause();
      resolve();
    };
    input.on('data', onData);
    input.once('end', () => {
      finishLine();
      stop();
    });
    input.once('error', stop);
    input.once('close', stop);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
  });
}
