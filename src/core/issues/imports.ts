import type { ImportParams } from '../../../schemas/issues/imports.js';
import { quoteForeign } from '../text/foreign.js';
import type { Words } from './words.js';

export const IMPORT_WORDS: Words<ImportParams> = {
  import_not_found: {
    program: () => 'The shop has no such listing; store_listings lists its listings.',
    seller: () => 'The shop does not have this listing',
  },
  import_of_other_shop: {
    program: () => 'The listing belongs to another shop; import it from that shop.',
    seller: () => 'The listing belongs to another shop. Import it from that shop',
  },
  import_removed: {
    program: () => 'The listing was removed on the marketplace.',
    seller: () => 'The listing was removed on Etsy',
  },
  import_refused: {
    program: () => 'This listing cannot be imported.',
    seller: () => 'This listing cannot be imported',
  },
  import_without_category: {
    program: () => 'The listing has no category; choose one in Shop Manager, then import it again.',
    seller: () => 'The listing has no category. Choose one in Shop Manager, then import it again',
  },
  import_contended: {
    program: ({ job_id }) =>
      `Other calls keep changing the listing${job_id === undefined ? '' : `, most recently job ${job_id}`}; import it again.`,
    seller: () => 'Other changes are being made to this listing. Import it again later',
  },
  import_unfinished: {
    program: ({ job_id }) =>
      `Job ${job_id} did not finish creating the listing in this shop; call listing_publish to finish it.`,
    seller: () => 'The listing was not fully created in this shop. Finish it first',
  },
  import_managed: {
    program: ({ own, join }) =>
      `This listing is already imported as listing ${own}. To join it to listing ${join}, call listing_delete for listing ${own}, then import it again with join. Nothing changes in the shop.`,
    seller: () =>
      'This Etsy listing is already imported as a separate listing. To join the two, first remove the separate listing here, which changes nothing in the shop, then import again',
  },
  import_join_gone: {
    program: ({ listing_pk }) =>
      `Listing ${listing_pk}, the listing to join, no longer exists; join another one, or import without join.`,
    seller: () => 'The listing to join no longer exists. Choose another one',
  },
  import_place_taken: {
    program: ({ shop_name, listing_id }) =>
      listing_id === null
        ? `The listing to join is already being created in ${quoteForeign(shop_name)}.`
        : `The listing to join is already in ${quoteForeign(shop_name)}, as listing ${listing_id}.`,
    seller: ({ shop_name }) => `The listing to join is already in ${quoteForeign(shop_name)}`,
  },
  import_shops_too_many: {
    program: ({ count, most }) =>
      `With this shop, the listing would be in ${count} shops; at most ${most} are allowed.`,
    seller: ({ count, most }) =>
      `With this shop, the listing would be in ${count} shops. At most ${most} are allowed`,
  },
  import_product_differs: {
    program: ({ by }) =>
      `The ${DIFFERENT[by]} differ, so this is probably a different product; import it without join.`,
    seller: ({ by }) =>
      `The ${DIFFERENT[by]} differ, so this is probably a different product. Import it as a listing of its own`,
  },
};

const DIFFERENT = { title: 'titles', skus: 'SKUs' };
