import type { CategorySchema } from '../../../../schemas/category.js';
import type { Warning } from '../../../../schemas/job.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import { findEntity, toPlainText } from '../rules/html.js';
import { countChars, cutChars } from '../rules/text.js';
import { listValues } from '../rules/values.js';
import { toOpenPeriod } from '../rules/when_made.js';
import { WORD_FIELDS } from '../listing_fields.js';
import { findRepeated } from '../requests/words.js';
import type { Issue } from '../../../../schemas/issue.js';
import type { ConnectedShop } from '../../ports/index.js';
import { getDecimals } from '../rules/money.js';
import { listFileLimits, listInstructionLimits, toLimitWarnings } from './marketplace_limits.js';
import type { CheckedReferences } from './media.js';
import { buildShopPart, type ShopPart } from './shop_part.js';

/** Facts about a draft without problems, as far as it could be checked. */
type Known = {
  /** By position in shops[]. */
  shops: readonly ConnectedShop[];
  schema: CategorySchema | undefined;
  /** Paths of values that can be checked only with the category. */
  not_checked: readonly string[];
  files: CheckedReferences;
  /** By the marketplace's calendar. */
  year: number;
};

/** Warns about problems that publishing would warn about, and about checks that only publishing makes. */
export function listDraftWarnings(request: ListingRequest, known: Known): Warning[] {
  const parts = known.shops.map((shop, index) => buildShopPart(request, index, shop, known.schema));
  const limits = [...listInstructionLimits(request), ...listFileLimits(known.files.digital_files)];
  return [
    ...listRequestWarnings(request, parts, limits, known.year),
    ...listCurrencyWarnings(request, known.shops),
    ...parts.flatMap(({ warnings }) => warnings),
    ...listUnreadCategory(request, known.not_checked),
    ...listUnreadFiles(known.files.not_checked),
  ];
}

function listUnreadCategory({ listing }: ListingRequest, fields: readonly string[]): Warning[] {
  if (fields.length === 0) return [];
  const params = { category_id: listing.taxonomy_id };
  const reason = { code: 'category_not_checked' as const, params };
  return [{ code: 'not_checked', fields: [...fields], reason }];
}

function listUnreadFiles(fields: readonly string[]): Warning[] {
  if (fields.length === 0) return [];
  const reason = { code: 'files_not_checked' as const, params: {} };
  return [{ code: 'not_checked', fields: [...fields], reason }];
}

/**
 * Warnings about valid requests with surprising effects, before anything is sent. They are about the listing, and
 * so the same in every shop.
 * @param limits values the marketplace may refuse
 * @param year by the marketplace's calendar
 */
export function listRequestWarnings(
  request: ListingRequest,
  parts: readonly ShopPart[],
  limits: readonly Issue[],
  year: number,
): Warning[] {
  return [
    ...listMade(request, year),
    ...listEntities(request),
    ...listRemovedHtml(request),
    ...listRepeated(request),
    ...listUnusedSku(request),
    ...listCutSkus(listRequestSkus(request)),
    ...listCompleted(parts[0]?.compiled?.completed ?? 0),
    ...listIgnoredPersonalization(request),
    ...toLimitWarnings(limits),
  ];
}

/** The value sent as when_made. */
export function toWhenMade({ listing }: ListingRequest, year: number): string {
  return listing.when_made ?? (listing.listing_type === 'physical' ? 'made_to_order' : toOpenPeriod(year));
}

function listMade(request: ListingRequest, year: number): Warning[] {
  if (request.listing.who_made !== undefined) return [];
  return [
    {
      code: 'who_when_made_defaulted',
      level: 'note',
      fields: ['listing.who_made', 'listing.when_made', 'listing.is_supply'],
      reason: { code: 'making_defaulted', params: { when_made: toWhenMade(request, year) } },
    },
  ];
}

function listEntities(request: ListingRequest): Warning[] {
  const paths = ['listing.title', 'variations.properties[].name', 'variations.properties[].values[]'];
  return paths
    .flatMap((path) => listValues(request, path))
    .flatMap(({ path, value }) => {
      const entity = findEntity(String(value));
      if (entity === undefined) return [];
      const reason = { code: 'entity_shown' as const, params: { entity } };
      return [{ code: 'html_entity', fields: [path], reason }];
    });
}

