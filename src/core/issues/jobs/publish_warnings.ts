import { formatFields, joinWords } from '../../text/choices.js';
import type { PublishWarningParams } from '../../../../schemas/issues/publish_warnings.js';
import { formatCount } from '../../text/format_count.js';
import { quoteForeign } from '../../text/foreign.js';
import { describeCallFailure, describeCallFailureToSeller } from './call_failure.js';
import { toFieldWords } from '../field_words.js';
import { capitalize, sayOf, toState, type Say, type Words } from '../words.js';

type NotSet = PublishWarningParams['not_set_afterwards'];

const BECAUSE: Record<NotSet['because'], string> = {
  refused: 'Refused at creation',
  different: 'Different in the draft that was found',
};

const BECAUSE_OF_SELLER: Record<NotSet['because'], string> = {
  refused: 'Etsy refused this when the listing was created, and it could not be set afterward',
  different: 'this was different in the draft that was found on Etsy, and could not be set afterward',
};

/** The step is done, so publishing again does not set the field. */
const AGAIN = { operation: 'listing_update' } as const;

function describeNotSet(why: NotSet['why'], say: Say): string {
  if (why === 'only_at_creation') return 'the marketplace accepts it only when a listing is created';
  return 'reason' in why ? quoteForeign(why.reason) : describeCallFailure(why, AGAIN, say);
}

function describeNotSetToSeller(why: NotSet['why'], say: Say): string {
  if (why === 'only_at_creation') return 'Etsy accepts it only when a listing is created';
  return 'reason' in why ? `Etsy said ${quoteForeign(why.reason)}` : describeCallFailureToSeller(why, say);
}

/** The last part of each field's path: `price, quantity`. */
function toNames(fields: readonly string[]): string {
  return fields.map((field) => toFieldWords(field)).join(', ');
}

function listIds(ids: readonly number[]): string {
  return joinWords(ids.map(String));
}

const MEDIA = { images: 'photos', videos: 'videos', files: 'files' } as const;

export const PUBLISH_WARNING_WORDS: Words<PublishWarningParams> = {
  photo_undecided: {
    program: ({ index, listing_image_id }) =>
      `It could not be determined whether the listing's photo ${listing_image_id} is photo ${index + 1} or another one, so it was left unchanged; check whether photo ${index + 1} appears twice`,
    seller: ({ index }) =>
      `The listing already had a photo that may be photo ${index + 1}. It was left unchanged. Check on Etsy whether photo ${index + 1} appears twice`,
  },
  photos_unmatched: {
    program: () => 'The photo or the value is not on the listing',
    seller: (_, at) => sayOf(at, 'the photo or the value is not on the listing'),
  },
  variation_photos_differ: {
    program: () =>
      'The listing shows a different photo for this value, or none; call listing_publish to set it again',
    seller: (_, at) =>
      sayOf(at, 'the listing shows a different photo, or none. Finish the listing here to set it again'),
  },
  not_set_afterwards: {
    program: ({ because, why }, _, say) =>
      `${BECAUSE[because]}, and could not be set afterward: ${describeNotSet(why, say)}`,
    seller: ({ because, why }, at, say) =>
      sayOf(at, `${BECAUSE_OF_SELLER[because]}. ${capitalize(describeNotSetToSeller(why, say))}`),
  },
  shown_differently: {
    program: ({ fields }) =>
      `These values on the marketplace differ from the ones that were sent: ${formatFields(fields)}. Check the listing, and correct them with listing_update`,
    seller: ({ fields }) =>
      `These details on Etsy differ from the ones that were sent: ${toNames(fields)}. Check the listing on Etsy`,
  },
  media_surplus: {
    program: ({ kind, shown, known, ids }) =>
      `The marketplace shows ${shown} ${kind}, but only ${known} were sent. One may be a duplicate: check ${listIds(ids)}`,
    seller: ({ kind, shown, known }) =>
      `Etsy shows ${shown} ${MEDIA[kind]}, but only ${known} were sent. One may be a duplicate: check the listing on Etsy`,
  },
  photos_in_other_order: {
    program: () =>
      'The marketplace shows the images in a different order from the one sent; to reorder them, send images with listing_update',
    seller: () => 'Etsy shows the photos in a different order from the one sent. Check the listing on Etsy',
  },
  inventory_differs: {
    program: ({ missing, fields }) =>
      missing > 0
        ? `The marketplace did not save all of the variations: ${describeMissing(missing, 'combination')}`
        : `These values of the variations on the marketplace differ from the ones that were sent: ${fields.join(', ')}. Check the listing, and correct them with listing_update`,
    seller: ({ missing, fields }) =>
      missing > 0
        ? `Etsy did not save all of the variations: ${describeMissing(missing, 'variation')}`
        : `These details of the variations on Etsy differ from the ones that were sent: ${toNames(fields)}. Check the listing on Etsy`,
  },
  found_again: {
    program: ({ listing_id, state }) =>
      `The listing was already on the marketplace, as listing ${listing_id} (${state}), so it was not created again`,
    seller: ({ state }) => `The listing was already on Etsy (${toState(state)}), so it was not created again`,
  },
  drafts_match: {
    program: ({ listing_ids }) =>
      `Responses from the marketplace were lost, and several drafts now match this listing; the oldest was adopted. Check the others: ${listIds(listing_ids)}`,
    seller: ({ listing_ids }) =>
      `Several drafts on Etsy match this listing; the oldest was used. Delete the others if you do not want them: ${listIds(listing_ids)}`,
  },
  left_since_live: {
    program: ({ state }) => `The listing is now ${state} on the marketplace, so this was left unchanged`,
    seller: ({ state }, at) =>
      sayOf(at, `this was left unchanged, because the listing is now ${toState(state)} on Etsy`),
  },
  off_sale_since: {
    program: ({ state }) =>
      `The listing was activated, but is now ${state} on the marketplace; its state was left unchanged`,
    seller: ({ state }) =>
      `The listing was activated, but is now ${toState(state)} on Etsy. Its status was left unchanged`,
  },
  live_already: {
    program: ({ is_lost }) =>
      is_lost
        ? 'The listing was already active. It is not known whether this service activated it after the restored backup was created; the fee is reported in case it did'
        : 'The listing was already active: someone else activated it, so this call incurred no fee',
    seller: ({ is_lost }) =>
      is_lost
        ? 'The listing was already active. It is not known whether it was activated from here after the restored backup was created; the fee is shown in case it was'
        : 'The listing was already active: someone else activated it, so you were not charged here',
  },
};

function describeMissing(missing: number, noun: string): string {
  return `${formatCount(missing, noun)} ${missing === 1 ? 'is' : 'are'} missing`;
}
