import type { ListingSnapshot } from '../../snapshot/snapshot.js';
import { projectTarget } from '../decide/project.js';
import type { Target } from '../plan.js';
import { getTarget, type Changing } from './changing.js';
import { findMediaId } from './steps/media_ids.js';

/** How the listing looks once the change is done, with the ids that what was sent has got. */
export function projectWanted(changing: Changing): Partial<ListingSnapshot> {
  return projectTarget(changing.progress.before ?? {}, withKnownIds(changing));
}

function withKnownIds(changing: Changing): Target {
  const target = getTarget(changing);
  const fill = <Item extends { id: number | null }>(kind: 'images' | 'videos' | 'files', items: Item[]) =>
    items.map((item, index) => ({ ...item, id: findMediaId(changing, kind, index) }));
  return {
    ...target,
    ...(target.images && { images: fill('images', target.images) }),
    ...(target.videos && { videos: fill('videos', target.videos) }),
    ...(target.files && { files: fill('files', target.files) }),
    ...(target.variation_images && {
      variation_images: target.variation_images.map(({ image, ...one }) => {
        const id = 'id' in image ? image.id : findMediaId(changing, 'images', image.position);
        return { ...one, image: id === null ? image : { id } };
      }),
    }),
  };
}
