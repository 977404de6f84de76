import type { Agent } from 'undici';

/** A body that is opened anew each time it is sent. */
export type SentBody = { size_bytes: number; sha256: string; open(): AsyncIterable<Buffer> };

type SentRequest = {
  method: 'GET' | 'PUT' | 'DELETE';
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: SentBody | undefined;
  /** Until the head of the answer is there, sending included. */
  answer_timeout_ms: number;
  /** Between two pieces of the answer, while they are wanted. */
  silence_timeout_ms: number;
};

/** One of `body` and `readText` has to be used, or else the connection stays taken. */
type Answer = {
  status: number;
  body: AsyncIterable<Buffer>;
  /** Rejects for more than an answer in words has. */
  readText(): Promise<string>;
};

/** How requests reach the bucket. No redirect is followed, and nothing is sent again. */
export type Connections = {
  /** Rejects where there is no answer. */
  request(request: SentRequest): Promise<Answer>;
  /** Ends every connection; requests under way are lost. */
  close(): Promise<void>;
};

/** Sockets, which are opened when the first request comes. */
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

/** Loaded late: most installations keep their files in a folder. */
async function openAgent(): Promise<Agent> {
  const undici = await import('undici');
  return new undici.Agent({
    connections: MAX_CONNECTIONS,
    // Shorter than any server's own idle limit that we know of, so that a request seldom meets a closing connection.
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
