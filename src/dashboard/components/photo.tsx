import type { ThumbnailWidth } from '../../core/ports/index.js';
import { PREFIX } from '../routes.js';

export type PhotoProps = {
  listing: { listing_pk: number; created_at: string };
  /** 0-based, in the order of the request; `first`: the one that buyers see first. */
  image: number | 'first';
  width: ThumbnailWidth;
  /** Alternative text; empty if text next to the photo says the same. */
  alt: string;
  /** Shown immediately; others load when they are scrolled into view. */
  is_first?: boolean;
};

export function Photo({ listing, image, width, alt, is_first = false }: PhotoProps) {
  // Browsers cache photos, and another data folder has other listings with the same numbers.
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
