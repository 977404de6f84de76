import type { CallOptions, Marketplace, ReceiptFilter, ReceiptPage, ShopRef } from '../ports/index.js';

const LIMIT = 100;

type Walk = Omit<ReceiptFilter, 'offset'>;

/**
 * Reads all pages of orders, oldest first. A page begins at the time where the last one ended, not at an
 * offset: an order that changes in the meantime moves to the end, and an offset would then skip the order
 * that takes its place. Orders on an edge come twice.
 */
export async function* walkReceipts(
  marketplace: Pick<Marketplace, 'listReceipts'>,
  shop: ShopRef,
  walk: Walk,
  options: CallOptions,
): AsyncGenerator<ReceiptPage> {
  const isByChange = walk.changed_from_s !== undefined;
  let from = (isByChange ? walk.changed_from_s : walk.created_from_s) ?? 0;
  let offset = 0;
  for (;;) {
    const start = isByChange ? { changed_from_s: from } : { created_from_s: from };
    const page = await marketplace.listReceipts(shop, { ...walk, ...start, offset }, options);
    yield page;
    if (page.is_last) return;
    // A second back, since the marketplace does not promise that a range includes its ends.
    const next = (page.last_at_s ?? 0) - 1;
    offset = next > from ? 0 : offset + LIMIT;
    from = Math.max(from, next);
  }
}

/**
 * Ids of the delivered orders of a range.
 * @param onPage called after each page, since there may be many
 */
export async function findDelivered(
  marketplace: Pick<Marketplace, 'listReceipts'>,
  shop: ShopRef,
  walk: Walk,
  options: CallOptions,
  onPage?: () => Promise<void>,
): Promise<Set<number>> {
  const ids = new Set<number>();
  for await (const page of walkReceipts(marketplace, shop, { ...walk, was_delivered: true }, options)) {
    for (const { receipt_id } of page.receipts) ids.add(receipt_id);
    await onPage?.();
  }
  return ids;
}
