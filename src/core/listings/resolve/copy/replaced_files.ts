import type { ListingRequest } from '../../../../../schemas/listing_request.js';
import type { Issue, Path } from '../../../../../schemas/issue.js';
import type { ListingRecord, Ports, Publication } from '../../../ports/index.js';
import { MarketplaceError } from '../../../ports/index.js';
import { toShopRequest } from '../../requests/own_changes.js';
import { isSameValue } from '../../snapshot/difference.js';
import { findSources } from '../changes/media_ids.js';

/** Names of digital files that a shop has and the saved listing lacks. `urls`: the saved files of that shop. */
export type ReplacedFiles = { filenames: string[]; urls: string[] };

/**
 * Finds files that someone uploaded to the first of the listing's shops on the marketplace. They cannot be read
 * back, and the saved files are not the ones that shop sells. Returns undefined if there are none.
 * @param options.is_live reads the marketplace's files. Otherwise, and for a shop that must be reconnected,
 * compares the files last written or imported.
 */
type FindReplacedFiles = (
  listing: ListingRecord,
  publications: readonly Publication[],
  options: { is_live: boolean },
) => Promise<ReplacedFiles | undefined>;

export function createFindReplacedFiles({
  store,
  marketplace,
}: Pick<Ports, 'store' | 'marketplace'>): FindReplacedFiles {
  return async (listing, publications, { is_live }) => {
    const { account_id, listing_pk, request } = listing;
    const first = request.shops
      .map(({ shop_id }) => publications.find((known) => known.shop_id === shop_id))
      .find((known) => known?.progress.done.includes('files'));
    if (!first || first.listing_id === null) return undefined;
    const { shop_id, listing_id } = first;
    const urls = listFileUrls(toShopRequest(request, publications, shop_id));
    if (urls.length === 0) return undefined;
    const [snapshots, last] = await Promise.all([
      store.listings.listSnapshots(account_id, listing_pk),
      store.listings.findPublishJob(listing),
    ]);
    const kept = snapshots.find((one) => one.shop_id === shop_id)?.snapshot;
    const files = is_live
      ? await marketplace.listFiles({ account_id, shop_id }, listing_id).catch((cause: unknown) => {
          const failure = cause instanceof MarketplaceError ? cause.failure : undefined;
          if (failure === 'not_found') return [];
          if (failure === 'reconnect') return kept?.files ?? [];
          throw cause;
        })
      : (kept?.files ?? []);
    const sources = findSources(kept, first, last);
    const others = files.filter(
      ({ listing_file_id }) => !urls.includes(sources.files[listing_file_id] ?? ''),
    );
    if (others.length === 0) return undefined;
    return { filenames: others.map(({ filename }) => filename), urls };
  };
}

function listFileUrls({ digital_files }: ListingRequest): string[] {
  return (digital_files ?? []).map(({ url }) => url);
}

/** Whether a listing of this request would get the saved files instead of the replaced ones. */
export function hasReplaced(request: ListingRequest, { urls }: ReplacedFiles): boolean {
  return isSameValue(listFileUrls(request), urls);
}

export function buildReplaced({ filenames }: ReplacedFiles, at: Path): Issue {
  return { code: 'copy_files_replaced', at, params: { filenames } };
}
