import type { Page } from './page.js';

export const PREFIX = '/dashboard';

export function toListingPath(listing_pk: number): string {
  return `${PREFIX}/listings/${listing_pk}`;
}

export function toShopPath(shop_id: string | number): string {
  return `${PREFIX}/shops/${shop_id}`;
}

export function toDeliveryPath(delivery_id: number): string {
  return `${PREFIX}/webhooks/deliveries/${delivery_id}`;
}

export type Match = { page: Page; params: Record<string, string> };

/** The page of a path, or undefined. A page without parameters wins over one with. */
export function createRoutes(pages: readonly Page[]): (path: string) => Match | undefined {
  const routes = pages.map((page) => ({ page, pattern: toPattern(PREFIX + page.path) }));
  return (path) => {
    const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
    const plain = routes.find(({ page }) => PREFIX + page.path === trimmed);
    if (plain) return { page: plain.page, params: {} };
    for (const { page, pattern } of routes) {
      const match = pattern.exec(trimmed);
      if (match) return { page, params: { ...match.groups } };
    }
    return undefined;
  };
}

function toPattern(path: string): RegExp {
  const source = path
    .split('/')
    .map((part) => part.replace(/^\{(\w+)\}$/, '(?<$1>[^/]+)'))
    .join('/');
  return new RegExp(`^${source}$`);
}
