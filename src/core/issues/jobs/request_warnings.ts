import type { Choice } from '../../../../schemas/issues/facts.js';
import type { FormGapParams, RequestWarningParams } from '../../../../schemas/issues/request_warnings.js';
import { formatChoices, formatNames } from '../../text/choices.js';
import { formatCount } from '../../text/format_count.js';
import { cleanForeign, quoteForeign, quoteName } from '../../text/foreign.js';
import { toFieldWords } from '../field_words.js';
import { formatSellerChoices } from '../listing.js';
import { toMakingWords } from '../making_words.js';
import { describeMeaning } from '../values.js';
import { endSentence, sayOf, toState, type Words } from '../words.js';

const OVER = new Set(['removed', 'gone']);

function toName({ id, name }: Choice): string {
  return name === undefined ? String(id) : quoteName(name);
}

function toProfile({ id, name = '' }: Choice): string {
  return `${id} (${quoteName(name)})`;
}

function formatDays({ least, most }: { least?: number | undefined; most?: number | undefined }): string {
  if (least === undefined) return `at most ${most} days`;
  if (most === undefined) return `at least ${least} days`;
  return least === most ? `${least} days` : `${least} to ${most} days`;
}

const MAX_KNOWN_CHARS = 200;

export const REQUEST_WARNING_WORDS: Words<Omit<RequestWarningParams, keyof FormGapParams>> = {
  replayed: {
    program: ({ is_creation }) =>
      `The same request was sent before; this is its result. Nothing was done twice.${is_creation ? ' To create another listing, send a new idempotency_key.' : ''}`,
    seller: () => 'The same request was sent before; this is its result. Nothing was done twice',
  },
  confirmed_before: {
    program: () =>
      'This confirm_token was already used; this is the result of its job. Nothing was paid twice. To retry shops that failed, call without confirm',
    seller: () => 'You already agreed to this; this is the result. Nothing was paid twice',
  },
  other_job_running: {
    program: ({ running, asked }) =>
      `Another job for this listing (state ${running}) is still running; its progress is returned. When it finishes, call listing_publish with state ${asked} again`,
    seller: () =>
      'Another change to this listing is still running; this is its progress. Try again when it has finished',
  },
  sale_unneeded: {
    program: ({ shop_name, state }) => `in ${quoteForeign(shop_name)}, ${describeUnneeded(state, state)}`,
    seller: ({ shop_name, state }) =>
      `In ${quoteForeign(shop_name)}, ${describeUnneeded(state, toState(state))}`,
  },
  off_sale_in_shop: {
    program: ({ shop_id, shop_name, state }) => {
      const shop = shop_name === undefined ? `shop ${shop_id}` : quoteForeign(shop_name);
      const advice = OVER.has(state)
        ? '. To create a new listing in this shop, call listing_create'
        : `. To activate it again, send ${shop_id} in shops`;
      return `in ${shop}, the listing is ${state}${advice}`;
    },
    seller: ({ shop_name, state }) => {
      const shop = shop_name === undefined ? 'one of the shops' : quoteForeign(shop_name);
      const advice = OVER.has(state)
        ? 'You can create a new listing in this shop'
        : 'You can activate it again here';
      return `In ${shop}, the listing is ${toState(state)}. ${advice}`;
    },
  },

  profile_mismatch: {
    program: ({ profile, is_named, shop_name, choices, ...days }) =>
      is_named
        ? `The chosen processing profile, ${toProfile(profile)}, does not fit the requested processing time, ${formatDays(days)}, but is used anyway`
        : `No processing profile fits the requested processing time, ${formatDays(days)}; ${toProfile(profile)} is used instead. To use another one, set processing_profile_id to one of the profiles of ${quoteForeign(shop_name)}: ${formatChoices(choices)}`,
    seller: ({ profile, is_named, shop_name, choices, ...days }) =>
      is_named
        ? `The processing profile ${toName(profile)} does not fit the requested processing time, ${formatDays(days)}, but is used anyway`
        : `No processing profile fits the requested processing time, ${formatDays(days)}; ${toName(profile)} is used instead. If it is not right, choose another processing profile of the shop ${quoteForeign(shop_name)}: ${formatSellerChoices(choices)}`,
  },
  profile_defaulted: {
    program: ({ profile }) => `No processing profile was sent; ${toProfile(profile)} is used`,
    seller: ({ profile }) => `No processing profile was chosen; ${toName(profile)} is used`,
  },
  making_defaulted: {
    program: ({ when_made }) =>
      `who_made, when_made, and is_supply were not sent; i_did, ${when_made}, and false are used`,
    seller: ({ when_made }) =>
      `The listing does not say who made it or when. It is listed as made by you, ${toMakingWords(when_made)}, and not as a craft supply`,
  },
  entity_shown: {
    program: ({ entity }) =>
      `The text contains ${entity}, which is an HTML entity; buyers see the entity, not the character. Write the character itself`,
    seller: ({ entity }, at) =>
      sayOf(at, `buyers see ${entity} exactly as written. Write the character itself`),
  },
  entity_sent: {
    program: ({ entity }) =>
      `The text contains ${entity}, which is an HTML entity; the character is sent instead. To send the entity as text, write &amp; in place of &`,
    seller: ({ entity }, at) =>
      sayOf(
        at,
        `this contains ${entity}, which stands for another character. That character is sent instead`,
      ),
  },
  html_removed: {
    program: ({ tags, is_text_removed }) =>
      `The marketplace shows descriptions without HTML. These tags are removed, ${describeRemoved(is_text_removed)}: ${formatNames(tags)}. To send a tag as text, write &lt; in place of <`,
    seller: ({ tags, is_text_removed }) =>
      `Etsy shows descriptions without HTML. These tags are removed, ${describeRemoved(is_text_removed)}: ${formatNames(tags)}`,
  },
  word_repeated: {
    program: ({ first }) => `This is the same as ${first}, and is sent only once`,
    seller: ({ first }, at) => sayOf(at, `this is the same as ${toFieldWords(first)}, and is sent only once`),
  },
  sku_unused: {
    program: () => "A listing with variations has a SKU for each offering; the listing's own SKU is not used",
    seller: () => 'Each variation has its own SKU; the listing’s own SKU is not used',
  },
  combinations_completed: {
    program: ({ count }) =>
      count === 1
        ? '1 combination is not in offerings; it is created hidden, with quantity 0'
        : `${count} combinations are not in offerings; they are created hidden, with quantity 0`,
    seller: ({ count }) =>
      count === 1
        ? '1 variation was left out; it is created hidden, without stock'
        : `${count} variations were left out; they are created hidden, without stock`,
  },
  personalization_off: {
    program: () =>
      'Personalization is not enabled, so this is not used; to enable it, set personalization.enabled to true',
    seller: () => 'Personalization is turned off, so this is not used. Turn personalization on to use it',
  },
  sku_cut: {
    program: ({ sent, most, more }, at) =>
      `The marketplace accepts SKUs of at most ${most} characters: ${at} is sent as ${quoteForeign(sent)}.${describeMoreCut(more)}`,
    seller: ({ sent, most, more }) =>
      `Etsy accepts SKUs of at most ${most} characters: one is shortened to ${quoteForeign(sent)}.${describeMoreCut(more)}`,
  },
  category_not_checked: {
    program: ({ category_id }) =>
      `Category ${category_id} has not been read yet, and saving a draft makes no calls to the marketplace; these fields are checked when the listing is published. To read the category now, call listing_schema`,
    seller: () =>
      'The category has not been read from Etsy yet. Its attributes and variations are checked when the listing is published',
  },
  files_not_checked: {
    program: () => 'The files of a draft are not downloaded; they are checked when the listing is published',
    seller: () => 'Photos and files at web addresses are checked when the listing is published',
  },
  price_of_several_currencies: {
    program: ({ currencies, has_offerings }) =>
      `The price is the same number in ${currencies.join(' and ')}, although the currencies differ in value by a factor of about 100. ${has_offerings ? 'Create a separate listing for the shops of each currency' : 'Send shops[].price for each shop that needs a different number'}`,
    seller: ({ currencies, has_offerings }) =>
      `The price is the same number in ${currencies.join(' and ')}, although the currencies differ in value by a factor of about 100. ${has_offerings ? 'Create a separate listing for the shops of each currency' : 'Set a different price for each shop'}`,
  },
  not_of_category: {
    program: ({ problem }, _, say) =>
      `${problem.at} ${say(problem)}. The marketplace may remove it when the category changes; to replace or remove it yourself, send it in changes`,
    seller: ({ problem }, _, say) => `${say(problem)} Etsy may remove it when the category changes`,
  },
  marketplace_limit: {
    program: ({ problem }, _, say) =>
      `${problem.at} ${say(problem)}. It is sent unchanged, and the marketplace may refuse it; a call with state active fails before any fee is charged`,
    seller: ({ problem }, _, say) =>
      `${say(problem)} It is sent unchanged, and Etsy may refuse it. Correct it before you activate the listing`,
  },
  price_override_unused: {
    program: () => 'Every offering has its own price, so the price sent for this shop is not used',
    seller: (_, at) => sayOf(at, 'this is not used, because every variation has its own price'),
  },
  needless_for_digital: {
    program: () => 'Digital listings have no shipping, returns, or processing; this is not used',
    seller: () => 'Digital listings have no shipping, returns, or processing. These details are not used',
  },
  photo_changed: {
    program: (change) => describePhotoChange(change, 'the marketplace'),
    seller: (change) => describePhotoChange(change, 'Etsy'),
  },
  key_ignored: {
    program: (ignored) => describeIgnored(ignored),
    seller: ({ key }) => `${quoteForeign(key, 100)} is not a known field and was ignored`,
  },
  keys_ignored: {
    program: ({ left_out }) => `${left_out} more unknown keys were ignored`,
    seller: ({ left_out }) => `${left_out} more unknown fields were ignored`,
  },
  only_in_shop: {
    program: ({ gap }, _, say) => `Left unchanged in the shop: ${say(gap)}`,
    seller: ({ gap }, _, say) => `Left unchanged in the shop: ${say(gap)}`,
  },
  not_copied: {
    program: ({ gap }, _, say) => `Not included in the copy: ${say(gap)}`,
    seller: ({ gap }, _, say) => `Not included in the copy: ${say(gap)}`,
  },
  attribute_not_copied: {
    program: () => 'The category does not have this attribute, so it is not copied',
    seller: (_, at) => sayOf(at, 'this is not copied, because the category does not have this attribute'),
  },
  media_not_kept_here: {
    program: ({ problems }, _, say) =>
      `No copy of the file could be saved here, so its URL on the marketplace is used; to save one, import the listing again. The file ${problems.map((problem) => say(problem)).join('; ')}`,
    seller: (_, at) => sayOf(at, 'no copy could be saved here, so the file on Etsy is used'),
  },
};

