import type { PlannedFile } from '../../../ports/listing/target.js';
import { getFile } from '../../engine/attempt.js';
import { recognizeImage, describeSentImage } from './recognize.js';
import type { Media } from '../../engine/send_once.js';
import type { Changing } from '../../engine/context.js';
import { StepError } from '../../engine/failures.js';
import { noteDoubles } from './fetched.js';
import { listKnownIds } from '../../engine/media_ids.js';
import { listShown, listMissing, findRank, insert, getPlanned, readImages, keepImages } from './photos.js';

/** How photos are sent, and recognised where an answer is lost. */
export function buildMedia(changing: Changing): Media {
  const { progress, ports, shop, update } = changing;
  return {
    kind: 'images',
    has: (index) => !listMissing(changing).includes(index),
    async send(index, options) {
      const planned = requirePlanned(changing, index);
      const file = await getFile(changing, planned);
      const rank = findRank(changing, index);
      const place = { rank, alt_text: planned.alt_text };
      const image = await ports.marketplace.uploadImage(shop, update.listing_id, file, place, options);
      progress.sent.images[index] = image.listing_image_id;
      keepImages(changing, insert(listShown(changing), image, rank));
    },
    async find(indexes) {
      const there = await readImages(changing);
      // The double of a photo that was sent before it is of the same size, and came after it, too.
      await noteDoubles(changing, there);
      let isProcessed = true;
      for (const index of indexes) {
        const known = listKnownIds(changing, 'images');
        const before = there.filter(({ listing_image_id }) => known.has(listing_image_id));
        const sent = await describeSentImage(changing, requirePlanned(changing, index), index);
        for (const image of there.filter(({ listing_image_id }) => !known.has(listing_image_id))) {
          const verdict = recognizeImage(image, sent, before);
          if (verdict === 'unprocessed') isProcessed = false;
          if (verdict !== 'ours') continue;
          progress.sent.images[index] = image.listing_image_id;
          break;
        }
      }
      return isProcessed ? 'complete' : 'unprocessed';
    },
  };
}

function requirePlanned(changing: Changing, index: number): PlannedFile {
  const planned = getPlanned(changing, index);
  if (planned) return planned;
  throw new StepError({ code: 'media_not_kept', params: { kind: 'photo', index } }, null);
}
