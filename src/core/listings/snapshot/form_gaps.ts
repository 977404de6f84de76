import type { ListingSnapshot } from '../../ports/listing/snapshot.js';
import type { FormGap } from '../../../../schemas/issues/request_warnings.js';
import type { Warning } from '../../../../schemas/job.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import { isOpenPeriod } from '../rules/when_made.js';
import { QUESTION_TEXT } from './compare_words.js';
import { findVariationGap } from './to_variations.js';

/** Parts that every warning needs; other parts that were not read yield no warnings. */
export type ComparedSnapshot = Partial<ListingSnapshot> &
  Pick<ListingSnapshot, 'listing' | 'images' | 'inventory'>;

/** Data of a shop's listing that a request cannot express. */
type PlacedGap = { fields: string[]; gap: FormGap };

/** Warnings about data that a request cannot express: later changes leave it unchanged. */
export function listFormWarnings(snapshot: ComparedSnapshot, request: ListingRequest): Warning[] {
  return listFormGaps(snapshot, request).map(({ fields, gap }) => ({
    code: 'only_in_shop',
    fields,
    reason: { code: 'only_in_shop', params: { gap } },
  }));
}

export function listFormGaps(snapshot: ComparedSnapshot, request: ListingRequest): PlacedGap[] {
  const { listing, images, inventory } = snapshot;
  const { videos = [], files = [], translations = [], variation_images = [], questions = [] } = snapshot;
  const gaps: PlacedGap[] = [];
  const add = (field: string, gap: FormGap): void => {
    gaps.push({ fields: [field], gap });
  };
  const photos = { count: images.length, taken: request.images?.length ?? 0 };
  if (photos.count > photos.taken) add('images', { code: 'photos_over', params: photos });
  const films = { count: videos.length, taken: request.videos?.length ?? 0 };
  if (films.count > films.taken) add('videos', { code: 'videos_over', params: films });
  if (files.length > 0) {
    const filenames = files.map(({ filename }) => filename);
    add('digital_files', { code: 'files_unreadable', params: { filenames } });
  }
  if (listing.listing_type === 'both') {
    add('listing.listing_type', { code: 'physical_and_digital', params: {} });
  }
  const variation_gap = findVariationGap(snapshot);
  if (variation_gap !== undefined) add('variations', variation_gap);
  const taken = Object.keys(request.variations?.variation_images?.mapping ?? {}).length;
  if (variation_gap === undefined && taken < variation_images.length) {
    const params = { count: variation_images.length, taken };
    add('variations.variation_images', { code: 'variation_photos_over', params });
  }
  for (const gap of listQuestionGaps(questions)) add('personalization', gap);
  if (translations.length > 0) {
    const languages = translations.map(({ language }) => language);
    add('listing', { code: 'translated', params: { languages } });
  }
  if (listing.who_made !== null && request.listing.who_made === undefined && !isDefault(listing)) {
    const values = [listing.who_made, listing.when_made, listing.is_supply].map(String);
    add('listing.who_made', { code: 'making_unsaved', params: { values } });
  }
  if (inventory.products.length === 0) {
    add('listing.quantity', { code: 'products_unreadable', params: {} });
  }
  return gaps;
}

/** Whether creation would send these three values, in any year, for a request that omits them. */
function isDefault({ who_made, when_made, is_supply, listing_type }: ListingSnapshot['listing']): boolean {
  const isMade = listing_type === 'digital' ? isOpenPeriod(when_made ?? '') : when_made === 'made_to_order';
  return who_made === 'i_did' && isMade && is_supply === false;
}

/** A request can express one question of free text, with the usual title and without a price. */
function listQuestionGaps(questions: ListingSnapshot['questions']): FormGap[] {
  const text = questions.find(({ question_type }) => question_type === 'text_input');
  const others = questions.filter((question) => question !== text);
  const gaps: FormGap[] = [];
  if (others.length > 0) {
    const params = { questions: others.map(({ question_text }) => question_text) };
    gaps.push({ code: 'questions_over', params });
  }
  if (!text) return gaps;
  const { question_text: question, add_on_price: price } = text;
  if (question !== QUESTION_TEXT) gaps.push({ code: 'question_titled', params: { question } });
  if (price !== null && price !== undefined) {
    gaps.push({ code: 'question_priced', params: { question, price } });
  }
  return gaps;
}
