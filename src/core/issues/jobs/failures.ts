import type { NestedParams } from '../../../../schemas/issue.js';
import type { FailureParams, Work } from '../../../../schemas/issues/failures.js';
import { quoteName } from '../../text/foreign.js';
import { formatNames, joinWords } from '../../text/choices.js';
import {
  describeCallFailure,
  describeCallFailureToSeller,
  describeFault,
  describeFaultAndHint,
  toCall,
} from './call_failure.js';
import { capitalize, toState, type Say, type Words } from '../words.js';

/** The work that failed, for both readers; empty if the reason says enough. */
const WORK: Record<Work, string> = {
  step: '',
  create: 'The listing could not be created',
  images: 'The photos could not be sent',
  videos: 'The video could not be sent',
  files: 'The files could not be sent',
  inventory: 'The variations and prices were not accepted',
  variation_images: 'The photos of variations could not be set',
  attributes: 'The category details could not be set',
  attribute: 'A category detail could not be set',
  personalization: 'Personalization could not be set',
  recover: 'Fields that were refused at creation could not be set afterward',
  profile: 'The processing profile could not be restored',
  read_back: 'The listing could not be read back',
  activation: 'The listing was not activated',
  read_before_activation: 'The listing could not be read before activating it',
  read_after_activation: 'It is not known whether the listing was activated, because it could not be read',
  read_after_paid_activation:
    'It is not known whether the listing was activated and its fee was paid, because it could not be read',
  change: 'This could not be changed',
  read: 'The listing could not be read',
  change_images: 'The photos could not be changed',
  change_fields: 'The listing was not changed',
  change_other_fields: 'Only the photos were changed',
  change_videos: 'The videos could not be changed',
  change_files: 'The digital files could not be changed',
  change_inventory: 'Price, stock, and SKUs were not accepted',
  off_sale: 'The listing was not deactivated',
  translations: 'A translation could not be restored',
  read_after_write:
    'It is not known whether the last change was saved, because the listing could not be read afterward',
};

type Failed = FailureParams['call_failed'];

function describeFailure(what: string, { why, again }: Omit<Failed, 'work'>, say: Say): string {
  return `${what}${what === '' ? '' : ': '}${describeCallFailure(why, again, say)}`;
}

function describeFailureToSeller(what: string, { why }: Pick<Failed, 'why'>, say: Say): string {
  const reason = describeCallFailureToSeller(why, say);
  return what === '' ? capitalize(reason) : `${what}: ${reason}`;
}

/** The same for both readers. */
function same<Params>(say: (params: Params) => string) {
  return { program: say, seller: say };
}

const NOT_KEPT = 'is no longer in the shop, and this service has no copy of it. Upload it again';

function listIds({ listing_ids }: { listing_ids: readonly number[] }): string {
  return joinWords(listing_ids.map(String));
}

