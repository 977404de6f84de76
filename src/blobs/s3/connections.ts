import type { Agent } from 'undici';

/** A body that is opened again each time it is sent. */
export type SentBody = { size_bytes: number; sha256: string; open(): AsyncIterable<Buffer> };

type SentRequest = {
  method: 'GET' | 'PUT' | 'DELETE';
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: SentBody | undefined;
  /** Until the head of the answer has arrived, including the time to send. */
  answer_timeout_ms: number;
  /** Between two pieces of the answer, while the reader requests them. */
  silence_timeout_ms: number;
};

/** Use either `body` or `readText`, or the connection stays taken. */
type Answer = {
  status: number;
  body: AsyncIterable<Buffer>;
  /** Rejects if the answer is longer than any text. */
  readText(): Promise<string>;
};

/** How requests reach the bucket. Follows no redirect and retries nothing. */
export type Connections = {
  /** Rejects if there is no answer. */
  request(request: SentRequest): Promise<Answer>;
  /** Closes every connection; requests in flight are lost. */
  close(): Promise<void>;
};

/** Sockets, opened at the first request. */
export function openConnections(): Connections {
  let opening: Promise<Agent> | undefined;
  let isClosed = false;

  return {
    async request({ method, url, headers, body, answer_timeout_ms, silence_timeout_ms }) {
      if (isClosed) throw new Error('The bucket is closed.');
      const agent = await (opening ??= openAgent());
      const answer = await agent.request({
        method,
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        headers: { ...headers, ...(body && { 'content-length': String(body.size_bytes) }) },
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it takes every iterable, and its types do not say so
        body: (body?.open() ?? null) as Buffer | null,
        headersTimeout: answer_timeout_ms,
        bodyTimeout: silence_timeout_ms,
      });
      return { status: answer.statusCode, body: answer.body, readText: () => readText(answer.body) };
    },
    async close() {
      isClosed = true;
      await (await opening)?.destroy();
    },
  };
}

/** Loaded lazily: most installations keep their files in a folder. */
async function openAgent(): Promise<Agent> {
  const undici = await import('undici');
  return new undici.Agent({
    connections: MAX_CONNECTIONS,
    // Shorter than any server idle limit that we know of, so that a request seldom meets a closing
    // connection.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 30_000,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  });
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size_bytes = 0;
  for await (const chunk of body) {
    size_bytes += chunk.length;
    if (size_bytes > MAX_TEXT_BYTES) throw new Error(`an answer of more than ${MAX_TEXT_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const MAX_CONNECTIONS = 64;
const CONNECT_TIMEOUT_MS = 10_000;
/** A page of a listing has a thousand keys of up to 1,024 bytes. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;
