import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as requestHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import S3rver from 's3rver';
import { portOf } from '../media/sample.js';
import { findSignatureProblem } from './signature.js';

export const BUCKET_KEY = { access_key_id: 'S3RVER', secret_access_key: 'S3RVER' };

/**
 * The treatment of a request instead of its normal handling, or before it (`slow`). `lose_answer`: it is done,
 * and its connection closes then; `truncate`: the body of the response is cut off in the middle; `damage`: one
 * of its bytes is changed.
 */
export type BucketFault =
  | { kind: 'status'; status: number; code: string }
  | { kind: 'slow'; delay_ms: number }
  | { kind: 'reset' | 'stall' | 'lose_answer' | 'truncate' | 'damage' };

export type SeenRequest = { method: string; path: string; query: string; range: string | undefined };

/** An S3 server on loopback, behind a proxy that checks signatures and injects faults. */
export type BucketServer = {
  url: string;
  /**
   * The folder of its objects, with a subfolder for each bucket; the name of a file of bytes ends with
   * `._S3rver_object`.
   */
  directory: string;
  /** The requests received, including those with faults. */
  seen: SeenRequest[];
  /** Applies to the next requests (this many) that match. */
  fail(fault: BucketFault, options?: { times?: number; when?: (request: SeenRequest) => boolean }): void;
  /** Nothing fails from now on. */
  heal(): void;
  /** The number of keys on a page of a listing; 1,000 by default. */
  setPageSize(keys: number): void;
  /** The settings of a service that keeps its files there. */
  toSettings(prefix: string): Record<string, string>;
  close(): Promise<void>;
};

export async function startBucketServer(bucket = 'photos'): Promise<BucketServer> {
  const directory = await mkdtemp(join(tmpdir(), 'bucket-'));
  const s3rver = new S3rver({
    directory,
    address: '127.0.0.1',
    port: 0,
    silent: true,
    configureBuckets: [{ name: bucket }],
  });
  const { port } = await s3rver.run();
  const seen: SeenRequest[] = [];
  let page_size = 1_000;
  let faults: { fault: BucketFault; left: number; when: (request: SeenRequest) => boolean }[] = [];

  function takeFault(request: SeenRequest): BucketFault | undefined {
    const planned = faults.find(({ left, when }) => left > 0 && when(request));
    if (planned) planned.left -= 1;
    return planned?.fault;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const { method = '' } = request;
    const reported = { method, path, query, range: request.headers.range };
    seen.push(reported);
    const fault = takeFault(reported);
    if (fault?.kind === 'reset') return void request.socket.resetAndDestroy();
    const body = await buffer(request);
    if (fault?.kind === 'stall') return;
    if (fault?.kind === 'slow') await pause(fault.delay_ms);
    if (fault?.kind === 'status') return refuse(response, fault.status, fault.code);
    const problem = findSignatureProblem(request, body, BUCKET_KEY, new Date());
    if (problem) return refuse(response, problem === 'XAmzContentSHA256Mismatch' ? 400 : 403, problem);
    forward(request, body, response, fault);
  }

  function forward(
    { method, url = '', headers }: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
    fault: BucketFault | undefined,
  ): void {
    const token = new URL(url, 'http://bucket').searchParams.get('continuation-token');
    const path = url.replace(/&?continuation-token=[^&]*/, '');
    const sent = requestHttp({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answered) => {
      if (fault?.kind === 'lose_answer') {
        answered.resume().on('end', () => response.socket?.resetAndDestroy());
        return;
      }
      if (page_size < 1_000 && url.includes('list-type=2')) {
        void buffer(answered).then((xml) => response.end(cutPage(xml.toString(), token, page_size)));
        return;
      }
      response.writeHead(answered.statusCode ?? 500, answered.headers);
      if (fault?.kind !== 'truncate' && fault?.kind !== 'damage') return void answered.pipe(response);
      void breakOff(answered, response, fault.kind);
    });
    sent.on('error', () => response.socket?.destroy());
    sent.end(body);
  }

  const proxy = createServer((request, response) => {
    // A client that disconnects in the middle of its body.
    answer(request, response).catch(() => response.socket?.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${portOf(proxy)}`;

  return {
    url,
    directory,
    seen,
    fail: (fault, { times = 1, when = () => true } = {}) => void faults.push({ fault, left: times, when }),
    heal() {
      faults = [];
    },
    setPageSize(keys) {
      page_size = keys;
    },
    toSettings: (prefix) => ({
      BLOB_STORE: `s3://${bucket}/${prefix}`,
      S3_ENDPOINT: url,
      S3_ACCESS_KEY_ID: BUCKET_KEY.access_key_id,
      S3_SECRET_ACCESS_KEY: BUCKET_KEY.secret_access_key,
    }),
    async close() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
      s3rver.httpServer.closeAllConnections();
      await s3rver.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function breakOff(
  answered: IncomingMessage,
  response: ServerResponse,
  kind: 'truncate' | 'damage',
): Promise<void> {
  const bytes = await buffer(answered);
  const middle = Math.floor(bytes.length / 2);
  if (kind === 'truncate') {
    response.write(bytes.subarray(0, middle), () => response.socket?.destroy());
    return;
  }
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  response.end(bytes);
}

/**
 * The server makes its own tokens with a cipher that OpenSSL 3 no longer has. Like real ones, these must be
 * encoded in a URL.
 */
function cutPage(xml: string, token: string | null, page_size: number): string {
  const start = token === null ? 0 : Number(/^p\+\/(\d+)=$/.exec(token)?.[1]);
  const all = xml.match(/<Contents>.*?<\/Contents>/gs) ?? [];
  const next = start + page_size;
  const more = next < all.length ? `<NextContinuationToken>p+/${next}=</NextContinuationToken>` : '';
  return (
    `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><IsTruncated>${more !== ''}</IsTruncated>${more}` +
    `${all.slice(start, next).join('')}</ListBucketResult>`
  );
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>no</Message></Error>`,
  );
}
