import type { PlannedFile } from '../../../publish/plan.js';
import { getFile } from '../../../publish/steps/attempt.js';
import { recognizeImage } from '../../../publish/steps/recognize_image.js';
import type { Media } from '../../../publish/steps/send_once.js';
import { describeSentImage } from '../../../publish/steps/sent_image.js';
import { StepError } from '../../../publish/steps/step.js';
import type { Changing } from '../changing.js';
import { noteDoubles } from './doubles.js';
import { listKnownIds } from './media_ids.js';
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
      let is_processed = true;
      for (const index of indexes) {
        const known = listKnownIds(changing, 'images');
        const before = there.filter(({ listing_image_id }) => known.has(listing_image_id));
        const since_epoch_s = progress.sending.images === index ? (progress.sending_since?.images ?? 0) : 0;
        const sent = await describeSentImage(changing, requirePlanned(changing, index), since_epoch_s);
        for (const image of there.filter(({ listing_image_id }) => !known.has(listing_image_id))) {
          const verdict = recognizeImage(image, sent, before);
          if (verdict === 'unprocessed') is_processed = false;
          if (verdict !== 'ours') continue;
          progress.sent.images[index] = image.listing_image_id;
          break;
        }
      }
      return is_processed ? 'complete' : 'unprocessed';
    },
  };
}

function requirePlanned(changing: Changing, index: number): PlannedFile {
  const planned = getPlanned(changing, index);
  if (planned) return planned;
  throw new StepError(`Photo ${index + 1} is no longer in the shop, and its bytes are not kept here`, null);
}
