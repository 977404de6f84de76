import { MediaError } from '../../core/ports/media.js';
import { checkHead, request } from './fetch_file.js';
import type { FileDispatcher } from './proxied_dispatcher.js';
import { tooLarge } from '../staging.js';

type Limits = { limit_bytes: number; deadline_ms: number };

/** Reads a small text into memory. Throws MediaError with a class, and with nothing that a port answered. */
export async function fetchDocument(
  { dispatcher, user_agent }: { dispatcher: FileDispatcher; user_agent: string },
  text: string,
  { limit_bytes, deadline_ms }: Limits,
): Promise<{ text: string; max_age_seconds: number | undefined }> {
  const url = dispatcher.checkUrl(text, 'media');
  if (url.protocol !== 'https:') throw new MediaError('invalid_url', 'The URL must start with https://.');
  const abort = new AbortController();
  const late = new MediaError('timeout', `The document was not there after ${deadline_ms / 1000} seconds.`);
  const deadline = setTimeout(() => abort.abort(late), deadline_ms);
  const client = await dispatcher.openClient(url, abort.signal);
  try {
    const response = await request(client, url, user_agent, abort.signal);
    checkHead(response, limit_bytes);
    const body = await readAll(response.body, limit_bytes);
    return { text: body, max_age_seconds: readMaxAge(response.headers['cache-control']) };
  } catch (cause) {
    abort.signal.throwIfAborted();
    throw cause instanceof MediaError
      ? cause
      : new MediaError('truncated', 'The document broke off.', { cause });
  } finally {
    clearTimeout(deadline);
    await client.destroy();
  }
}

async function readAll(body: AsyncIterable<Buffer>, limit_bytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size_bytes = 0;
  for await (const chunk of body) {
    size_bytes += chunk.length;
    if (size_bytes > limit_bytes) throw tooLarge(limit_bytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readMaxAge(header: string | string[] | undefined): number | undefined {
  const text = [header ?? ''].flat().join(',');
  if (/\bno-(store|cache)\b/i.test(text)) return 0;
  const seconds = /\bmax-age="?(\d{1,9})/i.exec(text)?.[1];
  return seconds === undefined ? undefined : Number(seconds);
}
