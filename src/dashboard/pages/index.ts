import type { Core } from '../../core/core.js';
import type { Clock } from '../../core/ports/index.js';
import type { SessionCookie } from '../../pages/index.js';
import type { Tasks } from '../tasks.js';
import type { Page } from '../page.js';
import { accessPages } from './access/index.js';
import { createListingPages } from './listing/index.js';
import { createListings } from './listings.js';
import { orders } from './orders.js';
import { createOverview } from './overview.js';
import { createShopPages } from './shops/index.js';
import { createUploadPages } from './uploads/index.js';
import { webhookPages } from './webhooks/index.js';
import { createSignIn, createSignOut } from './sign_in.js';

export type PagesParts = {
  core: Core;
  cookie: SessionCookie;
  tasks: Tasks;
  clock: Clock;
  /** Where browsers reach the service. */
  base_url: string;
  /** Where errors are explained. */
  docs_url: string;
};

/** Every page of the dashboard. */
export function createPages(parts: PagesParts): Page[] {
  return [
    createSignIn(parts),
    createSignOut(parts),
    createOverview(parts.clock),
    createListings(parts.clock),
    ...createListingPages(parts.tasks, parts.clock),
    orders,
    ...createShopPages(parts),
    ...createUploadPages(parts.clock),
    ...webhookPages,
    ...accessPages,
  ];
}
