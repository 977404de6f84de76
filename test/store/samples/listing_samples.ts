import type { ListingRequest } from '../../../schemas/listing_request.js';
import type { NewListing, Plan, PublishAction, ShopPlan } from '../../../src/core/ports/index.js';

export function buildRequest(shop_ids: number[] = [101, 102]): ListingRequest {
  return {
    state: 'publish',
    shops: shop_ids.map((shop_id) => ({ shop_id })),
    listing: { title: 'Oak bowl', description: 'Turned by hand.', listing_type: 'physical', taxonomy_id: 1 },
  };
}

export function buildPlan(shop_ids: number[] = [101, 102]): Plan<PublishAction> {
  return {
    purpose: 'publish',
    warnings: [],
    shops: shop_ids.map(buildShopPlan),
    request: null,
  };
}

function buildShopPlan(shop_id: number, position: number): ShopPlan<PublishAction> {
  return {
    shop_id,
    shop_name: `Shop ${shop_id}`,
    currency_code: 'USD',
    listing_id: null,
    action: {
      kind: 'publish',
      draft: {
        title: 'Oak bowl',
        description: 'Turned by hand.',
        listing_type: 'physical',
        taxonomy_id: 1,
        price: 40,
        quantity: 1,
        who_made: 'i_did',
        when_made: 'made_to_order',
        is_supply: false,
      },
      target: {},
      position,
    },
    names: {},
    warnings: [],
  };
}

/** A creation with a job; `draft` omits the job. */
export function buildListing(
  account_id: string,
  options: {
    key?: string;
    digest?: string;
    job_id?: string;
    draft?: boolean;
  } = {},
): NewListing {
  const listing: NewListing = {
    account_id,
    title: 'Oak bowl',
    state: options.draft ? 'draft' : 'publish',
    request: buildRequest(),
    warnings: [
      {
        code: 'ignored_field',
        fields: ['listing.sku'],
        reason: { code: 'stored_text', params: { text: 'for the test' } },
      },
    ],
    binding: { key: options.key ?? null, digest: options.digest ?? 'digest-1' },
  };
  if (options.draft) return listing;
  const { job_id = 'job_1' } = options;
  return { ...listing, job: { job_id, plan: buildPlan(), state: 'publish' } };
}
