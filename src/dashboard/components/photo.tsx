import type { ThumbnailWidth } from '../../core/ports/index.js';
import { PREFIX } from '../routes.js';

export type PhotoProps = {
  listing: { listing_pk: number; created_at: string };
  /** 0-based, as the request lists them; `first`: the one that buyers see first. */
  image: number | 'first';
  width: ThumbnailWidth;
  /** Alternative text; empty where text beside the photo says the same. */
  alt: string;
  /** Shown at once; others wait until they are scrolled to. */
  is_first?: boolean;
};

export function Photo({ listing, image, width, alt, is_first = false }: PhotoProps) {
  // A browser keeps photos, and another folder of data has other listings of the same numbers.
  const made = Date.parse(listing.created_at);
  return (
    <img
      class="photo"
      src={`${PREFIX}/listings/${listing.listing_pk}/photos/${image}/${width}?made=${made}`}
      alt={alt}
      width={width}
      height={width}
      loading={is_first ? 'eager' : 'lazy'}
      decoding="async"
    />
  );
}
