import { setMaxListeners } from 'node:events';
import { listControls } from './control/routes.js';
import { toReply, type Endpoint, type Outcome, type Request } from './requests/endpoint.js';
import { VERBATIM } from './requests/messages.js';
import { listPages } from './pages/serve.js';
import { createPipeline, TOKEN_PATH } from './requests/pipeline.js';
import type { SandboxPorts } from './ports.js';
import { readSettings, type Settings } from './settings.js';
import type { Database } from './store/database.js';
import { seedOnce } from './store/seed.js';
import { issueTokens, type TokenPair } from './store/tokens.js';
import { saveSubscription, type Subscription } from './store/webhook_messages.js';
import { createMessenger, type Messenger } from './webhooks.js';
import { SANDBOX_APP } from './world/shops.js';
import type { Route } from './requests/call.js';
import { ACCOUNT_ROUTES } from './routes/account.js';
import { IMAGE_ROUTES } from './routes/images.js';
import { INVENTORY_ROUTES } from './routes/inventory.js';
import { LISTING_ROUTES } from './routes/listings.js';
import { SEARCH_ROUTES } from './routes/search.js';
import { SHOP_ROUTES } from './routes/shops.js';
import { TAXONOMY_ROUTES } from './routes/taxonomy.js';
import { FILE_ROUTES } from './routes/files.js';
import { PERSONALIZATION_ROUTES } from './routes/personalization.js';
import { PROPERTY_ROUTES } from './routes/properties.js';
import { RECEIPT_ROUTES } from './routes/receipts.js';
import { TRANSLATION_ROUTES } from './routes/translations.js';
import { VARIATION_IMAGE_ROUTES } from './routes/variation_images.js';
import { VIDEO_ROUTES } from './routes/videos.js';

const API_PREFIX = '/v3/application';

type MarketplaceOptions = {
  db: Database;
  ports: SandboxPorts;
  /** Defaults; settings posted to the control routes override them. */
  settings: Partial<Settings>;
  /** Opens the routes under /_sandbox. */
  control: boolean;
  /** Webhook destination; by default the one saved before. */
  webhook: Subscription | undefined;
  /** The origin of URLs in a response. */
  toOrigin(request: Request): string;
};

/** The marketplace itself, without a server in front. */
export type SandboxMarketplace = {
  endpoints: readonly Endpoint[];
  /** Answers a request that matches no endpoint. */
  answerUnknown(request: Request): Outcome | Promise<Outcome>;
  messenger: Messenger;
  /** Issues tokens as if the user had completed the consent, for the first application unless one is named. */
  issueGrant(user_id: number, scopes: readonly string[], keystring?: string): TokenPair;
  /** Drops pending responses. */
  close(): Promise<void>;
};

/** Seeds the database on the first run. */
export function createSandboxMarketplace(options: MarketplaceOptions): SandboxMarketplace {
  const { db, ports, settings, toOrigin } = options;
  const closing = new AbortController();
  // Every waiting call adds a listener, and any number may wait at once.
  setMaxListeners(0, closing.signal);
  seedOnce(db);
  if (options.webhook) saveSubscription(db, options.webhook);
  const messenger = createMessenger(db, ports, settings);
  const pause = (duration_ms: number) => ports.sleep(duration_ms, closing.signal);
  const pipeline = createPipeline({ db, ports, settings, pause, toOrigin });
  return {
    endpoints: [
      ...ROUTES.map((route): Endpoint => {
        const { method, path } = route;
        return { method, path: API_PREFIX + path, answer: (request) => pipeline.serve(route, request) };
      }),
      { method: 'POST', path: TOKEN_PATH, answer: pipeline.serveToken },
      ...listPages(db, ports),
      ...(options.control ? listControls(db, ports, settings) : []),
    ],
    answerUnknown: (request) =>
      request.url.startsWith(`${API_PREFIX}/`)
        ? pipeline.serve(undefined, request)
        : toReply({ status: 404, body: { error: VERBATIM.not_found } }),
    messenger,
    issueGrant: (user_id, scopes, keystring = SANDBOX_APP.keystring) =>
      db.write(() => {
        const { access_token_ttl_s } = readSettings(db, settings);
        return issueTokens(db, ports, { user_id, scopes, keystring }, access_token_ttl_s);
      }),
    async close() {
      closing.abort();
      await messenger.close();
    },
  };
}

/** All operations of the marketplace that the sandbox has. */
export const ROUTES: readonly Route[] = [
  ...ACCOUNT_ROUTES,
  ...SHOP_ROUTES,
  ...TAXONOMY_ROUTES,
  ...LISTING_ROUTES,
  ...SEARCH_ROUTES,
  ...INVENTORY_ROUTES,
  ...IMAGE_ROUTES,
  ...FILE_ROUTES,
  ...PERSONALIZATION_ROUTES,
  ...PROPERTY_ROUTES,
  ...RECEIPT_ROUTES,
  ...TRANSLATION_ROUTES,
  ...VARIATION_IMAGE_ROUTES,
  ...VIDEO_ROUTES,
];
