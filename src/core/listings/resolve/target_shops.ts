import type { UpdateRequest } from '../../../../schemas/listing_changes.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { Issue } from '../../../../schemas/issue.js';
import { buildValidationError } from '../../issues/issues.js';
import type { Publication } from '../../ports/index.js';
import { buildUnknownShop } from './changes/patch.js';

/** A shop of a listing that has it on the marketplace. */
export type Placed = { index: number; listing_id: number; publication: Publication };

/**
 * The shops of an update: the named ones, or all. `absent`: positions of shops without the listing. Throws
 * VALIDATION_FAILED for a shop that does not belong to the listing.
 */
export function findTargets(
  { shops: own }: ListingRequest,
  named: readonly number[] | undefined,
  publications: readonly Publication[],
): { placed: Placed[]; absent: number[] } {
  const issues: Issue[] = (named ?? []).flatMap((shop_id, at) =>
    own.some((target) => target.shop_id === shop_id) ? [] : [buildUnknownShop(shop_id, own, `shops[${at}]`)],
  );
  if (named?.length === 0) {
    issues.push({ code: 'shops_empty', at: 'shops', params: { of: 'update' } });
  }
  if (issues.length > 0) throw buildValidationError(issues);
  const wanted = own.flatMap(({ shop_id }, index) =>
    named?.includes(shop_id) === false ? [] : [{ shop_id, index }],
  );
  const placed: Placed[] = [];
  const absent: number[] = [];
  for (const { shop_id, index } of wanted) {
    const publication = publications.find((one) => one.shop_id === shop_id);
    if (publication && publication.listing_id !== null) {
      placed.push({ index, listing_id: publication.listing_id, publication });
    } else absent.push(index);
  }
  return { placed, absent };
}

/** The shops of an update that is for specific ones: it names them, or changes only their values. */
function listAsked({ shops: named, changes }: UpdateRequest): number[] | undefined {
  if (named) return named;
  const { shops, ...others } = changes;
  const isOfShops = shops && Object.values(others).every((value) => value === undefined);
  return isOfShops ? shops.map(({ shop_id }) => shop_id) : undefined;
}

/**
 * The shops of an update for specific ones if none of them has the listing yet: the update changes only their saved
 * values.
 */
export function listOnlySaved(
  { shops }: ListingRequest,
  publications: readonly Publication[],
  input: UpdateRequest,
): number[] | undefined {
  const isAbsent = (shop_id: number) =>
    shops.some((target) => target.shop_id === shop_id) &&
    !publications.some((one) => one.shop_id === shop_id && one.listing_id !== null);
  const asked = listAsked(input) ?? [];
  return asked.length > 0 && asked.every(isAbsent) ? asked : undefined;
}
