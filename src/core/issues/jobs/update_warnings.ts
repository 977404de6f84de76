import type { UndoWarningParams, UpdateWarningParams } from '../../../../schemas/issues/update_warnings.js';
import { formatFields, formatNames } from '../../text/choices.js';
import { quoteForeign } from '../../text/foreign.js';
import { toFieldNoun, toFieldWords } from '../field_words.js';
import { capitalize, sayOf, toState, toValueWords, type Words } from '../words.js';

/** The same for both readers. */
function same<Params>(say: (params: Params) => string) {
  return { program: say, seller: say };
}

function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun} is` : `${number} ${noun}s are`;
}

function toShop({ shop_name }: UpdateWarningParams['not_there_yet'], unnamed: string): string {
  return shop_name === undefined ? unnamed : quoteForeign(shop_name);
}

function toSum(fee_usd: number): string {
  return `${fee_usd.toFixed(2)} USD`;
}

const EDITED = 'Edited on Etsy since this service last wrote it';

export const UPDATE_WARNING_WORDS: Words<Omit<UpdateWarningParams, keyof UndoWarningParams>> = {
  shop_price_stays: {
    program: ({ shop_id, price }) =>
      `Shop ${shop_id} has its own price, ${price}, which is kept. To change it, send the price in changes.shops with this shop_id`,
    seller: ({ price }) => `One of the shops has its own price, ${price}, which is kept`,
  },
  offerings_have_own: {
    program: ({ field }) =>
      `Every offering of this shop's listing has its own ${toFieldNoun(field)}, so nothing changes in this shop. To change offerings, use changes.offerings`,
    seller: ({ field }) =>
      `Every variation in this shop has its own ${toFieldNoun(field)}, so nothing changes in this shop`,
  },
  combinations_hidden: {
    program: ({ count: hidden }) =>
      `offerings replaces all combinations; ${count(hidden, 'existing combination')} not in it, and ${hidden === 1 ? 'is' : 'are'} hidden, with quantity 0. To change individual combinations, use changes.offerings`,
    seller: ({ count: hidden }) =>
      `${count(hidden, 'variation')} no longer offered. ${hidden === 1 ? 'It is' : 'They are'} hidden, without stock`,
  },
  not_changeable: {
    program: () =>
      'The marketplace accepts this field only when a listing is created, so it is left unchanged; change it in Shop Manager',
    seller: (_, at) => sayOf(at, 'this is left unchanged, because it can be changed only in Shop Manager'),
  },
  no_such_offering: {
    program: ({ shop_id }) =>
      `Shop ${shop_id} has its own combinations, and this is not one of them, so nothing changes in that shop`,
    seller: () =>
      'One of the shops has its own variations, and this is not one of them, so nothing changes in that shop',
  },
  not_there_yet: {
    program: (shop) =>
      `${toShop(shop, `Shop ${shop.shop_id}`)} does not have the listing yet. Values for this shop are saved now; shared values are saved once another shop has accepted them. listing_publish uses them when it creates the listing in this shop`,
    seller: (shop) =>
      `${toShop(shop, 'One of the shops')} does not have the listing yet. The change is saved here, and is included when the listing is published in this shop`,
  },
  translations_stale: same(
    ({ languages }) =>
      `The listing is translated (${formatNames(languages)}); the translations are left unchanged and still have the previous text`,
  ),
  photos_removed: {
    program: ({ count: gone }) =>
      `${count(gone, 'photo')} removed; listing_undo can restore ${gone === 1 ? 'it' : 'them'} within 90 days`,
    seller: ({ count: gone }) => `${count(gone, 'photo')} removed. You can undo this within 90 days`,
  },
  videos_removed: same(({ count: gone }) => `${count(gone, 'video')} removed`),
  files_removed: {
    program: ({ filenames }) =>
      `Permanently removed: ${formatNames(filenames)}. Only buyers can download files from the marketplace, so listing_undo cannot restore ${filenames.length === 1 ? 'it' : 'them'}`,
    seller: ({ filenames }) =>
      `Permanently removed: ${formatNames(filenames)}. Only buyers can download files from Etsy, so undoing the change cannot restore ${filenames.length === 1 ? 'it' : 'them'}`,
  },
  questions_removed: same(({ questions }) => `Buyers are no longer asked ${formatNames(questions)}`),
  variation_photos_removed: same(
    ({ count: gone }) =>
      `${gone === 1 ? '1 value loses its photo' : `${gone} values lose their photos`}, because the photo or the value is removed`,
  ),
  photo_not_kept: {
    program: ({ listing_image_id }) =>
      `No copy of photo ${listing_image_id} could be saved; listing_undo can restore it only while the marketplace still has it`,
    seller: () =>
      'No copy of a removed photo could be saved. Undoing the change can restore it only while Etsy still has it',
  },
  nothing_left_to_sell: {
    program: ({ state }) =>
      state === 'active'
        ? 'Nothing would be left to sell, which the marketplace does not allow. The listing is deactivated instead, and keeps its stock. To activate it again, call listing_publish with state active and this shop in shops'
        : `Nothing would be left to sell, which the marketplace does not allow. The listing is already ${state}, and keeps its stock`,
    seller: ({ state }) =>
      state === 'active'
        ? 'Nothing would be left to sell, which Etsy does not allow. The listing is deactivated instead, and keeps its stock'
        : `Nothing would be left to sell, which Etsy does not allow. The listing is already ${toState(state)}, and keeps its stock`,
  },
  no_stock: {
    program: () => 'The combination is enabled but has no stock, so nobody can buy it; send a quantity too',
    seller: (_, at) => sayOf(at, 'this is visible but has no stock, so nobody can buy it. Set its stock too'),
  },
  sold_out_stays: {
    program: () =>
      'The listing is sold out, and new stock does not activate it. To activate it, call listing_publish with state active, this shop in shops, and stock; it asks before charging a fee',
    seller: () =>
      'The listing is sold out, and new stock does not activate it. Renew it to make it active again',
  },
  kept_for_stock: {
    program: () =>
      'The listing has no stock, and the marketplace does not accept prices, SKUs, or combinations without stock. These changes are saved here, and are written with the next change that adds stock, before the listing is activated',
    seller: () =>
      'The listing has no stock, and Etsy does not accept prices, SKUs, or variations without stock. Your changes are saved here, and are applied once the listing has stock, before it is activated',
  },
  kept_no_longer: {
    program: () => 'A pending value, held until the listing is back in stock, is discarded',
    seller: (_, at) =>
      sayOf(at, 'a change that was waiting for the listing to be back in stock is discarded'),
  },
  kept_unmatched: {
    program: () =>
      'Some pending values, held until the listing is back in stock, are skipped, because their combinations no longer exist; send new values for the current combinations with listing_update',
    seller: () =>
      'Some changes that were waiting for stock are skipped, because their variations no longer exist. Enter them again for the current variations',
  },
  kept_edited: {
    program: ({ fields }) =>
      `${formatFields(fields)} ${fields.length === 1 ? 'was' : 'were'} edited on Etsy while a change was waiting for stock. The edit is kept, and the pending change is discarded`,
    seller: ({ fields }) =>
      `${capitalize(fields.map(toFieldWords).join(', '))}: This was edited on Etsy while your change was waiting for stock. The edit is kept, and your change is discarded`,
  },
  sold_meanwhile: {
    program: ({ was, is, since, is_overwritten }) =>
      `${since === 'seen' ? `This was ${toText(was)} when last read` : `This was set to ${toText(was)}`} and is now ${toText(is)} because of sales; ${is_overwritten ? 'it is set as requested' : 'it is left unchanged'}`,
    seller: ({ was, is, since, is_overwritten }, at) =>
      sayOf(
        at,
        `this was ${since === 'seen' ? '' : 'set to '}${toText(was)}, and is now ${toText(is)} because of sales. It is ${is_overwritten ? 'set as requested' : 'left unchanged'}`,
      ),
  },
  overwritten: {
    program: ({ before, after }) =>
      `Changed on Etsy from ${JSON.stringify(before)} to ${JSON.stringify(after)} since this service last wrote it; the edit is overwritten`,
    seller: ({ before, after }, at) =>
      sayOf(
        at,
        `this was changed on Etsy from ${toValueWords(before)} to ${toValueWords(after)}. The edit is overwritten`,
      ),
  },
  edits_unknown: {
    program: () =>
      'This service has no record of the values that it last wrote, so manual edits could not be detected',
    seller: () =>
      'This service has no record of the values that it last saved, so edits made on Etsy could not be detected',
  },
  manual_edit: {
    program: ({ edit, is_licensed }) =>
      `${edit ? `Changed on Etsy from ${JSON.stringify(edit.ours)} to ${JSON.stringify(edit.theirs)} since this service last wrote it` : EDITED}. ${is_licensed ? REPEATING : UNLICENSED}`,
    seller: ({ edit }, at) =>
      sayOf(
        at,
        edit
          ? `this was changed on Etsy from ${toValueWords(edit.ours)} to ${toValueWords(edit.theirs)}. Saving your change replaces it`
          : 'this was edited on Etsy since it was last saved from here. Saving your change replaces it',
      ),
  },
  taken_over: {
    program: ({ is_saved }) =>
      `${EDITED}; the edit is kept, ${is_saved ? 'and is saved here too (a value shared by several shops is not saved here until all of them have it)' : 'but is not saved here'}`,
    seller: ({ is_saved }, at) =>
      sayOf(
        at,
        `this was edited on Etsy. The edit is kept, ${is_saved ? 'and is saved here too' : 'but is not saved here'}`,
      ),
  },
  fee_charged: {
    program: ({ fee_usd }) =>
      `Activating the listing was free when the request was sent, but the marketplace charged ${toSum(fee_usd)}, because the listing expired before the request arrived. The fee counts toward the daily limit`,
    seller: ({ fee_usd }) =>
      `Activating the listing was free when the request was sent, but Etsy charged ${toSum(fee_usd)}, because the listing expired before the request arrived`,
  },
};

