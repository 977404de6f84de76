import type { Issue } from '../../../schemas/issue.js';
import { PREFIX, toShopPath } from '../routes.js';

/** A page where a problem is fixed. */
type Place = { path: string; name: string };

const SHOPS: Place = { path: `${PREFIX}/shops`, name: 'Shops' };
const LISTINGS: Place = { path: `${PREFIX}/listings`, name: 'Listings' };
const UPLOADS: Place = { path: `${PREFIX}/uploads`, name: 'Uploads' };
const WEBHOOKS: Place = { path: `${PREFIX}/webhooks`, name: 'Webhooks' };
const CHANGES: Place = { path: `${PREFIX}/changes`, name: 'Changes' };
const ACCESS: Place = { path: `${PREFIX}/access`, name: 'API keys and assistants' };

/** The pages where these problems are fixed, each once. */
export function listPlaces(issues: readonly Issue[]): Place[] {
  const places = issues.flatMap((issue) => findPlace(issue) ?? []);
  return [...new Map(places.map((place) => [place.path, place])).values()];
}

function findPlace(issue: Issue): Place | undefined {
  switch (issue.code) {
    case 'grant_lost': {
      const { shop_id, shop_name } = issue.params;
      return { path: toShopPath(shop_id), name: shop_name };
    }
    case 'shop_disconnected':
    case 'shop_not_found':
    case 'shop_on_vacation':
    case 'shop_revoked':
    case 'grant_refused':
    case 'application_missing':
    case 'processing_profile_missing':
    case 'reference_unknown':
      return SHOPS;
    case 'listing_not_found':
    case 'listing_id_given':
    case 'job_not_found':
    case 'quota_drafts':
    case 'quota_draft_bytes':
      return LISTINGS;
    case 'quota_upload_bytes':
    case 'upload_gone':
    case 'upload_not_found':
      return UPLOADS;
    case 'batch_not_found':
      return CHANGES;
    case 'delivery_not_found':
    case 'destination_missing':
    case 'destination_off':
      return WEBHOOKS;
    case 'api_key_not_found':
    case 'assistant_not_found':
      return ACCESS;
    default:
      return undefined;
  }
}
