import type { Dispatcher } from 'undici';
import { parseUrl } from '../../core/text/parse_url.js';
import { MediaError, type NamedBy, type StagedFile } from '../../core/ports/media.js';
import type { DiskSpace } from '../disk_space.js';
import type { GuardedDispatcher } from './guarded_dispatcher.js';
import type { FileDispatcher } from './proxied_dispatcher.js';
import { stageSource, tooLarge } from '../staging.js';
import { watchRate } from './transfer_rate.js';

type FetchFileOptions = {
  dispatcher: GuardedDispatcher;
  /** The way to the marketplace's own origins, for addresses that the marketplace itself named. */
  marketplace: {
    getOrigins: () => Promise<readonly string[]>;
    dispatcher: GuardedDispatcher;
    /** Undefined for an address that is not known to be the marketplace's, or is reached directly. */
    findProxied: (url: URL) => FileDispatcher | undefined;
  };
  staging_dir: string;
  disk: DiskSpace;
  user_agent: string;
  minimum_rate: { size_bytes: number; window_ms: number };
};

type FetchLimits = { named_by: NamedBy; limit_bytes: number; deadline_ms: number; signal?: AbortSignal };

/** Downloads to a staged file. Throws MediaError with a class, and with nothing that a port answered. */
export async function fetchFile(
  options: FetchFileOptions,
  text: string,
  limits: FetchLimits,
): Promise<StagedFile> {
  let dispatcher: FileDispatcher = await chooseDispatcher(options, text, limits.named_by);
  let url = dispatcher.checkUrl(text, 'media');
  const abort = new AbortController();
  const deadline = setTimeout(() => abort.abort(timedOut(limits.deadline_ms)), limits.deadline_ms);
  const onCancelled = (): void => abort.abort(limits.signal?.reason);
  limits.signal?.addEventListener('abort', onCancelled, { once: true });
  try {
    limits.signal?.throwIfAborted();
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const answer = await fetchOnce(options, dispatcher, url, limits.limit_bytes, abort);
      if ('path' in answer) return answer;
      // A redirect's address comes from a foreign server, which may name no more than a caller may.
      ({ dispatcher } = options);
      url = options.dispatcher.checkRedirect(answer.location, url);
    }
    throw new MediaError('too_many_redirects', `The URL redirects more than ${MAX_REDIRECTS} times.`);
  } finally {
    clearTimeout(deadline);
    limits.signal?.removeEventListener('abort', onCancelled);
  }
}

/**
 * Beyond what a caller may name, the marketplace may name only its own origin: the same scheme, host and
 * port.
 */
async function chooseDispatcher(
  { dispatcher, marketplace }: FetchFileOptions,
  text: string,
  named_by: NamedBy,
): Promise<FileDispatcher> {
  const url = named_by === 'marketplace' ? parseUrl(text) : undefined;
  if (url === undefined) return dispatcher;
  const proxied = marketplace.findProxied(url);
  if (proxied) return proxied;
  return (await marketplace.getOrigins()).includes(url.origin) ? marketplace.dispatcher : dispatcher;
}

async function fetchOnce(
  options: FetchFileOptions,
  dispatcher: FileDispatcher,
  url: URL,
  limit_bytes: number,
  abort: AbortController,
): Promise<StagedFile | { location: string }> {
  const { signal } = abort;
  const client = await dispatcher.openClient(url, signal);
  try {
    const response = await request(client, url, options.user_agent, signal);
    const location = findLocation(response);
    if (location !== undefined) return { location };
    checkHead(response, limit_bytes);
    return await stageBody(options, response, limit_bytes, abort);
  } catch (error) {
    // The reason of the abort says more than the error that the layers below turn it into.
    signal.throwIfAborted();
    throw error;
  } finally {
    // Also drops an unread body, with its socket.
    await client.destroy();
  }
}

/** Sends one GET. Throws MediaError connect, or the guard's error. */
export async function request(
  client: Pick<Dispatcher, 'request'>,
  url: URL,
  user_agent: string,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  try {
    const response = await client.request({
      method: 'GET',
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      headers: { 'user-agent': user_agent, accept: '*/*', 'accept-encoding': 'identity' },
      signal,
    });
    // A body that is dropped unread emits an error event, which would end the process if it had no listener.
    response.body.on('error', () => undefined);
    return response;
  } catch (cause) {
    if (cause instanceof MediaError) throw cause;
    throw new MediaError('connect', 'The server of the URL gave no usable answer.', { cause });
  }
}

async function stageBody(
  options: FetchFileOptions,
  response: Dispatcher.ResponseData,
  limit_bytes: number,
  abort: AbortController,
): Promise<StagedFile> {
  const rate = watchRate(options.minimum_rate, () =>
    abort.abort(new MediaError('too_slow', 'The server of the URL sends the file too slowly.')),
  );
  try {
    return await stageSource(response.body, {
      staging_dir: options.staging_dir,
      disk: options.disk,
      limit_bytes,
      expected_bytes: Number(toSingle(response.headers['content-length']) ?? 0) || undefined,
      onChunk: rate.count,
    });
  } finally {
    rate.stop();
  }
}

function findLocation(response: Dispatcher.ResponseData): string | undefined {
  if (!REDIRECTS.has(response.statusCode)) return undefined;
  return toSingle(response.headers.location);
}

/** Throws MediaError unless the response contains the bytes themselves, not encoded and not too many. */
export function checkHead({ statusCode, headers }: Dispatcher.ResponseData, limit_bytes: number): void {
  // 206 would be a part of the file, which we did not request.
  if (statusCode < 200 || statusCode > 299 || statusCode === 206) {
    throw new MediaError(`status_${statusCode}`, `The server of the URL answered with status ${statusCode}.`);
  }
  if ((toSingle(headers['content-encoding']) ?? 'identity').toLowerCase() !== 'identity') {
    throw new MediaError(
      'unsupported_encoding',
      'The server of the URL sends the file compressed, though asked not to.',
    );
  }
  if (Number(toSingle(headers['content-length'])) > limit_bytes) throw tooLarge(limit_bytes);
}

function toSingle(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value;
}

function timedOut(deadline_ms: number): MediaError {
  return new MediaError('timeout', `The file was not there after ${deadline_ms / 1000} seconds.`);
}

const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
