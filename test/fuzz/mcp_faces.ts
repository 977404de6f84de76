import { PassThrough } from 'node:stream';
import type { Operation } from '../../src/core/operations/operation.js';
import { isObject } from '../../src/transports/mcp/incoming.js';
import type { Service } from '../../src/transports/index.js';
import { speakWith } from '../speak_stdio.js';
import type { Tree } from './mutate.js';
import type { Random } from './random.js';
import { spoil } from './spoil.js';

/*
 * Operations called through the framing of the protocol: a line or a POST, in either of its forms, with a
 * message that may be broken.
 */

/**
 * The response in one form for all transports. `refused`: the input was not a message, and a protocol error
 * said so.
 */
export type Told = { is_ok: boolean; status: number; body: unknown } | 'refused' | 'asked';

type Message = { id?: unknown; result?: Record<string, unknown>; error?: unknown };

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
};

/** Answers that a person, or something worse, gives to a question about money. */
const REPLIES: Tree[] = [
  { action: 'accept', content: { confirm: true } },
  { action: 'accept', content: { confirm: 'true' } },
  { action: 'decline' },
  {},
  7,
];

export type StdioFace = {
  ask(operation: Operation, input: Tree, random: Random): Promise<Told>;
  close(): Promise<void>;
};

/** Speaks over stdio line by line, over a connection with a handshake and one without. */
export function openStdioFace(service: Service): StdioFace {
  const [legacy, modern] = [openConnection(service), openConnection(service)];
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  void legacy.ask('first', JSON.stringify({ jsonrpc: '2.0', id: 'first', method: 'initialize', params }));
  let last_id = 0;

  return {
    async ask(operation, value, random) {
      last_id += 1;
      const isModern = random.chance(0.5);
      const text = buildCall(last_id, operation, value, isModern ? { _meta: META } : {});
      return toTold(await (isModern ? modern : legacy).ask(last_id, text));
    },
    async close() {
      await Promise.all([legacy.close(), modern.close()]);
    },
  };
}

function openConnection(service: Service) {
  const input = new PassThrough();
  const waiting = new Map<unknown, (message: Message) => void>();
  const output = {
    write(lines: string) {
      for (const line of lines.trimEnd().split('\n')) {
        const message = JSON.parse(line) as Message;
        const resolve = waiting.get(message.id);
        waiting.delete(message.id);
        resolve?.(message);
      }
      return true;
    },
  };
  const ended = speakWith(service, { input, output });
  return {
    ask(id: unknown, text: string): Promise<Message> {
      const answered = new Promise<Message>((resolve) => waiting.set(id, resolve));
      input.write(`${text}\n`);
      return answered;
    },
    async close() {
      input.end();
      await ended;
    },
  };
}

/** One POST of 2026-07-28, with a reply of any kind if the server asks something. */
export async function askMcpHttp(
  { port, key }: { port: number; key: string },
  operation: Operation,
  value: Tree,
  random: Random,
): Promise<Told> {
  const post = async (body: string): Promise<Message> => {
    const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-service-api-key': key,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': operation.id,
      },
      body,
    });
    const text = await response.text();
    if (response.status === 202 && !hasId(body)) return NOTED;
    return JSON.parse(text) as Message;
  };
  const message = await post(spoil(buildCall(1, operation, value, { _meta: META }), random));
  if (toTold(message) !== 'asked') return toTold(message);
  const requestState = `${String(message.result?.['requestState'])}${random.chance(0.2) ? 'A' : ''}`;
  const inputResponses = { consent: random.pick(REPLIES) };
  return toTold(await post(buildCall(2, operation, value, { _meta: META, requestState, inputResponses })));
}

/** A message that lost its id while it was spoiled is a notification, which gets no answer. */
const NOTED: Message = { error: { code: -32600, message: 'nothing was asked' } };

function hasId(text: string): boolean {
  const message = JSON.parse(text) as unknown;
  return isObject(message) && 'id' in message;
}

function buildCall(id: number, { id: name }: Operation, input: Tree, more: object): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: input, ...more },
  });
}

/** Throws if the response is neither an answer nor an error of the protocol. */
function toTold({ result, error }: Message): Told {
  if (isObject(error) && typeof error['message'] === 'string') {
    if (PROTOCOL_CODES.has(error['code'])) return 'refused';
  }
  if (result?.['resultType'] === 'input_required' && typeof result['requestState'] === 'string')
    return 'asked';
  const [content] = (result?.['content'] ?? []) as { text: string }[];
  if (!content) throw new Error(`no answer of the protocol: ${JSON.stringify({ result, error })}`);
  const { notice: _notice, ...body } = JSON.parse(content.text) as Record<string, unknown>;
  if (result?.['isError'] !== true) return { is_ok: true, status: 200, body: result?.['structuredContent'] };
  const { status } = (body as { error: { status: number } }).error;
  return { is_ok: false, status, body };
}

/** Not JSON, not a message, or invalid parameters. Never -32603: that would be our fault. */
const PROTOCOL_CODES: ReadonlySet<unknown> = new Set([-32700, -32600, -32602, -32020]);