function describeUnneeded(state: string, words: string): string {
  if (state === 'active') return 'the listing is already active';
  return state === 'draft'
    ? 'the listing is a draft, so there is nothing to deactivate'
    : `the listing is ${words}, so there is nothing to deactivate`;
}

function describeRemoved(isTextRemoved: boolean): string {
  return isTextRemoved ? 'along with comments, scripts, or style sheets' : 'and their text is kept';
}

function describeMoreCut(more: number): string {
  if (more === 0) return '';
  return more === 1 ? ' 1 more SKU is shortened too' : ` ${more} more SKUs are shortened too`;
}

function describePhotoChange(
  { format, from, to, is_flattened, has_lost_frames }: RequestWarningParams['photo_changed'],
  marketplace: string,
): string {
  const before = from ? ` from ${from.width} × ${from.height}` : '';
  const changes = [
    ...(format === undefined ? [] : [`converted from ${format} to JPEG`]),
    ...(to
      ? [
          `scaled${before} to ${to.width} × ${to.height} pixels, the largest size that ${marketplace} displays`,
        ]
      : []),
    ...(is_flattened
      ? [`given a white background, because ${marketplace} shows transparent parts in black`]
      : []),
  ];
  const frames = has_lost_frames ? ' Only the first frame of the animation is kept.' : '';
  return `The photo was ${changes.join(' and ')}.${frames}`;
}

function describeIgnored({ key, meaning, count, known }: RequestWarningParams['key_ignored']): string {
  const advice = describeMeaning(meaning);
  const places = count > 1 ? ` (in ${formatCount(count, 'place')})` : '';
  const ignored = `${quoteForeign(key, 100)} is an unknown key and was ignored${places}`;
  if (advice !== '') return `${ignored}; ${endSentence(advice)}`;
  if (known.length === 0) return ignored;
  return `${ignored}. Known keys: ${cleanForeign(known.join(', '), MAX_KNOWN_CHARS)}`;
}
