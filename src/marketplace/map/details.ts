import type {
  ListingDetails,
  ListingImage,
  ListingQuestion,
  ListingTranslation,
  MarketplaceListing,
} from '../../core/ports/marketplace_listing.js';
import type { WireListingAssociations, WireQuestion, WireTranslations } from './wire.js';
import type { WireListingWithImages } from './wire_listing.js';
import { decodeEntities } from './entities.js';
import { toListing } from './listing.js';
import { toPrice } from './money.js';

export function toDetails(
  listing: MarketplaceListing,
  { images, videos, translations, personalization }: WireListingAssociations,
): ListingDetails {
  return {
    listing,
    images: images.map(toImage),
    videos,
    translations: toTranslations(translations, listing.language),
    questions: (personalization?.personalization_questions ?? []).map(toQuestion),
  };
}

export function toListingWithImages({
  images,
  ...listing
}: WireListingWithImages): MarketplaceListing & { images: ListingImage[] } {
  return { ...toListing(listing), images: images.map(toImage) };
}

export function toImage(image: ListingImage): ListingImage {
  return { ...image, alt_text: decodeEntities(image.alt_text) };
}

/** The map names all languages there are; the listing's own language, if included, is not a translation. */
function toTranslations(wire: WireTranslations, own_language: string | null): ListingTranslation[] {
  return Object.entries(wire).flatMap(([language, translation]) => {
    if (!translation || language === own_language) return [];
    const { title, description, tags } = translation;
    return [
      {
        language,
        title: decodeEntities(title ?? ''),
        description: decodeEntities(description ?? ''),
        tags: tags.map(decodeEntities),
      },
    ];
  });
}

function toQuestion({ add_on_price, ...wire }: WireQuestion): ListingQuestion {
  return {
    ...wire,
    question_text: decodeEntities(wire.question_text),
    instructions: wire.instructions === null ? null : decodeEntities(wire.instructions),
    options: wire.options.map((option) => ({ ...option, label: decodeEntities(option.label) })),
    add_on_price: add_on_price && toPrice(add_on_price),
  };
}
