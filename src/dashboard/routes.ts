import type { Page } from './page.js';

export const PREFIX = '/dashboard';

export function toListingPath(listing_pk: number): string {
  return `${PREFIX}/listings/${listing_pk}`;
}

export function toShopPath(shop_id: string | number): string {
  return `${PREFIX}/shops/${shop_id}`;
}

/** The page to choose the shops to import listings from. */
export const BRING_IN = `${PREFIX}/bring-in`;

/** The page to choose which listings of a shop to import. */
export function toBringInPath(shop_id: string | number): string {
  return `${toShopPath(shop_id)}/bring-in`;
}

export function toDeliveryPath(delivery_id: number): string {
  return `${PREFIX}/webhooks/deliveries/${delivery_id}`;
}

type Match = { page: Page; params: Record<string, string> };

/** The page at a path, or undefined. A page without parameters takes precedence over one with parameters. */
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

/** No page is deeper. This bounds the work for a path with very many parts. */
const MOST_PARTS = 10;

/**
 * The page with the form that is posted to a path: the page at that path, or the nearest one above it that
 * can be opened.
 */
export function toFormPath(path: string, findPage: (path: string) => Match | undefined): string {
  const parts = path.split('/').slice(0, MOST_PARTS);
  for (; parts.length > 2; parts.pop()) {
    const page = findPage(parts.join('/'))?.page;
    if (page?.get && !page.is_public) return parts.join('/');
  }
  return PREFIX;
}

function toPattern(path: string): RegExp {
  const source = path
    .split('/')
    .map((part) => part.replace(/^\{(\w+)\}$/, '(?<$1>[^/]+)'))
    .join('/');
  return new RegExp(`^${source}$`);
}
