import type { Core } from '../../core/core.js';
import type { SessionCookie } from '../../pages/index.js';
import type { Errands } from '../errands.js';
import type { Page } from '../page.js';
import { createListingPages } from './listing/index.js';
import { listings } from './listings.js';
import { overview } from './overview.js';
import { createSignIn, createSignOut } from './sign_in.js';

export type PagesParts = { core: Core; cookie: SessionCookie; errands: Errands };

/** Every page of the dashboard. */
export function createPages(parts: PagesParts): Page[] {
  return [
    createSignIn(parts),
    createSignOut(parts),
    overview,
    listings,
    ...createListingPages(parts.errands),
  ];
}
