import type { ThumbnailWidth } from '../../core/ports/index.js';
import { PREFIX } from '../routes.js';

export type PhotoProps = {
  listing_pk: number;
  /** 0-based, as the request lists them. */
  image: number;
  width: ThumbnailWidth;
  /** What it shows; empty where text beside it says so. */
  alt: string;
  /** Shown at once; others wait until they are scrolled to. */
  is_first?: boolean;
};

export function Photo({ listing_pk, image, width, alt, is_first = false }: PhotoProps) {
  return (
    <img
      class="photo"
      src={`${PREFIX}/listings/${listing_pk}/photos/${image}/${width}`}
      alt={alt}
      width={width}
      height={width}
      loading={is_first ? 'eager' : 'lazy'}
      decoding="async"
    />
  );
}
