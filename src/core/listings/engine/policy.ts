import { MarketplaceError } from '../../ports/index.js';
import { isCutOff } from './failures.js';
import type { Context, Policy } from './context.js';

export const PUBLISHING_POLICY: Policy = {
  repeats_writes: true,
  trusts_answers: true,
  tolerates_refusals: true,
  is_parallel: true,
  words: {
    image: (index, total) => `image ${index + 1} of ${total}`,
    file: (index, total) => `file ${index + 1} of ${total}`,
    inventory: ({ products }) => (products.length > 1 ? `${products.length} variations` : 'SKU'),
    variation_images: 'variation photos',
  },
};

export const CHANGING_POLICY: Policy = {
  repeats_writes: false,
  trusts_answers: false,
  tolerates_refusals: false,
  is_parallel: false,
  words: {
    image: (index) => `photo ${index + 1}`,
    file: (index) => `file ${index + 1}`,
    inventory: () => 'price, stock and SKUs',
    variation_images: 'photos of variations',
  },
};

/** Returns the refusal of an optional part. Throws the cause if the shop fails because of it. */
export function expectTolerable({ policy }: Pick<Context, 'policy'>, cause: unknown): MarketplaceError {
  const isTolerable = policy.tolerates_refusals && cause instanceof MarketplaceError && !isCutOff(cause);
  if (isTolerable) return cause;
  throw cause;
}

/** Runs writes that do not depend on each other. */
export async function runEach<Item, Result>(
  { policy }: Pick<Context, 'policy'>,
  items: readonly Item[],
  run: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  if (policy.is_parallel) return Promise.all(items.map(run));
  const results: Result[] = [];
  for (const [index, item] of items.entries()) results.push(await run(item, index));
  return results;
}
