import { BlobsError } from '../../core/ports/blobs.js';
import type { Clock, Log, Randomness } from '../../core/ports/world.js';
import { retry } from '../../core/async/retry.js';
import { parseErrorCode } from './answers.js';
import { openConnections, type Connections, type SentBody } from './connections.js';
import { createSigner, type BucketKey } from './sign.js';

/** Where a bucket is and who may use it, as the operator configured it. */
type BucketPlace = BucketKey & {
  bucket: string;
  /** The prefix of every key, without a slash at either end; may be empty. */
  prefix: string;
  /** http or https, without a trailing slash; chosen by the operator, so it may be on a private network. */
  endpoint: string;
  /** Whether the bucket is named in the path; otherwise it is the first label of the host. */
  is_path_style: boolean;
};

type BucketRequest = {
  method: 'GET' | 'PUT' | 'DELETE';
  /** Below the prefix; undefined for the bucket itself. */
  key?: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: SentBody;
  /** Statuses besides 2xx that are valid answers. */
  expected?: readonly number[];
  /** Sent once, for callers that retry anyway. */
  is_once?: boolean;
};

export type Bucket = {
  /** The name of the place, for sentences. */
  name: string;
  prefix: string;
  /**
   * Sends a request and returns its whole answer, which is small. Every request of ours is idempotent, so it
   * is retried a few times if it was lost or refused temporarily. Throws BlobsError.
   */
  send(request: BucketRequest): Promise<{ status: number; text: string }>;
  /**
   * The bytes of an object from an offset on, as they arrive; they may end early, and reading them may throw.
   * Undefined if there is no such object. Sent once. Throws BlobsError.
   */
  read(key: string, from_byte: number): Promise<AsyncIterable<Buffer> | undefined>;
  /** Waits before the next attempt, longer each time. */
  pause(attempt: number): Promise<void>;
  close(): Promise<void>;
};

export type BucketOptions = {
  place: BucketPlace;
  user_agent: string;
  clock: Clock;
  randomness: Randomness;
  log: Log;
  /** The longest silence allowed. */
  timeout_ms?: number | undefined;
};

export const MOST_ATTEMPTS = 4;
const FIRST_PAUSE_MS = 200;
const TIMEOUT_MS = 10_000;
/** The slowest supported connection for a file to the bucket. */
const LEAST_BYTES_PER_MS = 250;
const BUSY: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** A status and S3's error code, or no answer at all. */
type Refusal = { status: number; code: string | undefined } | { cause: unknown };

