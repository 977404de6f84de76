import type { Core } from '../../core/core.js';
import type { Clock } from '../../core/ports/index.js';
import type { SessionCookie } from '../../pages/index.js';
import { createShownOnce } from '../shown_once.js';
import type { Tasks } from '../tasks.js';
import type { Page } from '../page.js';
import { createLiveStreams } from '../live_streams.js';
import { createAccessPages } from './access/index.js';
import { createChangePages } from './changes/index.js';
import { createListingPages } from './listing/index.js';
import { createListings } from './listings.js';
import { createOrders } from './orders.js';
import { settings } from './settings.js';
import { createToday } from './today.js';
import { createShopPages } from './shops/index.js';
import { createUploadPages } from './uploads/index.js';
import { createWebhookPages } from './webhooks/index.js';
import { createSignIn, createSignOut } from './sign_in.js';

type PagesParts = {
  core: Core;
  cookie: SessionCookie;
  tasks: Tasks;
  clock: Clock;
  /** The address at which browsers reach the service. */
  base_url: string;
  /** The address of the explanations of errors. */
  docs_url: string;
  /** Omitted if a server runs by itself. */
  local?: LocalPages | undefined;
};

/** Options for pages that an assistant's own process serves on the seller's computer. */
export type LocalPages = {
  /**
   * Another program has the port of the callback address, so the seller pastes the address that the browser
   * landed on.
   */
  is_pasted: boolean;
  /** Called when someone opens the pages without a link. They ask for a code. */
  onCodeWanted: () => void;
};

/** Every page of the dashboard. */
export function createPages(parts: PagesParts): Page[] {
  const { base_url, core, local } = parts;
  const streams = createLiveStreams();
  const shown_once = createShownOnce({ base_url, continuations: core.continuations });
  return [
    createSignIn({ ...parts, onCodeWanted: local?.onCodeWanted }),
    createSignOut(parts),
    createToday(parts.clock),
    createListings(parts.clock),
    ...createListingPages(parts.tasks, parts.clock, streams),
    ...createChangePages(streams, parts.clock),
    createOrders(parts.clock),
    ...createShopPages({ ...parts, is_pasted: local?.is_pasted ?? false }),
    settings,
    ...createUploadPages(parts.clock),
    ...createWebhookPages(shown_once),
    ...createAccessPages(shown_once),
  ];
}