export const FAILURE_WORDS: Words<FailureParams & NestedParams> = {
  call_failed: {
    program: ({ work, ...failed }, _, say) => describeFailure(WORK[work], failed, say),
    seller: ({ work, ...failed }, _, say) => describeFailureToSeller(WORK[work], failed, say),
  },
  photo_not_sent: {
    program: ({ index, ...failed }, _, say) =>
      describeFailure(`Photo ${index + 1} could not be sent`, failed, say),
    seller: ({ index, ...failed }, _, say) =>
      describeFailureToSeller(`Photo ${index + 1} could not be sent`, failed, say),
  },
  file_not_sent: {
    program: ({ filename, ...failed }, _, say) =>
      describeFailure(`File ${quoteName(filename)} could not be sent`, failed, say),
    seller: ({ filename, ...failed }, _, say) =>
      describeFailureToSeller(`File ${quoteName(filename)} could not be sent`, failed, say),
  },
  media_not_kept: same(({ kind, index }) =>
    kind === 'photo' ? `Photo ${index + 1} ${NOT_KEPT}` : `The ${kind} ${NOT_KEPT}`,
  ),
  last_file_stays: same(
    ({ filename }) =>
      `The last file, ${quoteName(filename)}, cannot be removed, because a digital listing needs a file. Add another file first`,
  ),
  photo_gone: {
    program: ({ index }) => describeGone(`photo ${index + 1}`),
    seller: ({ index }) => describeGoneToSeller(`photo ${index + 1}`),
  },
  video_gone: { program: () => describeGone('the video'), seller: () => describeGoneToSeller('the video') },
  files_gone: {
    program: ({ filenames }) =>
      `The marketplace accepted ${formatNames(filenames)}, but no longer has ${toThem(filenames)}; call listing_publish to send ${toThem(filenames)} again`,
    seller: ({ filenames }) =>
      `Etsy accepted ${formatNames(filenames)}, but no longer has ${toThem(filenames)}. Finish the listing here to send ${toThem(filenames)} again`,
  },
  create_unknown: {
    program: () =>
      'The listing could not be created: the marketplace did not return a result for either of two attempts, and has no matching draft; call listing_publish to try again',
    seller: () =>
      'The listing could not be created: Etsy did not respond to two attempts, and has no matching draft. Try again here',
  },
  listings_alike: {
    program: (found) =>
      found.listing_ids.length === 1
        ? `Listing ${listIds(found)} in the shop has the same text as this one, and it could not be determined whether it is the same listing; nothing was created. In Shop Manager, delete it if you do not need it, or change its title and description if it is a different product, then call listing_publish`
        : `Listings ${listIds(found)} in the shop have the same text as this one, and it could not be determined which of them is the same listing; nothing was created. In Shop Manager, delete the listings that you do not need. If one of them is for a different product, change its title and description. Then call listing_publish`,
    seller: (found) =>
      found.listing_ids.length === 1
        ? `Listing ${listIds(found)} in the shop has the same text as this one, and may be the same listing. Nothing was created. In Shop Manager, delete it if you do not need it, or change its title and description if it is a different product. Then try again here`
        : `Listings ${listIds(found)} in the shop have the same text as this one, and one of them may be the same listing. Nothing was created. In Shop Manager, delete the listings that you do not need. If one of them is for a different product, change its title and description. Then try again here`,
  },
  last_piece_sold: {
    program: () =>
      'The last item was sold in the meantime, and the marketplace does not accept a listing without stock; add stock, then send the request again',
    seller: () =>
      'The last item was sold in the meantime, and Etsy does not accept a listing without stock. Add stock, then try again',
  },
  live_before: {
    program: ({ state }) =>
      `The listing was not activated: it has been active before, and is now ${state} on the marketplace; activate or renew it in Shop Manager, where a fee may apply`,
    seller: ({ state }) =>
      `The listing was not activated: it has been active before, and is now ${toState(state)} on Etsy. Activate or renew it in Shop Manager, where a fee may apply`,
  },
  activation_unanswered: {
    program: ({ state, again }) =>
      `The listing is still ${state === 'draft' ? 'a draft' : state}: the marketplace did not respond to the activation request; call ${toCall(again)} to try again`,
    seller: ({ state }) =>
      `The listing is still ${state === 'draft' ? 'a draft' : toState(state)}: Etsy did not respond to the request to activate it. Try again here`,
  },
  not_on_sale_but: {
    program: ({ was, is }) =>
      `The listing was not activated: it was ${was}, but is now ${is} on the marketplace; call listing_publish again to see whether a fee applies`,
    seller: ({ was, is }) =>
      `The listing was not activated: it was ${toState(was)}, but is now ${toState(is)} on Etsy. Try again here to see whether a fee applies`,
  },
  fee_not_agreed: {
    program: ({ state, again }) =>
      `The listing was not activated: it is ${state}, so activating it now incurs a fee that has not been confirmed; call ${toCall(again)} again to confirm the fee`,
    seller: ({ state }) =>
      `The listing was not activated: it is ${toState(state)}, so Etsy would charge a fee that you have not confirmed. Try again here to see the fee`,
  },
  off_sale_again: {
    program: ({ again, ...sale }) =>
      `The listing ${describeSale(sale, sale.state)}. Activating it again incurs another fee; call ${toCall(again)} again to confirm it`,
    seller: ({ again: _, ...sale }) =>
      `The listing ${describeSale(sale, toState(sale.state))}. Activating it again costs another fee. Try again here to see the fee`,
  },
  stored_file_gone: same(
    ({ filename }) => `The stored file ${quoteName(filename)} no longer exists. Upload it again.`,
  ),
  not_imported: {
    program: ({ problems, hint }, _, say) =>
      `${problems.map((problem) => (problem.at === '' ? say(problem) : `${problem.at}: ${say(problem)}`)).join('\n')}${hint === undefined ? '' : ` ${hint}`}`,
    seller: ({ problems }, _, say) => problems.map((problem) => say(problem)).join(' '),
  },
  work_canceled: {
    program: ({ before, again }) =>
      `A person canceled the job before ${before === 'start' ? 'any work started on this shop or listing' : 'it activated the listing'}; call ${toCall(again)} only if the seller still wants this`,
    seller: ({ before }) =>
      before === 'start'
        ? 'Canceled before any work started. Nothing was changed'
        : 'Canceled before it was activated. No fee was paid',
  },
  job_canceled: {
    program: () => 'A person canceled the job in the dashboard; work that had not started is skipped',
    seller: () => 'Canceled. Work that had not started was skipped',
  },
  service_failed: {
    program: ({ fault, again }, _, say) => {
      const what = fault === undefined ? UNKNOWN : describeFaultAndHint(fault, say);
      return `${what} To finish, call ${toCall(again)}.`;
    },
    seller: ({ fault }, _, say) =>
      fault === undefined
        ? `${UNKNOWN} You can finish this here.`
        : `${describeFault(fault, say)} You can finish this here afterward.`,
  },
};

const UNKNOWN = 'Something went wrong inside the service.';

function describeGone(media: string): string {
  return `The marketplace accepted ${media}, but no longer shows it; call listing_publish to send it again`;
}

function describeGoneToSeller(media: string): string {
  return `Etsy accepted ${media}, but no longer shows it. Finish the listing here to send it again`;
}

function toThem(filenames: readonly string[]): string {
  return filenames.length === 1 ? 'it' : 'them';
}

type Sale = Omit<FailureParams['off_sale_again'], 'again'>;

function describeSale({ state, is_before_stock }: Sale, words: string): string {
  const when = is_before_stock ? ' before its stock was set' : '';
  return state === 'sold_out'
    ? `was activated, but sold out again${when}`
    : `was activated, but is ${words} again`;
}
