import { setTimeout as sleep } from 'node:timers/promises';
import type { LivePart } from './components/live.js';
import type { OwnVisit } from './page.js';
import { stream, type ServerEvent } from './replies.js';
import type { PageResponse } from '../pages/index.js';

/**
 * Jobs run in any process on this data, so their progress is read from the database, where all of them write
 * it.
 */
const POLL_MS = 400;
/** While nothing changes, such as in a paused batch, each wait is longer than the previous one, up to this. */
const LONGEST_POLL_MS = 5_000;
/** Proxies close a connection that is silent for a minute. */
const PULSE_MS = 15_000;
/** Streams end after this time; the browser then reconnects by itself, and its session is checked again. */
const LONGEST_MS = 5 * 60_000;
/**
 * Maximum number of concurrent event streams per account. Further ones get the current state and end: their
 * browsers then poll every few seconds.
 */
const MAX_STREAMS = 24;

/**
 * Server-sent events with a part of a page, at each change, until the work is done, when `readPart` returns
 * undefined.
 */
export type LiveStreams = (
  visit: Pick<OwnVisit, 'account_id' | 'request'>,
  readPart: () => Promise<LivePart | undefined>,
) => PageResponse;

/** The streams of all pages together. */
export function createLiveStreams(): LiveStreams {
  const open = new Map<string, number>();

  /** Whether the account may have one more stream, which lasts until the browser disconnects. */
  function takePlace(account_id: string, signal: AbortSignal): boolean {
    const count = open.get(account_id) ?? 0;
    if (signal.aborted || count >= MAX_STREAMS) return false;
    open.set(account_id, count + 1);
    const leave = () => {
      const left = (open.get(account_id) ?? 1) - 1;
      if (left === 0) open.delete(account_id);
      else open.set(account_id, left);
    };
    signal.addEventListener('abort', leave, { once: true });
    return true;
  }

  return ({ account_id, request: { signal } }, readPart) =>
    stream(follow(readPart, signal, takePlace(account_id, signal) ? LONGEST_MS : 0));
}

async function* follow(
  readPart: () => Promise<LivePart | undefined>,
  closed: AbortSignal,
  longest_ms: number,
): AsyncGenerator<ServerEvent> {
  const signal = AbortSignal.any([closed, AbortSignal.timeout(longest_ms)]);
  let shown = '';
  let shown_ms = performance.now();
  let poll_ms = POLL_MS;
  do {
    const part = await readPart();
    if (!part) {
      yield { event: 'end', data: '' };
      return;
    }
    const data = JSON.stringify(part);
    poll_ms = data === shown ? Math.min(poll_ms * 2, LONGEST_POLL_MS) : POLL_MS;
    const isSilent = performance.now() - shown_ms >= PULSE_MS;
    if (data !== shown || isSilent) {
      yield data === shown ? 'pulse' : { event: 'part', data };
      shown_ms = performance.now();
    }
    shown = data;
    await sleep(poll_ms, undefined, { signal }).catch(() => undefined);
  } while (!signal.aborted);
}
