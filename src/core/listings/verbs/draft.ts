import type { Warning } from '../../../../schemas/job.js';
import type { UpdateRequest, UpdateResult } from '../../../../schemas/listing_changes.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { Ports } from '../../ports/index.js';
import { buildValidationError, toIssueKey } from '../../issues/issues.js';
import type { Issue } from '../../../../schemas/issue.js';
import type { Binding, ListingRecord, Publication } from '../../ports/index.js';
import { toQuotaError } from '../../operations/quotas.js';
import type { OwnChanges } from '../../ports/listing/changes.js';
import type { Settings } from '../../settings.js';
import { toDraftAnswer } from './answers.js';
import type { Naming } from '../names.js';
import { expectNoOpenCreate } from '../resolve/open_create.js';
import { toShopRequest } from '../requests/own_changes.js';
import { isChanged } from '../preflight/changes.js';
import type { Preflight } from '../preflight/index.js';
import { listUnique } from '../snapshot/difference.js';
import { compareRequests } from '../decide/answers.js';
import { checkOfferingValues, listNotOfOne } from '../resolve/changes/check_offerings.js';
import { buildMissing, listKeptPrices, listRepeated } from '../resolve/changes/patch_offerings.js';
import { patchRequest } from '../resolve/changes/patch.js';
import { joinViews, listChangedViews, listMissingThere, listViewIssues } from '../resolve/change_views.js';

/** Updates that are only saved here: of listings, or of shops within them, that are not on the marketplace. */
export type DraftUpdates = {
  /**
   * Changes the saved listing, from which publishing starts, and checks it as a draft. Throws VALIDATION_FAILED,
   * QUOTA_EXCEEDED, ListingChangedError, LISTING_BUSY.
   */
  update(
    listing: ListingRecord,
    publications: readonly Publication[],
    input: UpdateRequest,
    binding: Binding,
  ): Promise<UpdateResult>;
  /**
   * The same for these shops only, which do not have the listing yet while others do: the changed values become
   * their own. Nothing changes in the other shops.
   */
  updateAbsent(
    listing: ListingRecord,
    publications: readonly Publication[],
    shop_ids: readonly number[],
    input: UpdateRequest,
    binding: Binding,
  ): Promise<UpdateResult>;
  /**
   * Takes a draft out of these shops, and leaves the rest of it as saved. Throws VALIDATION_FAILED if no shop would be left,
   * ListingChangedError, LISTING_BUSY.
   */
  leaveShops(
    listing: ListingRecord,
    publications: readonly Publication[],
    shop_ids: readonly number[],
    binding: Binding,
  ): Promise<UpdateResult>;
  answer(listing: ListingRecord, warnings: readonly Warning[]): Promise<UpdateResult>;
};

