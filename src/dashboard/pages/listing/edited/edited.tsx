import type { ConnectedShop } from '../../../../core/ports/index.js';
import { Action } from '../../../components/action.js';
import type { Framing } from '../../../page.js';
import { toBringInPath, toListingPath } from '../../../routes.js';
import { Differences } from '../../changes/values.js';
import { isMoving, type Detail } from '../detail.js';
import { buildReplacement } from './replace.js';

type Props = {
  visit: Framing;
  listing: Detail;
  standing: Detail['shops'][number];
  shop: ConnectedShop | undefined;
};

/** Fields that were edited on Etsy, with both values, and the choice between them. */
export function Edited({ visit, listing, standing, shop }: Props) {
  const { differs = [], listing_id } = standing;
  const canChoose = shop !== undefined && !shop.is_reconnect_required && !isMoving(listing);
  return (
    <div class="notice" data-tone="wait">
      <p>
        <strong>Edited on Etsy.</strong> Each line shows the value saved here, then the shop’s value.
      </p>
      <Differences
        diff={differs.map(({ field, ours, theirs }) => ({ field, before: ours, after: theirs }))}
        shop={shop}
      />
      {canChoose && listing_id !== null && (
        <div class="row">
          <Action
            visit={visit}
            to={toBringInPath(shop.shop_id)}
            label="Keep the shop’s version"
            about={`in ${shop.details.shop_name}`}
            variant="quiet"
            fields={{ listing: `${listing_id}` }}
          />
          {buildReplacement(differs) && (
            <Action
              visit={visit}
              to={`${toListingPath(listing.listing_pk)}/replace-edit`}
              label="Replace it with the one saved here…"
              about={`in ${shop.details.shop_name}`}
              variant="quiet"
              fields={{ shop_id: `${shop.shop_id}` }}
            />
          )}
        </div>
      )}
    </div>
  );
}
