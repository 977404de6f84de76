import type { Transaction } from 'kysely';
import type { ListingRequest } from '../../../schemas/listing_request.js';
import type { Tables } from '../schema.js';

/** The columns that searches use. `words`: its title and its SKUs, folded, a line each. `shops`: a mark for each of its shops. */
export function toSearchRow({ listing, variations, shops }: ListingRequest): {
  words: string;
  shops: string;
} {
  const skus = [listing.sku, ...(variations?.offerings ?? []).map(({ sku }) => sku)];
  return {
    words: fold([listing.title, ...skus.filter((sku) => sku)].join('\n')),
    shops: shops.map(({ shop_id }) => toShopMark(shop_id)).join(''),
  };
}

/** No part of another one. */
export function toShopMark(shop_id: number): string {
  return `,${shop_id},`;
}

/** The words of a search; a result has each of them somewhere. */
export function toSearchWords(keywords: string): string[] {
  return fold(keywords)
    .split(/\s+/)
    .filter((word) => word !== '');
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Call it where the listing's request is written, in the same transaction. */
export async function saveSearchRow(
  trx: Transaction<Tables>,
  { account_id, listing_pk }: { account_id: string; listing_pk: number },
  request: ListingRequest,
): Promise<void> {
  const row = toSearchRow(request);
  await trx
    .insertInto('listing_words')
    .values({ account_id, listing_pk, ...row })
    .onConflict((conflict) => conflict.columns(['account_id', 'listing_pk']).doUpdateSet(row))
    .execute();
}