export function createBucket({
  place,
  user_agent,
  clock,
  randomness,
  log,
  ...options
}: BucketOptions): Bucket {
  const timeout_ms = options.timeout_ms ?? TIMEOUT_MS;
  const { bucket, prefix } = place;
  const base = toBase(place);
  const name = `s3://${bucket}${prefix === '' ? '' : `/${prefix}`} at ${place.endpoint}`;
  const sign = createSigner(place, clock);
  const connections: Connections = openConnections();

  async function exchange({ method, key, query = {}, headers = {}, body }: BucketRequest) {
    const url = new URL(key === undefined ? base : `${base}/${toFullKey(key)}`);
    for (const [field, value] of Object.entries(query)) url.searchParams.set(field, value);
    const signed = await sign(method, url, headers, body?.sha256);
    const sending_ms = (body?.size_bytes ?? 0) / LEAST_BYTES_PER_MS;
    return connections.request({
      method,
      url,
      headers: { ...signed, 'user-agent': user_agent },
      body,
      answer_timeout_ms: timeout_ms + sending_ms,
      silence_timeout_ms: timeout_ms,
    });
  }

  function toFullKey(key: string): string {
    return prefix === '' ? key : `${prefix}/${key}`;
  }

  async function attempt(request: BucketRequest): Promise<{ status: number; text: string } | Refusal> {
    try {
      const { status, readText } = await exchange(request);
      const text = await readText();
      const isAnswer = (status >= 200 && status < 300) || request.expected?.includes(status);
      const code = isAnswer ? undefined : parseErrorCode(text);
      // A missing bucket is not a missing object.
      if (isAnswer && !(status === 404 && parseErrorCode(text) === 'NoSuchBucket')) return { status, text };
      return { status, code: code ?? parseErrorCode(text) };
    } catch (cause) {
      return { cause };
    }
  }

  function note(request: Pick<BucketRequest, 'method'>, refusal: Refusal, count: number): void {
    log.warn('a request to the bucket failed', { method: request.method, attempt: count, ...refusal });
  }

  async function pause(count: number): Promise<void> {
    const longest_ms = FIRST_PAUSE_MS * 3 ** (count - 1);
    await clock.sleep((longest_ms * (1 + (randomness.bytes(1)[0] ?? 0) / 255)) / 2);
  }

  return {
    name,
    prefix,
    pause,
    send(request) {
      const sendOnce = async (count: number) => {
        const answer = await attempt(request);
        if ('text' in answer) return answer;
        note(request, answer, count);
        throw toBlobsError(name, answer);
      };
      const attempts = request.is_once === true ? 1 : MOST_ATTEMPTS;
      return retry(sendOnce, { attempts, isWorthIt: isUnavailable, pause });
    },
    async read(key, from_byte) {
      const request = {
        method: 'GET',
        key,
        ...(from_byte > 0 && { headers: { range: `bytes=${from_byte}-` } }),
      } as const;
      const answer = await exchange(request).catch((cause: unknown) => {
        note(request, { cause }, 1);
        throw toBlobsError(name, { cause });
      });
      const { status, body } = answer;
      if (status === 206 && from_byte > 0) return body;
      if (status === 200) return skip(body, from_byte);
      const refusal = { status, code: parseErrorCode(await answer.readText().catch(() => '')) };
      if (status === 404 && refusal.code !== 'NoSuchBucket') return undefined;
      note(request, refusal, 1);
      throw toBlobsError(name, refusal);
    },
    close: () => connections.close(),
  };
}

function toBase({ endpoint, bucket, is_path_style }: BucketPlace): string {
  if (is_path_style) return `${endpoint}/${bucket}`;
  const url = new URL(endpoint);
  return `${url.protocol}//${bucket}.${url.host}${url.pathname.replace(/\/$/, '')}`;
}

/** A server that does not support ranges sends the whole object. */
async function* skip(body: AsyncIterable<Buffer>, count_bytes: number): AsyncGenerator<Buffer> {
  let left_bytes = count_bytes;
  for await (const chunk of body) {
    if (chunk.length > left_bytes) yield chunk.subarray(left_bytes);
    left_bytes = Math.max(0, left_bytes - chunk.length);
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof BlobsError && error.code === 'BLOBS_UNAVAILABLE';
}

function toBlobsError(name: string, refusal: Refusal): BlobsError {
  if (!('status' in refusal)) {
    const { cause } = refusal;
    const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
    return new BlobsError('BLOBS_UNAVAILABLE', `The bucket ${name} does not answer${code}.`, { cause });
  }
  const { status, code } = refusal;
  const words = code === undefined ? String(status) : `${status} ${code}`;
  if (code === 'NoSuchBucket' || status === 404)
    return new BlobsError('BLOBS_MISSING', `There is no bucket ${name} (${words}).`);
  if (BUSY.has(status) || code === 'RequestTimeout')
    return new BlobsError('BLOBS_UNAVAILABLE', `The bucket ${name} is not available now (${words}).`);
  return new BlobsError('BLOBS_REFUSED', `The bucket ${name} refused: ${describeRefusal(words, code)}.`);
}

function describeRefusal(words: string, code: string | undefined): string {
  switch (code) {
    case 'InvalidAccessKeyId':
      return `it does not know the key in S3_ACCESS_KEY_ID (${words})`;
    case 'SignatureDoesNotMatch':
      return `S3_SECRET_ACCESS_KEY is not the secret of S3_ACCESS_KEY_ID, or S3_REGION is wrong (${words})`;
    case 'RequestTimeTooSkewed':
      return `this computer's clock is wrong (${words})`;
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
      return `S3_ENDPOINT or S3_REGION is not the bucket's (${words})`;
    default:
      return `the key in S3_ACCESS_KEY_ID may not do this (${words})`;
  }
}