/** The data to save: the request, and the own values of shops for which these change. */
type Change = {
  /** The shops the change is for. */
  shop_ids: readonly number[];
  request: ListingRequest;
  own: readonly OwnChanges[];
  warnings: readonly Warning[];
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

  /** Issues of a request that the earlier request did not have, or that are within the change. */
  async function compareDrafts(
    account_id: string,
    before: ListingRequest,
    after: ListingRequest,
    changed: readonly string[] = [],
  ) {
    const [was, is] = await Promise.all([
      preflight.judgeDraft(before, account_id),
      preflight.judgeDraft(after, account_id),
    ]);
    const earlier = new Set(was.issues.map(toIssueKey));
    const added = is.issues.filter(
      (issue) => isChanged(issue.at, changed) || !earlier.has(toIssueKey(issue)),
    );
    return { added, warnings: is.warnings };
  }

  /**
   * Returns the change and its warnings. Throws VALIDATION_FAILED. As callers cannot choose shops of a draft, a
   * price for its only offering leaves the own prices of single shops unchanged; named shops still get it.
   * @param named the shops the change is for; if omitted, all
   */
  async function judge(
    { account_id, request: saved }: ListingRecord,
    publications: readonly Publication[],
    input: UpdateRequest,
    named?: readonly number[],
  ): Promise<Change> {
    const { changes } = input;
    const shop_ids = named ?? saved.shops.map(({ shop_id }) => shop_id);
    const changed = listChangedViews({
      saved,
      publications,
      changes,
      shop_ids,
      patch: (before, to) => patchRequest(before, to, named, named ? 'written' : 'kept'),
    });
    const views = await Promise.all(
      changed.map(async (view) => {
        const compared = await compareDrafts(account_id, view.before, view.request, view.changed);
        return { ...view, compared };
      }),
    );
    const issues = [
      ...(named ? [] : listNamed(input)),
      ...listViewIssues(
        saved,
        changes,
        views,
        ({ before, issues: wrong, missing, changes: to, is_shared, compared }) => [
          ...listNotOfOne(to, before),
          ...wrong,
          ...listRepeated(changes.offerings ?? [], before),
          // A shop with its own combinations may lack one of them.
          ...(is_shared || named ? missing : []).map((change) => buildMissing(before, change)),
          ...checkOfferingValues(to),
          ...compared.added,
        ],
      ),
    ];
    if (issues.length > 0) throw buildValidationError(issues);
    const warnings = listUnique(views.flatMap(({ compared }) => compared.warnings));
    const { request, own } = joinViews(saved, publications, views);
    return {
      shop_ids,
      request,
      own,
      warnings: [
        ...warnings,
        ...(named ? [] : listKeptPrices(request, changes)),
        ...(named ? [] : listMissingThere(views, () => true)),
      ],
    };
  }

  /**
   * Saves the change, or shows it in a dry run. Throws LISTING_BUSY if it changes the values of a shop whose
   * listing is being searched for.
   */
  async function finish(
    listing: ListingRecord,
    publications: readonly Publication[],
    change: Change,
    { dry_run }: Pick<UpdateRequest, 'dry_run'>,
    binding: Binding,
  ): Promise<UpdateResult> {
    const { account_id, listing_pk, updated_at: as_of } = listing;
    const { request, own, warnings } = change;
    expectNoOpenCreate(listing, publications, request, own);
    if (dry_run === true) return toDraftDryRun(listing, publications, change);
    const most = settings.quotas;
    const saved = await store.listings
      .replaceRequest({ account_id, listing_pk, as_of, request, own, binding, most })
      .catch((cause: unknown) => {
        throw toQuotaError(cause, settings);
      });
    return answer(saved, warnings);
  }

  return {
    answer,
    async update(listing, publications, input, binding) {
      return finish(listing, publications, await judge(listing, publications, input), input, binding);
    },
    async updateAbsent(listing, publications, shop_ids, input, binding) {
      const change = await judge(listing, publications, input, shop_ids);
      return finish(listing, publications, change, input, binding);
    },
    async leaveShops(listing, publications, left, binding) {
      const nameShop = await naming.nameShops(listing.account_id);
      const findCurrency = (shop_id: number) => nameShop(shop_id)?.currency_code;
      const request = leave(listing.request, publications, left, findCurrency);
      if (request.shops.length === 0) {
        throw buildValidationError((await preflight.judgeDraft(request, listing.account_id)).issues);
      }
      const change = { shop_ids: left, request, own: [], warnings: [] };
      return finish(listing, publications, change, {}, binding);
    },
  };

  async function toDraftDryRun(
    { account_id, request: saved }: ListingRecord,
    publications: readonly Publication[],
    { shop_ids, request, own, warnings }: Change,
  ): Promise<UpdateResult> {
    const nameShop = await naming.nameShops(account_id);
    const shops = shop_ids.map((shop_id) => {
      const before = toShopRequest(saved, publications, shop_id);
      const diff = compareRequests(before, toShopRequest(request, publications, shop_id, own));
      return {
        shop_id: String(shop_id),
        shop_name: nameShop(shop_id)?.shop_name ?? '',
        currency_code: nameShop(shop_id)?.currency_code ?? '',
        status: diff.length === 0 ? ('unchanged' as const) : ('ok' as const),
        diff,
        marketplace_calls: 0,
        warnings: [],
      };
    });
    const isSame = shops.every(({ status }) => status === 'unchanged');
    return {
      status: 'valid',
      message: `${isSame ? 'Nothing would change.' : 'Changes the saved listing as diff shows.'} Nothing was saved; nothing of it would be sent to the marketplace.`,
      shops_count: shops.length,
      names: await naming.nameIds(account_id, request),
      shops,
      marketplace_calls: 0,
      cost_usd: 0,
      warnings: [...warnings],
    };
  }
}

/**
 * The request without these shops. If the new first shop has another currency than the former one, the listing's price,
 * unless a remaining shop uses it, becomes that of the new first shop.
 */
function leave(
  request: ListingRequest,
  publications: readonly Publication[],
  left: readonly number[],
  findCurrency: (shop_id: number) => string | undefined,
): ListingRequest {
  const shops = request.shops.filter(({ shop_id }) => !left.includes(shop_id));
  const currencies = [shops, request.shops].map(([first]) => first && findCurrency(first.shop_id));
  const isUsed = shops.some(
    ({ shop_id, price }) =>
      price === undefined && !haveOfferingsPrices(toShopRequest(request, publications, shop_id)),
  );
  if (isUsed || currencies[0] === currencies[1]) return { ...request, shops };
  const { price: _price, ...listing } = request.listing;
  const price = shops[0]?.price;
  return { ...request, listing: { ...listing, ...(price !== undefined && { price }) }, shops };
}

function haveOfferingsPrices({ variations }: ListingRequest): boolean {
  const offerings = variations?.offerings ?? [];
  return offerings.length > 0 && offerings.every(({ price }) => price !== undefined);
}

/** Callers cannot choose shops while no shop has the listing. */
function listNamed({ shops }: UpdateRequest): Issue[] {
  if (shops === undefined) return [];
  return [{ code: 'shops_not_selectable', at: 'shops', params: {} }];
}
