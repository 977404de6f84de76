import { formatNames } from '../../text/choices.js';
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
import { toLimitWarnings } from './marketplace_limits.js';
import { quoteForeign } from '../../errors.js';
import type { ShopPart } from './shop_part.js';

/**
 * Warnings about valid requests whose effect may surprise, before anything is sent. They are about the listing, so the same in every shop.
 * @param limits what the marketplace may refuse
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

/** What is sent as when_made. */
export function toWhenMade({ listing }: ListingRequest, year: number): string {
  return listing.when_made ?? (listing.listing_type === 'physical' ? 'made_to_order' : toOpenPeriod(year));
}

function listMade(request: ListingRequest, year: number): Warning[] {
  if (request.listing.who_made !== undefined) return [];
  const when = toWhenMade(request, year);
  return [
    {
      code: 'who_when_made_defaulted',
      level: 'note',
      fields: ['listing.who_made', 'listing.when_made', 'listing.is_supply'],
      reason: `None of the three was given; i_did, ${when} and false are used.`,
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
      const reason = `It has ${entity}, which is HTML: buyers see it as it stands. Write the character itself.`;
      return [{ code: 'html_entity', fields: [path], reason }];
    });
}

function listRemovedHtml({ listing }: ListingRequest): Warning[] {
  const { removed, isTextRemoved, entity } = toPlainText(listing.description);
  const fields = ['listing.description'];
  const warnings: Warning[] = [];
  if (removed.length > 0) {
    const what = isTextRemoved ? 'along with comments, scripts or style sheets' : 'and their text is kept';
    const shown = formatNames(removed);
    const reason = `The marketplace shows descriptions without HTML: tags are removed (${shown}), ${what}. To send one as text, write &lt; in place of <.`;
    warnings.push({ code: 'html_removed', level: isTextRemoved ? 'warning' : 'note', fields, reason });
  }
  if (entity !== undefined) {
    const reason = `It has ${entity}, which is HTML: the character itself is sent. To send it as text, write &amp; in place of &.`;
    warnings.push({ code: 'html_entity', level: 'note', fields, reason });
  }
  return warnings;
}

function listRepeated({ listing }: ListingRequest): Warning[] {
  return WORD_FIELDS.flatMap((field) =>
    findRepeated(listing[field] ?? []).map(({ index, first }) => ({
      code: 'ignored_field',
      fields: [`listing.${field}[${index}]`],
      reason: `It is the same as listing.${field}[${first}] and is sent once.`,
    })),
  );
}

/** With variations each combination has a SKU of its own. */
function listUnusedSku({ listing, variations }: ListingRequest): Warning[] {
  if (!listing.sku || !variations?.properties || variations.properties.length === 0) return [];
  const reason = 'With variations the SKUs of the offerings count; the SKU of the listing is not used.';
  return [{ code: 'ignored_field', fields: ['listing.sku'], reason }];
}

function listCompleted(completed: number): Warning[] {
  if (completed === 0) return [];
  const reason =
    completed === 1
      ? '1 combination was not among the offerings; it is created hidden, with quantity 0.'
      : `${completed} combinations were not among the offerings; they are created hidden, with quantity 0.`;
  return [{ code: 'offerings_completed', fields: ['variations.offerings'], reason }];
}

function listIgnoredPersonalization({ personalization }: ListingRequest): Warning[] {
  if (!personalization) return [];
  const { enabled, instructions = '', ...rest } = personalization;
  const given = Object.keys({ ...rest, ...(instructions === '' ? {} : { instructions }) });
  if (enabled === true || given.length === 0) return [];
  const fields = given.map((field) => `personalization.${field}`);
  const reason = 'Personalization is not enabled; set personalization.enabled to true.';
  return [{ code: 'ignored_field', fields, reason }];
}

type NamedSku = { path: string; sku: string };

function listRequestSkus(request: ListingRequest): NamedSku[] {
  const hasVariations = (request.variations?.properties?.length ?? 0) > 0;
  const place = hasVariations ? 'variations.offerings[].sku' : 'listing.sku';
  return listValues(request, place).map(({ path, value }) => ({ path, sku: String(value) }));
}

/** SKUs that the marketplace gets the beginning of; one warning for all of them. */
export function listCutSkus(skus: readonly NamedSku[]): Warning[] {
  const most = MARKETPLACE_FACTS.sku_sent_chars;
  const cut = skus.filter(({ sku }) => countChars(sku) > most);
  const [first] = cut;
  if (!first) return [];
  const fields = cut.slice(0, MOST_FIELDS).map(({ path }) => path);
  const more = cut.length > fields.length ? ` So are ${cut.length - fields.length} more.` : '';
  const reason = `The marketplace takes ${most} characters of a SKU: ${first.path} is sent as ${quoteForeign(cutChars(first.sku, most))}.${more}`;
  return [{ code: 'sku_cut', fields, reason }];
}

const MOST_FIELDS = 20;
