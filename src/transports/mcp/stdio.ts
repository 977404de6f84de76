import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Service } from '../service.js';
import type { Exchange } from './exchange_transport.js';
import { isInitialize, isRequest, MAX_MESSAGE_BYTES, parseMessage } from './incoming.js';
import { keepText, toMessageText } from './message_text.js';
import { buildRpcFailure, ProtocolError, RPC } from './protocol_error.js';
import { checkInitialize, openSession } from './revision_2025.js';
import { createToolbox } from './toolbox.js';

export type StdioOptions = {
  input: Readable;
  output: Pick<Writable, 'write'>;
  signal?: AbortSignal;
  /** How long calls that run at the end of the input are waited for. */
  grace_ms?: number;
};

const GRACE_MS = 25_000;

/**
 * Speaks MCP, a message a line, until the input ends or the signal aborts. After the end of the input the calls that run
 * are still answered; after an abort they are not waited for.
 */
export async function runStdio(
  service: Service,
  { input, output, signal, grace_ms = GRACE_MS }: StdioOptions,
): Promise<void> {
  const toolbox = createToolbox(service);
  keepText(toolbox.list);
  const { account_id } = await service.accounts.getDefault();
  const caller = { account_id, credential: 'local' as const };
  const session = await openSession({ toolbox, service, caller, face: 'mcp_stdio' });

  const write = (message: JSONRPCMessage) => output.write(`${toMessageText(message)}\n`);
  const exchange: Exchange = { send: write, finish: (answer) => answer && write(answer) };

  const receive = (line: Buffer) => {
    let message: JSONRPCMessage | undefined;
    try {
      message = parseMessage(line);
      if (!isRequest(message)) return session.transport.receiveOther(message);
      if (isInitialize(message)) checkInitialize(message);
      session.transport.receiveRequest(message, exchange);
    } catch (cause) {
      if (!(cause instanceof ProtocolError)) throw cause;
      const id = message && isRequest(message) ? message.id : cause.id;
      output.write(`${JSON.stringify(buildRpcFailure(id, cause.code, cause.message))}\n`);
    }
  };
  const onTooLong = () => {
    const words = `A message has more than ${MAX_MESSAGE_BYTES} bytes.`;
    output.write(`${JSON.stringify(buildRpcFailure(null, RPC.invalid_request, words))}\n`);
  };

  await readLines(input, receive, onTooLong, signal);
  if (!signal?.aborted) {
    await Promise.race([session.transport.whenIdle(), whenAborted(signal), whenOver(grace_ms)]);
  }
  await session.close();
}

/** Resolves at the end of the input, when it breaks, or when the signal aborts. */
function readLines(
  input: Readable,
  onLine: (line: Buffer) => void,
  onTooLong: () => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve) => {
    let held: Buffer[] = [];
    let held_bytes = 0;
    let isSkipping = false;

    const take = (piece: Buffer) => {
      held_bytes += piece.length;
      if (held_bytes > MAX_MESSAGE_BYTES && !isSkipping) {
        isSkipping = true;
        onTooLong();
      }
      if (isSkipping) held = [];
      else held.push(piece);
    };
    const finishLine = () => {
      const line = Buffer.concat(held);
      const isToBeRead = !isSkipping && line.toString('latin1').trim() !== '';
      held = [];
      held_bytes = 0;
      isSkipping = false;
      if (isToBeRead) onLine(line);
    };
    const onData = (chunk: Buffer) => {
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        take(chunk.subarray(start, end));
        finishLine();
        start = end + 1;
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
