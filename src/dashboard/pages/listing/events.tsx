import { setTimeout as sleep } from 'node:timers/promises';
import { renderPart } from '../../../pages/index.js';
import type { LivePart } from '../../components/live.js';
import type { Errands } from '../../errands.js';
import { getListingPk } from '../../ids.js';
import type { OwnVisit, Page } from '../../page.js';
import { stream, type ServerEvent } from '../../replies.js';
import { getDetail, isMoving } from './detail.js';
import { Progress, toSentence } from './progress.js';

/** Jobs run in any process on this data, so their progress is looked up where all of them write it. */
const LOOK_MS = 400;

/** What the listing's page shows of its progress, whenever it changes, until nothing moves any more. */
export function createEvents(errands: Errands): Page {
  async function* follow(visit: OwnVisit, listing_pk: number): AsyncGenerator<ServerEvent> {
    const { signal } = visit.request;
    let told = '';
    while (!signal.aborted) {
      const detail = await getDetail(visit, errands, listing_pk);
      if (!isMoving(detail)) {
        yield { event: 'end', data: '' };
        return;
      }
      const part: LivePart = {
        html: renderPart(<Progress detail={detail} />),
        sentence: toSentence(detail),
      };
      const data = JSON.stringify(part);
      if (data !== told) yield { event: 'part', data };
      told = data;
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    path: '/listings/{listing_pk}/events',
    async get(visit) {
      const listing_pk = getListingPk(visit);
      // A listing that is not there is told by a page, before anything is sent.
      await visit.desk.call('listing_get', { listing_pk });
      return stream(follow(visit, listing_pk));
    },
  };
}
