import { toPictureUrl } from '../answers/picture.js';
import { encodeEntities } from '../answers/text.js';
import type { Database } from '../store/database.js';
import type { Listing } from '../store/listings.js';
import { listPictures } from '../store/pictures.js';
import { listListings } from '../store/listings.js';
import type { Shop } from '../store/shops.js';
import { buildPage } from './layout.js';

/** A listing as a page for people; drafts are shown too, and labeled as such. */
export function buildListingPage(db: Database, shop: Shop, listing: Listing): string {
  const { fields, state } = listing;
  const pictures = listPictures(db, listing.listing_id).map(
    (picture) =>
      `<img src="${toPictureUrl('', picture.listing_image_id, '570xN')}" alt="${encodeEntities(picture.alt_text)}">`,
  );
  const price = `${(fields.price_amount / 100).toFixed(2)} ${shop.data.currency_code}`;
  return buildPage(
    fields.title,
    `<h1>${encodeEntities(fields.title)}</h1>
<p><a href="/shop/${encodeURIComponent(shop.shop_name)}">${encodeEntities(shop.shop_name)}</a>,
${encodeEntities(price)}, ${fields.quantity} in stock, state: ${encodeEntities(state)}</p>
<div class="pictures">${pictures.join('')}</div>
<pre>${encodeEntities(fields.description)}</pre>
${buildVariations(listing, shop)}
<p>${fields.tags.map((tag) => `#${encodeEntities(tag)}`).join(' ')}</p>`,
  );
}

const SHOWN_LISTINGS = 60;

export function buildShopPage(db: Database, shop: Shop): string {
  const page = { limit: SHOWN_LISTINGS, offset: 0 };
  const { listings } = listListings(db, ['shop_id = ?'], [shop.shop_id], page);
  const items = listings.map(
    (listing) =>
      `<li><a href="/listing/${listing.listing_id}/">${encodeEntities(listing.fields.title)}</a> (${listing.state})</li>`,
  );
  return buildPage(
    shop.shop_name,
    `<h1>${encodeEntities(shop.shop_name)}</h1><p>${encodeEntities(shop.data.title)}</p><ul>${items.join('')}</ul>`,
  );
}

function buildVariations(listing: Listing, shop: Shop): string {
  if (!listing.fields.has_variations) return '';
  const rows = listing.inventory.products.map(({ property_values, offering, sku }) => {
    const name = property_values
      .map((value) => `${value.property_name}: ${value.values.join(', ')}`)
      .join(' / ');
    const price = (offering.price_amount / 100).toFixed(2);
    const stock = offering.is_enabled ? String(offering.quantity) : 'hidden';
    return `<li>${encodeEntities(`${name} (${price} ${shop.data.currency_code}, ${stock}, ${sku || 'no SKU'})`)}</li>`;
  });
  return `<h2>Variations</h2><ul>${rows.join('')}</ul>`;
}
