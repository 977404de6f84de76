import type { ListingRequest } from '../../../../../schemas/listing_request.js';
import { cleanForeign } from '../../../../core/text/foreign.js';
import { Photo, type PhotoProps } from '../../../components/photo.js';
import { toListingPath } from '../../../routes.js';

type GalleryProps = { listing: PhotoProps['listing']; request: ListingRequest };

/** The photos in the order in which buyers see them. */
export function Gallery({ listing, request }: GalleryProps) {
  const images = request.images ?? [];
  const order = toRankOrder(images);
  const [first, ...rest] = order;
  if (first === undefined) {
    return (
      <div class="empty">
        <h2>No photos</h2>
        <p>Add at least one photo before you publish it.</p>
        <p>
          <a class="button quiet" href={`${toListingPath(listing.listing_pk)}/add-photos`}>
            Add photos
          </a>
        </p>
      </div>
    );
  }
  const alt = (image: number) => {
    const place = `Photo ${order.indexOf(image) + 1} of ${order.length}`;
    const described = cleanForeign(images[image]?.alt_text ?? '');
    return described === '' ? place : `${place}: ${described}`;
  };
  return (
    <div class="gallery">
      <Photo listing={listing} image={first} width={960} alt={alt(first)} is_first />
      {rest.length > 0 && (
        <ul class="gallery-rest">
          {rest.map((image) => (
            <li key={image}>
              <Photo listing={listing} image={image} width={160} alt={alt(image)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/**
 * Indexes into the request's photos, in the order of their ranks; the rank of a photo without one is its
 * position in the list.
 */
export function toRankOrder(images: NonNullable<ListingRequest['images']>): number[] {
  return images
    .map(({ rank }, index) => ({ rank: rank ?? index + 1, index }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ index }) => index);
}