function toText(value: unknown): string {
  return String(value);
}

const UNLICENSED =
  'This answer is too long to show the edit completely, so repeating the call is refused. Dry-run fewer shops or fields, or, if the seller agrees, set on_drift to overwrite';
const REPEATING =
  'Show the edit to the seller. If the seller agrees, repeat this call without dry_run within 30 minutes to overwrite it';

export const UNDO_WARNING_WORDS: Words<UndoWarningParams> = {
  undo_fixed_field: {
    program: () =>
      'Left unchanged, because the marketplace does not allow this to be changed on an existing listing',
    seller: (_, at) =>
      sayOf(
        at,
        'this is left unchanged, because Etsy does not allow it to be changed on an existing listing',
      ),
  },
  undo_file_gone: {
    program: ({ filename }) =>
      `${quoteForeign(filename)} was permanently removed; send it again with listing_update`,
    seller: ({ filename }) =>
      `${quoteForeign(filename)} was permanently removed. Your assistant can send it again`,
  },
  undo_files_stay: same(
    () => 'The files that replaced the earlier ones are kept, because a digital listing needs a file',
  ),
  undo_translation_stays: {
    program: () =>
      'A translation that the change added is kept, because the marketplace does not allow translations to be removed',
    seller: () =>
      'A translation that the change added is kept, because Etsy does not allow translations to be removed',
  },
  undo_costs_fee: {
    program: ({ state }) =>
      `The listing is ${state}, and activating it again would incur a fee; call listing_publish, which asks before charging it`,
    seller: ({ state }) =>
      `The listing is ${toState(state)}, and Etsy would charge a fee to activate it again. You can activate it on its page`,
  },
  undo_fee_spent: {
    program: ({ state }) =>
      `The listing was ${state} and is now deactivated; the fee that was paid is not refunded`,
    seller: ({ state }) =>
      `The listing was ${toState(state)} and is now deactivated; the fee that was paid is not refunded`,
  },
  undo_edited: {
    program: ({ before, after }) =>
      `Someone else has since changed this from ${JSON.stringify(before)} to ${JSON.stringify(after)}; it is left unchanged`,
    seller: ({ before, after }, at) =>
      sayOf(
        at,
        `this was later changed on Etsy from ${toValueWords(before)} to ${toValueWords(after)}. It is left unchanged`,
      ),
  },
  undo_sold: same(
    ({ sold, to, was }) =>
      `${sold} ${sold === 1 ? 'has' : 'have'} been sold since the change, so the stock is set back to ${to} instead of ${was}`,
  ),
  undo_kept_for_stock: {
    program: () =>
      'A later change replaced this value before it was written (the listing had no stock); the later value is kept',
    seller: (_, at) =>
      sayOf(
        at,
        'a later change replaced this value before it was saved on Etsy (the listing had no stock). The later value is kept',
      ),
  },
  undo_shop_lost: {
    program: ({ shop_id, because }) => `Shop ${shop_id}: ${LOST[because]}`,
    seller: ({ because }) => LOST_OF_SELLER[because],
  },
  redone: {
    program: () =>
      'The last change was an undo, so this call redoes the change that it had reverted. To undo that change again, call listing_undo again. To undo an earlier change, send its job_id; listing_get with history returns it',
    seller: () => 'The last change was an undo, so the original change is made again',
  },
};

const LOST = {
  gone: 'the listing may no longer be in this shop, so nothing was undone there',
  unread: 'the values that were written could not be read back, so nothing was undone there',
};

const LOST_OF_SELLER = {
  gone: 'One of the shops may no longer have the listing, so nothing was undone there',
  unread: 'In one of the shops, the new values could not be read back, so nothing was undone there',
};
