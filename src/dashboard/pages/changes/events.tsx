import { renderPart } from '../../../pages/index.js';
import type { LiveStreams } from '../../live_streams.js';
import type { Page } from '../../page.js';
import { Progress, toSentence } from './progress.js';
import { getBatchId, readBatch } from './read.js';
import { isMoving } from './words.js';

/** Server-sent events of a batch's progress. */
export function createChangeEvents(streams: LiveStreams): Page {
  return {
    path: '/changes/{batch_id}/events',
    async get(visit) {
      const batch_id = getBatchId(visit);
      // An unknown batch has an error page, before the stream begins.
      await readBatch(visit, batch_id, { limit: 1 });
      return streams(visit, async () => {
        const { batch } = await readBatch(visit, batch_id, { limit: 1 });
        if (!isMoving(batch)) return undefined;
        return { html: renderPart(<Progress batch={batch} />), sentence: toSentence(batch) };
      });
    },
  };
}
