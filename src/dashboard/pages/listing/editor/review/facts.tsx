import type { ListingRequest } from '../../../../../../schemas/listing_request.js';
import type { ConnectedShop } from '../../../../../core/ports/index.js';
import { Foreign } from '../../../../../pages/index.js';
import { toPreview } from '../../../../components/file_address.js';
import { describePolicy } from '../../../shops/words.js';
import { describeMaking } from '../../product/product.js';
import { describeProcessing } from '../shops.js';
import { readPhotos, shopField, type Values } from '../values.js';

/** The photos in their order, the main one first. */
export function ReviewPhotos({ values }: { values: Values }) {
  const previews = readPhotos(values).flatMap(({ url }) => toPreview(url) ?? []);
  if (previews.length === 0) return null;
  return (
    <div class="row">
      {previews.map((src) => (
        <img class="photo review-photo" src={src} alt="" width={80} height={80} key={src} />
      ))}
    </div>
  );
}

/** The description, and who made it and when. */
export function ReviewWords({ request: { listing } }: { request: ListingRequest }) {
  const making = describeMaking(listing);
  return (
    <>
      <details>
        <summary>Description</summary>
        <p class="pre-line">
          <Foreign text={listing.description} />
        </p>
      </details>
      {making && <p class="note">Made: {making}</p>}
    </>
  );
}

type ShopFactsProps = { shop: ConnectedShop; values: Values };

/** The profiles that are used in a shop, by name. */
export function ShopFacts({ shop: { shop_id, details, lists }, values }: ShopFactsProps) {
  const read = (name: string) => values.get(name) ?? '';
  const shipping = lists.shipping_profiles.find(
    (profile) => String(profile.shipping_profile_id) === read(shopField.shipping(shop_id)),
  );
  const policy = lists.return_policies.find(
    ({ return_policy_id }) => String(return_policy_id) === read(shopField.returns(shop_id)),
  );
  const processing = lists.processing_profiles.find(
    ({ readiness_state_id }) => String(readiness_state_id) === read(shopField.processing(shop_id)),
  );
  const facts: [string, string | undefined][] = [
    ['Shipping profile', shipping?.title],
    ['Return policy', policy && describePolicy(policy)],
    ['Processing profile', processing && describeProcessing(processing)],
  ];
  return (
    <section class="stack tight">
      <h2>
        <Foreign text={details.shop_name} />
      </h2>
      <dl class="facts">
        {facts.map(
          ([name, value]) =>
            value !== undefined && (
              <>
                <dt>{name}</dt>
                <dd>
                  <Foreign text={value} />
                </dd>
              </>
            ),
        )}
      </dl>
    </section>
  );
}
