/*
 * A client of the revision 2026-07-28 over HTTP, written without the SDK so that tests can break its rules
 * one by one.
 */

export const VERSION = '2026-07-28';

type Params = Record<string, unknown>;

type Sent = {
  /** Merged into params._meta; undefined removes an entry. */
  meta?: Params;
  /** undefined removes a header. */
  headers?: Record<string, string | undefined>;
  signal?: AbortSignal;
  id?: unknown;
};

export type Received = {
  status: number;
  content_type: string | null;
  /** The answer, after the messages that preceded it on the stream. */
  answer: {
    id?: unknown;
    result?: Record<string, unknown>;
    error?: { code: number; message: string; data?: unknown };
  };
  before: { method: string; params: Params }[];
  headers: Headers;
};

export type StatelessClient = {
  send(method: string, params?: Params, sent?: Sent): Promise<Received>;
  callTool(name: string, input: Params, more?: Params, sent?: Sent): Promise<Received>;
};

/** @param headers credentials
 * @param fetchOnce instead of fetch */
export function createStatelessClient(
  url: string,
  headers: Record<string, string>,
  client_capabilities: Params = {},
  fetchOnce: (url: string, init: RequestInit) => Promise<Response> = fetch,
): StatelessClient {
  let last_id = 0;

  async function send(method: string, params: Params = {}, sent: Sent = {}): Promise<Received> {
    last_id += 1;
    const _meta = drop({
      'io.modelcontextprotocol/protocolVersion': VERSION,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': client_capabilities,
      ...sent.meta,
    });
    const name = params['name'] ?? params['uri'];
    const response = await fetchOnce(`${url}/mcp`, {
      method: 'POST',
      headers: drop({
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': VERSION,
        'mcp-method': method,
        'mcp-name': typeof name === 'string' ? name : undefined,
        ...headers,
        ...sent.headers,
      }),
      body: JSON.stringify({ jsonrpc: '2.0', id: sent.id ?? last_id, method, params: { ...params, _meta } }),
      ...(sent.signal && { signal: sent.signal }),
    });
    const content_type = response.headers.get('content-type');
    const messages = readMessages(await response.text(), content_type);
    const answer = (messages.pop() ?? {}) as Received['answer'];
    const before = messages as Received['before'];
    return { status: response.status, content_type, answer, before, headers: response.headers };
  }

  return {
    send,
    callTool: (name, input, more = {}, sent = {}) =>
      send('tools/call', { name, arguments: input, ...more }, sent),
  };
}

function drop<Value>(entries: Record<string, Value | undefined>): Record<string, Value> {
  const kept = Object.entries(entries).filter((entry): entry is [string, Value] => entry[1] !== undefined);
  return Object.fromEntries(kept);
}

function readMessages(text: string, content_type: string | null): unknown[] {
  if (content_type !== 'text/event-stream') return text === '' ? [] : [JSON.parse(text) as unknown];
  const lines = text.split('\n').filter((line) => line.startsWith('data: '));
  return lines.map((line) => JSON.parse(line.slice('data: '.length)) as unknown);
}
