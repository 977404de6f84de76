import type { RefusalParams, UpdateFailureParams } from '../../../../schemas/issues/update_warnings.js';
import { formatFields, formatValues } from '../../text/choices.js';
import { quoteName } from '../../text/foreign.js';
import { describeCallFailureToSeller, describeUnread } from './call_failure.js';
import { toFieldWords } from '../field_words.js';
import { sayOf, toState, type Words } from '../words.js';

export const UPDATE_FAILURE_WORDS: Words<UpdateFailureParams> = {
  listing_removed: {
    program: () => 'the listing was removed on the marketplace',
    seller: () => 'The listing was removed on Etsy',
  },
  listing_gone: {
    program: () => 'The listing is no longer in the shop; to remove it here too, call listing_delete.',
    seller: () => 'The listing is no longer in the shop. You can remove it here too',
  },
  listing_unread: {
    program: ({ why }, _, say) => `The listing could not be read: ${describeUnread(why, say)}`,
    seller: ({ why }, _, say) => `The listing could not be read: ${describeCallFailureToSeller(why, say)}`,
  },
  photo_nowhere: {
    program: () => 'this photo is not on the listing, and this service has no copy of it; upload it again',
    seller: (_, at) =>
      sayOf(at, 'this photo is not on the listing, and this service has no copy of it. Upload it again'),
  },
  photo_needed: {
    program: () => 'an active listing needs a photo',
    seller: () => 'An active listing needs a photo',
  },
  photo_not_there: {
    program: () => 'the listing may not have this photo; send it in changes.images too',
    seller: (_, at) => sayOf(at, 'the listing may not have this photo. Add it to the photos too'),
  },
  combination_unknown: {
    program: (wanted) =>
      `the listing in the shop has no ${toWanted(wanted)}; it has ${toThere(wanted, 'one product without a SKU')}`,
    seller: (wanted) =>
      `The listing in the shop has no ${toWanted(wanted)}. It has ${toThere(wanted, 'one product without a SKU')}`,
  },
  combination_ambiguous: {
    program: ({ count, labels, ...wanted }) =>
      toWanted(wanted) === ''
        ? `the listing has ${count} combinations in the shop; send the SKU or the option values of one: ${formatValues(labels)}`
        : `${toWanted(wanted)} matches ${count} combinations in the shop; send the option values of one: ${formatValues(labels)}`,
    seller: ({ count, labels, ...wanted }) =>
      `${toWanted(wanted) === '' ? 'The listing has' : `${toWanted(wanted)} matches`} ${count} variations in the shop. Choose one of them: ${formatValues(labels)}`,
  },
  options_three: {
    program: () =>
      'the listing varies by three properties in the shop, and variations can have only two; use changes.offerings to change prices, stock, and SKUs of existing combinations',
    seller: () =>
      'The listing has three options in the shop. Variations can be changed here only on listings with one or two options',
  },
  state_changed: {
    program: ({ was, is }) =>
      `the listing was ${was} when this was requested, but is now ${is}; send the request again`,
    seller: ({ was, is }) =>
      `The listing was ${toState(was)} when this was requested, but is now ${toState(is)}. Try again`,
  },
  draft_not_on_sale: {
    program: () => 'the listing is a draft on the marketplace, so there is nothing to deactivate',
    seller: () => 'The listing is a draft on Etsy, so there is nothing to deactivate',
  },
  fee_unasked: {
    program: () =>
      'activating the listing now would incur a fee that has not been confirmed; send the request again to confirm it',
    seller: () => 'Etsy would now charge a fee that you have not confirmed. Try again to see the fee',
  },
  change_refused: {
    program: ({ fields, problem }, _, say) =>
      fields.length > 0 ? `${fields.join(', ')}: ${say(problem)}` : say(problem),
    seller: ({ fields: [at = ''], problem }, _, say) => say({ ...problem, at }),
  },
  edited_elsewhere: {
    program: ({ fields, when, can_skip }) => {
      const names = formatFields(fields);
      const choice = `set on_drift to overwrite${can_skip ? ', or to skip, which keeps the edit and undoes the rest' : ''}`;
      switch (when) {
        case 'before':
          return `${names} ${fields.length === 1 ? 'was' : 'were'} edited on Etsy after this service last wrote ${fields.length === 1 ? 'it' : 'them'}. Nothing was written. Show the seller both values, which are in details.drift; if the seller agrees, ${choice}.`;
        case 'during':
          return `${names} ${fields.length === 1 ? 'was' : 'were'} edited on Etsy by someone else while this change was running. The values that were already written are in diff; both values are in details.drift. Show them to the seller, then call again; if the seller agrees, ${choice}`;
        case 'after_restore':
          return `A backup was restored after this change began, and the listing was changed on Etsy since the backup, so the change may have been made and then reverted: ${names}. Nothing was written. Show the seller both values, which are in details.drift; if the seller agrees, make the change again`;
      }
    },
    seller: ({ fields, when }) => {
      const names = fields.map((field) => toFieldWords(field)).join(', ');
      switch (when) {
        case 'before':
          return `These details were edited on Etsy since they were last saved from here: ${names}. Nothing was changed. Your assistant can show you both values, and replace the ones on Etsy`;
        case 'during':
          return `These details were edited on Etsy while this change was running: ${names}. Your assistant can show you both values, and replace the ones on Etsy`;
        case 'after_restore':
          return `A backup was restored after this change began, and the listing was changed on Etsy since the backup, so the change may have been made and then reverted: ${names}. Nothing was changed. Your assistant can make the change again`;
      }
    },
  },
};

type Wanted = Pick<RefusalParams['combination_unknown'], 'sku' | 'values'>;

function toWanted({ sku, values }: Wanted): string {
  return [
    ...(sku === undefined ? [] : [`SKU ${quoteName(sku)}`]),
    ...values.map(({ name, value }) => `${quoteName(name)} ${quoteName(value)}`),
  ].join(' and ');
}

function toThere({ skus, labels }: RefusalParams['combination_unknown'], none: string): string {
  const [own, named] = [formatValues(skus), formatValues(labels)];
  const there = [own && `SKUs ${own}`, named && `variations ${named}`].filter(Boolean);
  return there.length === 0 ? none : there.join(', and ');
}
