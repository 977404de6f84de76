import type { Marketplace } from '../core/ports/index.js';
import type { Send } from './call.js';
import { encodeForm } from './encode.js';
import { toChangesForm, toListing, toListingForm } from './map/listing.js';
import { createReader } from './map/read.js';
import { listPages } from './pages.js';

type Listings = Pick<
  Marketplace,
  'createDraftListing' | 'getListing' | 'listDraftListings' | 'updateListing' | 'activateListing'
>;

export function createListingCalls(send: Send): Listings {
  const read = createReader(false);
  const written = createReader(true);
  return {
    async createDraftListing(shop, draft, options) {
      const body = encodeForm(toListingForm(draft));
      const answer = await send({ operation_id: 'createDraftListing', shop, body, options });
      return toListing(written, written.object(answer));
    },
    async getListing(shop, listing_id, options) {
      const answer = await send({ operation_id: 'getListing', shop, path: { listing_id }, options });
      return toListing(read, read.object(answer));
    },
    async listDraftListings(shop, options) {
      const wires = await listPages(read, (page) =>
        send({ operation_id: 'getListingsByShop', shop, query: { state: 'draft', ...page }, options }),
      );
      return wires.map((wire) => toListing(read, wire));
    },
    async updateListing(shop, listing_id, listing_type, changes, options) {
      const body = encodeForm(toChangesForm(listing_type, changes));
      const answer = await send({ operation_id: 'updateListing', shop, path: { listing_id }, body, options });
      return toListing(written, written.object(answer));
    },
    async activateListing(shop, listing_id, listing_type, options) {
      const body = encodeForm({ ...toChangesForm(listing_type, {}), state: 'active' });
      const answer = await send({ operation_id: 'updateListing', shop, path: { listing_id }, body, options });
      return toListing(written, written.object(answer));
    },
  };
}
