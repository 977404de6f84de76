import type { ListingSnapshot } from '../../ports/listing/snapshot.js';
import type { Target } from '../../ports/listing/target.js';
import type { ListingImage, ListingVideo } from '../../ports/marketplace_listing.js';
import { findValue } from '../snapshot/compare_media.js';

/** The listing with the target applied. Media without a marketplace id get a negative one. */
export function projectTarget(fresh: Partial<ListingSnapshot>, target: Target): Partial<ListingSnapshot> {
  const { listing } = fresh;
  const { inventory, attributes, questions, translations } = target;
  const after: Partial<ListingSnapshot> = {
    ...fresh,
    ...(listing && {
      listing: {
        ...listing,
        ...withoutUndefined(target.fields ?? {}),
        ...(target.state && { state: target.state }),
      },
    }),
    ...(target.images && { images: target.images.map((image, index) => toImage(image, index, fresh)) }),
    ...(target.videos && { videos: target.videos.map((video, index) => toVideo(video, index, fresh)) }),
    ...(target.files && {
      files: target.files.map(({ id, file }, index) => {
        const known = fresh.files?.find(({ listing_file_id }) => listing_file_id === id);
        return {
          listing_file_id: id ?? toMissingId(index),
          filename: file?.filename ?? known?.filename ?? '',
          rank: index + 1,
          size_bytes: file?.size_bytes ?? known?.size_bytes ?? 0,
        };
      }),
    }),
    ...(inventory && { inventory }),
    ...(attributes && { attributes }),
    ...(questions && { questions }),
    ...(translations && { translations }),
  };
  if (target.variation_images) after.variation_images = toVariationImages(target.variation_images, fresh);
  return after;
}

/** A placeholder id for media without one; the marketplace assigns no negative ids. */
function toMissingId(index: number): number {
  return -1 - index;
}

function toImage(
  { id, file, alt_text }: NonNullable<Target['images']>[number],
  index: number,
  { images = [] }: Partial<ListingSnapshot>,
): ListingImage {
  const known = images.find(({ listing_image_id }) => listing_image_id === id);
  return {
    created_at_epoch_s: 0,
    width: null,
    height: null,
    ...known,
    listing_image_id: id ?? toMissingId(index),
    url_fullxfull: known?.url_fullxfull ?? file?.url ?? '',
    rank: index + 1,
    alt_text,
  };
}

function toVideo(
  { id, file }: NonNullable<Target['videos']>[number],
  index: number,
  { videos = [] }: Partial<ListingSnapshot>,
): ListingVideo {
  const known = videos.find(({ video_id }) => video_id === id);
  return { video_id: id ?? toMissingId(index), video_url: known?.video_url ?? file?.url ?? null };
}

function toVariationImages(
  wanted: NonNullable<Target['variation_images']>,
  fresh: Partial<ListingSnapshot>,
): ListingSnapshot['variation_images'] {
  const known = fresh.variation_images ?? [];
  return wanted.map(({ property_id, value, image }) => ({
    property_id,
    value,
    value_id:
      known.find(
        (one) =>
          one.property_id === property_id &&
          (one.value ?? findValue(fresh, property_id, one.value_id)) === value,
      )?.value_id ?? 0,
    image_id: 'id' in image ? image.id : toMissingId(image.position),
  }));
}

function withoutUndefined<Fields extends object>(fields: Fields): Fields {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same fields, less those that say nothing
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
