import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, JSONRPCRequest, RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { Service } from '../../service.js';
import { checkBatch, receiveBatch } from '../revisions/batch.js';
import { isStateless } from '../revisions/era.js';
import type { Exchange } from '../revisions/exchange.js';
import { EDGE_BYTES, findIdAtEdges } from './edges.js';
import { CANCELLED, isRequest, readId, MAX_MESSAGE_BYTES, parseIncoming, toMessage } from '../incoming.js';
import { createOpenRequests } from '../revisions/open_requests.js';
import { buildRpcFailure, ProtocolError, RPC } from '../protocol_error.js';
import {
  checkInitialize,
  isInitialize,
  openSession,
  type SessionOptions,
} from '../revisions/revision_2025.js';
import { createStatelessRevision } from '../revisions/revision_2026.js';

export type StdioOptions = {
  /** Its chunks are read at once, or copied, since the stream may reuse their memory. */
  input: Readable;
  output: Pick<Writable, 'write'>;
  signal?: AbortSignal;
  /** How long calls that run at the end of the input are waited for. */
  grace_ms?: number;
};

const GRACE_MS = 25_000;

const OPENING_BRACE = 0x7b;

/** About what a pipe holds. */
const GATHERED_CHARS = 64 * 1024;

/** The server behind stdio; its service may have yet to start. */
export type Spoken = Pick<SessionOptions, 'methods' | 'caller'> & {
  service: Pick<Service, 'continuations' | 'log' | 'version'>;
};

/**
 * Speaks MCP, a message a line, until the input ends or the signal aborts. After the end of the input the calls that run
 * are still answered; after an abort they are not waited for. One client may speak both forms of the protocol side by side: it
 * probes with the newer one. Our own for the reasons in ../http/routes.ts, and because a line has a limit before it is parsed.
 */
export async function speakStdio(
  { methods, caller, service }: Spoken,
  { input, output, signal, grace_ms = GRACE_MS }: StdioOptions,
): Promise<void> {
  const from = { caller, face: 'mcp_stdio' as const };
  const session = openSession({ methods, service, ...from });
  const stateless = createStatelessRevision({ methods, service });
  /** Running requests of the stateless revision, by id, with how to cancel them. */
  const open = createOpenRequests<() => void>();

  const lines = gatherLines(output);
  const write = (message: JSONRPCMessage | JSONRPCMessage[]) => lines.write(JSON.stringify(message));
  const exchange: Exchange = {
    send(message) {
      lines.write(JSON.stringify(message), { is_notice: !('id' in message) });
      return true;
    },
    finish: (answer) => answer && write(answer),
  };

  function receive(value: unknown): void {
    if (Array.isArray(value)) {
      checkBatch(value, session.takesBatches());
      receiveBatch(value, {
        session,
        exchange,
        receiveOther: (message) => void session.receiveOther(message),
      });
      return;
    }
    const message = toMessage(value);
    if (!isRequest(message)) return receiveOther(message);
    if (isStateless(message, undefined)) return receiveStateless(message);
    if (isInitialize(message)) checkInitialize(message);
    session.receiveRequest(message, exchange);
  }

  function receiveStateless(message: JSONRPCRequest): void {
    const admitted = stateless.admit(message);
    const opened = open.add(message.id, () => cancel());
    const cancel = stateless.receive(admitted, from, {
      ...exchange,
      finish(answer) {
        open.remove(opened);
        exchange.finish(answer);
      },
    });
  }

  function receiveOther(message: Exclude<JSONRPCMessage, JSONRPCRequest>): void {
    const params = 'method' in message && message.method === CANCELLED ? message.params : undefined;
    const opened = open.find(params?.['requestId']);
    if (opened) opened.entry();
    else void session.receiveOther(message);
  }

  const onLine = (line: Buffer) => {
    let value: unknown;
    try {
      value = parseIncoming(line);
      receive(value);
    } catch (cause) {
      if (!(cause instanceof ProtocolError)) throw cause;
      write(buildRpcFailure(cause.id ?? readId(value), cause));
    }
  };
  const onTooLong = (id: RequestId | undefined) => {
    const message = `A message has more than ${MAX_MESSAGE_BYTES} bytes.`;
    write(buildRpcFailure(id, { code: RPC.invalid_request, message }));
  };

  await readLines(input, onLine, onTooLong, signal);
  if (!signal?.aborted) {
    const idle = Promise.all([session.whenIdle(), open.whenIdle()]);
    await Promise.race([idle, whenAborted(signal), whenOver(grace_ms)]);
  }
  for (const { entry } of open.list()) entry();
  await session.close();
  lines.flush();
}

/** How long nothing follows a notice, so that the client reads it by itself. */
const GAP_MS = 10;

type Chunk = { text: string; has_notice: boolean };

/**
 * Writes together what is ready without waiting, but no answer in one chunk with a notice before it: the official client hands each
 * notification on in a microtask, but takes an answer at once and drops the progress that was still under way to its handler.
 */
function gatherLines(output: StdioOptions['output']): {
  write(line: string, kind?: { is_notice: boolean }): void;
  flush(): void;
} {
  let chunks: Chunk[] = [];
  let isWaiting = false;

  const writeNext = () => {
    isWaiting = false;
    const chunk = chunks.shift();
    if (!chunk) return;
    output.write(chunk.text);
    if (chunk.has_notice) wait(() => setTimeout(writeNext, GAP_MS));
    else if (chunks.length > 0) wait(() => process.nextTick(writeNext));
  };
  const wait = (begin: () => void) => {
    if (isWaiting) return;
    isWaiting = true;
    begin();
  };
  return {
    write(line, { is_notice } = { is_notice: false }) {
      const last = chunks.at(-1);
      if (last && last.has_notice === is_notice && last.text.length < GATHERED_CHARS)
        last.text += `${line}\n`;
      else chunks.push({ text: `${line}\n`, has_notice: is_notice });
      wait(() => process.nextTick(writeNext));
    },
    flush() {
      for (const { text } of chunks) output.write(text);
      chunks = [];
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
      if (!isSkipping) held.push(Buffer.from(piece));
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

function whenOver(duration_ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, duration_ms).unref());
}

function whenAborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}
