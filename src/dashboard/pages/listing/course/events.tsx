import { renderPart } from '../../../../pages/index.js';
import type { LiveStreams } from '../../../live_streams.js';
import type { Tasks } from '../../../tasks.js';
import { getListingPk } from '../../../ids.js';
import type { Page } from '../../../page.js';
import { isMoving, peekDetail } from '../detail.js';
import { Progress, toSentence } from './progress.js';

/** Server-sent events of a listing's progress, at each change, until its work has ended. */
export function createEvents(tasks: Tasks, streams: LiveStreams): Page {
  return {
    path: '/listings/{listing_pk}/events',
    async get(visit) {
      const listing_pk = getListingPk(visit);
      // An unknown listing gets an error page, before the stream begins.
      await visit.core.listings.peek(visit.account_id, { listing_pk });
      return streams(visit, async () => {
        const detail = await peekDetail(visit, tasks, listing_pk);
        if (!isMoving(detail)) return undefined;
        return { html: renderPart(<Progress detail={detail} />), sentence: toSentence(detail) };
      });
    },
  };
}
