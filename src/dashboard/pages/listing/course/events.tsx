import { setTimeout as sleep } from 'node:timers/promises';
import { renderPart } from '../../../../pages/index.js';
import type { LivePart } from '../../../components/live.js';
import type { Tasks } from '../../../tasks.js';
import { getListingPk } from '../../../ids.js';
import type { OwnVisit, Page } from '../../../page.js';
import { stream, type ServerEvent } from '../../../replies.js';
import { isMoving, peekDetail } from '../detail.js';
import { Progress, toSentence } from './progress.js';

/** Jobs run in any process on this data, so their progress is looked up where all of them write it. */
const LOOK_MS = 400;
/** Proxies close a connection that is silent for a minute. */
const PULSE_MS = 15_000;
/** Streams end after this time; the browser then connects again by itself, and its session is checked again. */
const LONGEST_MS = 5 * 60_000;
/** Event streams of one account at a time. Further ones get the current state and end: their browsers then ask every few seconds. */
const MAX_STREAMS = 24;

/** Server-sent events of a listing's progress, at each change, until its work has ended. */
export function createEvents(tasks: Tasks): Page {
  const open = new Map<string, number>();

  /** Whether the account may have one more until the browser goes away. */
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

  async function* follow(
    visit: OwnVisit,
    listing_pk: number,
    longest_ms: number,
  ): AsyncGenerator<ServerEvent> {
    const signal = AbortSignal.any([visit.request.signal, AbortSignal.timeout(longest_ms)]);
    let told = '';
    let told_ms = performance.now();
    do {
      const detail = await peekDetail(visit, tasks, listing_pk);
      if (!isMoving(detail)) {
        yield { event: 'end', data: '' };
        return;
      }
      const part: LivePart = {
        html: renderPart(<Progress detail={detail} />),
        sentence: toSentence(detail),
      };
      const data = JSON.stringify(part);
      const isSilent = performance.now() - told_ms >= PULSE_MS;
      if (data !== told || isSilent) {
        yield data === told ? 'pulse' : { event: 'part', data };
        told_ms = performance.now();
      }
      told = data;
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    } while (!signal.aborted);
  }

  return {
    path: '/listings/{listing_pk}/events',
    async get(visit) {
      const listing_pk = getListingPk(visit);
      // An unknown listing has an error page, before the stream begins.
      await visit.core.listings.peek(visit.account_id, { listing_pk });
      const has_place = takePlace(visit.account_id, visit.request.signal);
      return stream(follow(visit, listing_pk, has_place ? LONGEST_MS : 0));
    },
  };
}
