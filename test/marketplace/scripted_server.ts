import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

export type SeenRequest = {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingMessage['headers'];
  body: Buffer;
};

/**
 * `json` is sent as JSON, `text` unchanged. `reset` and `stall` happen after the whole request has been read.
 */
export type ScriptedAnswer =
  | { status: number; json?: unknown; text?: string; headers?: Record<string, string> }
  | 'reset'
  | 'stall'
  | 'half';

export type ScriptedServer = {
  url: string;
  seen: SeenRequest[];
  /** Connections accepted so far. */
  countConnections(): number;
  close(): Promise<void>;
};

/**
 * A real server on loopback that gives the answer in `answer`, or the entries of a list one after the other.
 */
export async function startScriptedServer(
  script: ScriptedAnswer[] | ((request: SeenRequest) => ScriptedAnswer | Promise<ScriptedAnswer>),
): Promise<ScriptedServer> {
  const seen: SeenRequest[] = [];
  let connections = 0;
  const next = Array.isArray(script)
    ? () => script.shift() ?? { status: 500, json: { error: 'the script is over' } }
    : script;
  const server = createServer((request, response) => {
    void (async () => {
      const read = await readRequest(request).catch(() => undefined);
      // Its body broke off.
      if (!read) return;
      seen.push(read);
      send(request, response, await next(read));
    })();
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    countConnections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  const body = await buffer(request);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://unused');
  return {
    method: request.method ?? '',
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: request.headers,
    body,
  };
}

function send(request: IncomingMessage, response: ServerResponse, answer: ScriptedAnswer): void {
  if (answer === 'stall') return;
  if (answer === 'reset') {
    request.socket.resetAndDestroy();
    return;
  }
  if (answer === 'half') {
    response.writeHead(201, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"listing_id":', () => request.socket.destroy());
    return;
  }
  const isJson = answer.json !== undefined;
  response.writeHead(answer.status, {
    'content-type': isJson ? 'application/json' : 'text/html',
    'x-limit-per-second': '1000',
    ...answer.headers,
  });
  response.end(isJson ? JSON.stringify(answer.json) : answer.text);
}
