import type { Prompt } from './prompt.js';

export const changePrice: Prompt = {
  name: 'change_price',
  title: 'Change a price everywhere',
  description: 'Changes the price of a listing, or of one of its variations, in all shops that have it.',
  needs: ['listings_list', 'listing_get', 'listing_update'],
  arguments: [
    { name: 'listing', description: 'Its title, or its listing_pk', required: true },
    {
      name: 'price',
      description: 'The new price; each shop has it in its own currency',
      required: true,
    },
    { name: 'variation', description: 'A SKU or option values; all when left out', required: false },
  ],
  build: ({
    listing,
    price,
    variation,
  }) => `Change the price of ${variation ? `${variation} of ` : ''}the listing ${listing} to ${price} in all of my shops that have it.

1. Find it with listings_list, and read it with listing_get. If several fit, ask me which one.
2. ${variation ? 'Send changes.offerings with that one alone, by its sku or its option values, and the new price.' : 'If its offerings have prices of their own, send changes.offerings with each of them; else send changes.listing.price.'} Change nothing else, and never send the whole listing.
3. If my shops have different currencies, ask me for the price of each; it is not converted. Give those in calls with shops naming the shops of one currency.
4. Call listing_update with dry_run true, and show me for each shop the price before and after, and every warning.
5. Call it again without dry_run only after I have said yes. Where a shop answers DRIFT, somebody has changed that price there: show me both, and use on_drift overwrite only if I say so.
6. Tell me for each shop the price that it has now.`,
};
