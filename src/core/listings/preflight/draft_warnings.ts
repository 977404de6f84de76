import type { CategorySchema } from '../../../../schemas/category.js';
import type { Warning } from '../../../../schemas/job.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { ConnectedShop } from '../../ports/index.js';
import { listFileLimits, listInstructionLimits } from './marketplace_limits.js';
import { listCurrencyWarnings } from './currency_warnings.js';
import type { CheckedReferences } from './media.js';
import { buildShopPart } from './shop_part.js';
import { listRequestWarnings } from './warnings.js';

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