function listRemovedHtml({ listing }: ListingRequest): Warning[] {
  const { removed, isTextRemoved, entity } = toPlainText(listing.description);
  const fields = ['listing.description'];
  const warnings: Warning[] = [];
  if (removed.length > 0) {
    const params = { tags: removed, is_text_removed: isTextRemoved };
    const reason = { code: 'html_removed' as const, params };
    warnings.push({ code: 'html_removed', level: isTextRemoved ? 'warning' : 'note', fields, reason });
  }
  if (entity !== undefined) {
    const reason = { code: 'entity_sent' as const, params: { entity } };
    warnings.push({ code: 'html_entity', level: 'note', fields, reason });
  }
  return warnings;
}

function listRepeated({ listing }: ListingRequest): Warning[] {
  return WORD_FIELDS.flatMap((field) =>
    findRepeated(listing[field] ?? []).map(({ index, first }) => ({
      code: 'ignored_field',
      fields: [`listing.${field}[${index}]`],
      reason: { code: 'word_repeated' as const, params: { first: `listing.${field}[${first}]` } },
    })),
  );
}

/** With variations, each combination has its own SKU. */
function listUnusedSku({ listing, variations }: ListingRequest): Warning[] {
  if (!listing.sku || !variations?.properties || variations.properties.length === 0) return [];
  const reason = { code: 'sku_unused' as const, params: {} };
  return [{ code: 'ignored_field', fields: ['listing.sku'], reason }];
}

function listCompleted(completed: number): Warning[] {
  if (completed === 0) return [];
  const reason = { code: 'combinations_completed' as const, params: { count: completed } };
  return [{ code: 'offerings_completed', fields: ['variations.offerings'], reason }];
}

function listIgnoredPersonalization({ personalization }: ListingRequest): Warning[] {
  if (!personalization) return [];
  const { enabled, instructions = '', ...rest } = personalization;
  const given = Object.keys({ ...rest, ...(instructions === '' ? {} : { instructions }) });
  if (enabled === true || given.length === 0) return [];
  const fields = given.map((field) => `personalization.${field}`);
  const reason = { code: 'personalization_off' as const, params: {} };
  return [{ code: 'ignored_field', fields, reason }];
}

type NamedSku = { path: string; sku: string };

function listRequestSkus(request: ListingRequest): NamedSku[] {
  const hasVariations = (request.variations?.properties?.length ?? 0) > 0;
  const place = hasVariations ? 'variations.offerings[].sku' : 'listing.sku';
  return listValues(request, place).map(({ path, value }) => ({ path, sku: String(value) }));
}

/** SKUs of which the marketplace gets only the beginning; one warning for all of them. */
export function listCutSkus(skus: readonly NamedSku[]): Warning[] {
  const most = MARKETPLACE_FACTS.sku_sent_chars;
  const cut = skus.filter(({ sku }) => countChars(sku) > most);
  const [first] = cut;
  if (!first) return [];
  const fields = cut.slice(0, MOST_FIELDS).map(({ path }) => path);
  const params = { sent: cutChars(first.sku, most), most, more: cut.length - fields.length };
  const reason = { code: 'sku_cut' as const, params };
  return [{ code: 'sku_cut', fields, reason }];
}

const MOST_FIELDS = 20;

/**
 * Warns about an amount used as a price in currencies with and without decimals, such as 22 USD and 22 JPY: one is
 * worth a hundred times the other, so the amount cannot be meant for both.
 * @param shops by position in shops[]
 */
export function listCurrencyWarnings(request: ListingRequest, shops: readonly ConnectedShop[]): Warning[] {
  const offerings = request.variations?.offerings ?? [];
  const ofOfferings = offerings.flatMap(({ price }, index) =>
    price === undefined ? [] : [`variations.offerings[${index}].price`],
  );
  const isListingPriceUsed = offerings.length === 0 || ofOfferings.length < offerings.length;
  const sharing = shops.filter(
    (_, index) => request.shops[index]?.price === undefined || ofOfferings.length > 0,
  );
  const codes = [...new Set(sharing.map(({ details }) => details.currency_code))];
  const without = codes.filter((code) => getDecimals(code) === 0);
  if (without.length === 0 || without.length === codes.length) return [];
  const fields = [
    ...(isListingPriceUsed && request.listing.price !== undefined ? ['listing.price'] : []),
    ...ofOfferings.slice(0, MOST_FIELDS),
  ];
  const params = { currencies: codes, has_offerings: ofOfferings.length > 0 };
  const reason = { code: 'price_of_several_currencies' as const, params };
  return fields.length === 0 ? [] : [{ code: 'price_of_several_currencies', fields, reason }];
}
