import type { Warning } from '../../../../schemas/job.js';
import type { UpdateRequest, UpdateResult } from '../../../../schemas/listing_changes.js';
import type { Ports } from '../../ports/index.js';
import { buildValidationError, type Issue } from '../../errors.js';
import type { Binding, ListingRecord, Publication } from '../../ports/index.js';
import { toQuotaError } from '../../operations/quotas.js';
import type { Settings } from '../../settings.js';
import { toDraftAnswer } from '../answers.js';
import type { Naming } from '../names.js';
import { isChanged } from '../preflight/changes.js';
import type { Preflight } from '../preflight/index.js';
import { compareRequests, toShown } from './answers.js';
import { checkOfferingValues, listNotOfOne } from './changes/check_offerings.js';
import { describeMissing } from './changes/patch_offerings.js';
import { patchRequest } from './changes/patch.js';
import { createChangePaths } from './changes/paths.js';
import { expectUnsought } from '../open_create.js';
import { listAsked } from './target_shops.js';

/** Changes that are saved here alone: of listings, or of shops of them, that are not on the marketplace. */
export type DraftUpdates = {
  /**
   * Changes the saved listing, which publishing starts from; it is checked as a draft is. Throws VALIDATION_FAILED, QUOTA_EXCEEDED,
   * ListingChangedError.
   */
  update(
    listing: ListingRecord,
    publications: readonly Publication[],
    input: UpdateRequest,
    binding: Binding,
  ): Promise<UpdateResult>;
  answer(listing: ListingRecord, warnings: readonly Warning[]): Promise<UpdateResult>;
};

const CHANGED =
  'The saved listing was changed; nothing was sent to the marketplace. listing_get shows it, listing_publish publishes it.';

type Parts = Pick<Ports, 'store'> & { preflight: Preflight; naming: Naming };

export function createDraftUpdates(
  { store, preflight, naming }: Parts,
  settings: Pick<Settings, 'base_url' | 'quotas'>,
): DraftUpdates {
  async function answer(listing: ListingRecord, warnings: readonly Warning[]): Promise<UpdateResult> {
    const names = await naming.nameIds(listing.account_id, listing.request);
    const { shops: _, ...answered } = toDraftAnswer(listing, names, warnings, settings.base_url);
    return { ...answered, message: CHANGED };
  }

  return {
    answer,
    async update(listing, publications, input, binding) {
      const { account_id, listing_pk, request: saved } = listing;
      const { request, changed, issues, missing } = patchRequest(saved, input.changes, input.shops);
      const paths = createChangePaths(saved, input.changes);
      const [was, is] = await Promise.all([
        preflight.judgeDraft(saved, account_id),
        preflight.judgeDraft(request, account_id),
      ]);
      const earlier = new Set(was.issues.map(({ path, message }) => `${path}: ${message}`));
      const added = is.issues.filter(
        ({ path, message }) => isChanged(path, changed) || !earlier.has(`${path}: ${message}`),
      );
      const all = [
        ...listNotOfDrafts(input, saved, publications),
        ...issues,
        ...missing.map((change) => ({ path: change.path, message: describeMissing(saved, change) })),
        ...checkOfferingValues(input.changes),
        ...added.map(paths.toIssue),
      ];
      if (all.length > 0) throw buildValidationError(all);
      expectUnsought(listing, publications, request);
      const absent = listAbsent(request, publications, input);
      if (input.dry_run === true) return toDraftDryRun(listing, request, absent, is.warnings);
      const changedListing = await store.listings
        .replaceRequest({
          account_id,
          listing_pk,
          as_of: listing.updated_at,
          request,
          binding,
          most: settings.quotas,
        })
        .catch((cause: unknown) => {
          throw toQuotaError(cause, settings);
        });
      return answer(changedListing, is.warnings);
    },
  };

  async function toDraftDryRun(
    { account_id, request: saved }: ListingRecord,
    request: ListingRecord['request'],
    shop_ids: readonly number[],
    warnings: readonly Warning[],
  ): Promise<UpdateResult> {
    const diff = compareRequests(saved, request).map(toShown);
    const nameShop = await naming.nameShops(account_id);
    return {
      status: 'valid',
      message: `${diff.length === 0 ? 'Nothing would change.' : 'Changes the saved listing, as diff tells.'} Nothing was saved; nothing of it would be sent to the marketplace.`,
      shops_count: shop_ids.length,
      names: await naming.nameIds(account_id, request),
      shops: shop_ids.map((shop_id) => ({
        shop_id: String(shop_id),
        shop_name: nameShop(shop_id)?.shop_name ?? '',
        currency_code: nameShop(shop_id)?.currency_code ?? '',
        status: diff.length === 0 ? ('unchanged' as const) : ('ok' as const),
        diff,
        marketplace_calls: 0,
        warnings: [],
      })),
      marketplace_calls: 0,
      cost_usd: 0,
      warnings: [...warnings],
    };
  }
}

/** The shops that the change is of, which do not have the listing. */
function listAbsent(
  { shops }: ListingRecord['request'],
  publications: readonly Publication[],
  input: UpdateRequest,
): number[] {
  if (publications.every(({ listing_id }) => listing_id === null)) return shops.map(({ shop_id }) => shop_id);
  return listAsked(input) ?? [];
}

/** Fields that only a listing in a shop has. */
function listNotOfDrafts(
  { shops, changes }: UpdateRequest,
  saved: ListingRecord['request'],
  publications: readonly Publication[],
): Issue[] {
  const issues: Issue[] = [];
  if (shops !== undefined && publications.every(({ listing_id }) => listing_id === null)) {
    issues.push({
      path: 'shops',
      message:
        'chooses among shops that have the listing, and none has it yet; leave it out, or use changes.shops for the values of single shops',
    });
  }
  return [...issues, ...listNotOfOne(changes, saved)];
}
