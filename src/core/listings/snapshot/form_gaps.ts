import { formatNames } from '../../text/choices.js';
import type { Warning } from '../../../../schemas/job.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import { cleanForeign, quoteName } from '../../errors.js';
import { QUESTION_TEXT } from './compare_words.js';
import type { ListingSnapshot } from './snapshot.js';
import { describeVariationGap } from './to_variations.js';

/** Parts that are needed for any warning; other parts that were not read give none. */
export type ComparedSnapshot = Partial<ListingSnapshot> &
  Pick<ListingSnapshot, 'listing' | 'images' | 'inventory'>;

/** Data of a shop's listing that a request cannot express. `reason`: a sentence about it. */
export type FormGap = { fields: string[]; reason: string };

/** Warnings about data that a request cannot express: later changes leave it unchanged. */
export function listFormWarnings(snapshot: ComparedSnapshot, request: ListingRequest): Warning[] {
  return listFormGaps(snapshot, request).map(({ fields, reason }) => ({
    code: 'only_in_shop',
    fields,
    reason: `${reason} It stays as it is in the shop.`,
  }));
}

export function listFormGaps(snapshot: ComparedSnapshot, request: ListingRequest): FormGap[] {
  const { listing, images, inventory } = snapshot;
  const { videos = [], files = [], translations = [], variation_images = [], questions = [] } = snapshot;
  const gaps: FormGap[] = [];
  const tell = (field: string, reason: string): void => {
    gaps.push({ fields: [field], reason });
  };
  const taken = request.images?.length ?? 0;
  if (images.length > taken) {
    tell('images', `It has ${images.length} photos; the first ${taken} are taken over.`);
  }
  const films = request.videos?.length ?? 0;
  if (videos.length > films) {
    tell(
      'videos',
      `It has ${videos.length === 1 ? 'a video' : `${videos.length} videos`}; ${films} of them taken over.`,
    );
  }
  if (files.length > 0) {
    const names = formatNames(files.map(({ filename }) => filename));
    tell(
      'digital_files',
      `Its files (${names}) cannot be read back; another shop needs them uploaded again.`,
    );
  }
  if (listing.listing_type === 'both') tell('listing.listing_type', 'It is physical and digital at once.');
  const variation_gap = describeVariationGap(snapshot);
  if (variation_gap !== undefined) tell('variations', cleanForeign(variation_gap, 500));
  const mapped = Object.keys(request.variations?.variation_images?.mapping ?? {}).length;
  if (variation_gap === undefined && mapped < variation_images.length) {
    tell(
      'variations.variation_images',
      `${variation_images.length} of its values have photos; ${mapped} of them taken over.`,
    );
  }
  for (const reason of listQuestionGaps(questions)) tell('personalization', reason);
  if (translations.length > 0) {
    const languages = formatNames(translations.map(({ language }) => language));
    tell('listing', `It is translated (${languages}), which this form has no room for.`);
  }
  if (listing.who_made !== null && request.listing.who_made === undefined && !isDefault(listing)) {
    const values = [listing.who_made, listing.when_made, listing.is_supply].map((value) =>
      quoteName(String(value)),
    );
    tell(
      'listing.who_made',
      `The saved listing does not have its who_made, when_made and is_supply (${values.join(', ')}).`,
    );
  }
  if (inventory.products.length === 0) tell('listing.quantity', 'Its products cannot be read.');
  return gaps;
}

/** Whether the three are those that creation sends where a request leaves them out. */
function isDefault({ who_made, when_made, is_supply, listing_type }: ListingSnapshot['listing']): boolean {
  const made = listing_type === 'digital' ? MARKETPLACE_FACTS.open_when_made : 'made_to_order';
  return who_made === 'i_did' && when_made === made && is_supply === false;
}

/** A request can express one question of free text, with the usual title and without a price. */
function listQuestionGaps(questions: ListingSnapshot['questions']): string[] {
  const text = questions.find(({ question_type }) => question_type === 'text_input');
  const others = questions.filter((question) => question !== text);
  return [
    ...(others.length > 0
      ? [
          `Buyers are also asked: ${formatNames(others.map(({ question_text }) => question_text))}. This form has one question of free text.`,
        ]
      : []),
    ...(text && text.question_text !== QUESTION_TEXT
      ? [`Its question is titled ${quoteName(text.question_text)}, and this form has no title for it.`]
      : []),
    ...(text?.add_on_price !== null && text?.add_on_price !== undefined
      ? [
          `${quoteName(text.question_text)} has a price, ${text.add_on_price}, which this form has no room for.`,
        ]
      : []),
  ];
}
