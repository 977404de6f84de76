import { createAccounts, type Accounts } from './identity/accounts.js';
import { createBatches, type Batches } from './batches/batches.js';
import { createSheetExports, type SheetExports } from './batches/sheets/export.js';
import { createCategories, type Categories } from './shops/categories.js';
import { createConnecting, type Connecting } from './shops/connecting.js';
import { createContinuations, type Continuations } from './operations/continuations.js';
import { createDeliveries, type Deliveries } from './webhooks/deliveries/deliveries.js';
import { createOutbox, type Outbox } from './webhooks/deliveries/outbox.js';
import { createEndpoints, type Endpoints } from './webhooks/endpoints.js';
import { createGrants, type Grants } from './identity/grants/grants.js';
import { createEvents, type Events } from './webhooks/events.js';
import { createListings, type Listings } from './listings/listings.js';
import { createShopListings, type ListShopListings } from './listings/shop_listings.js';
import { createSightingReader } from './listings/observed/sighting_reader.js';
import { createRefreshListings } from './listings/observed/refresh_listings.js';
import { createRefreshSchedule, type RefreshSchedule } from './listings/observed/refresh_schedule.js';
import { createOrders, type Orders } from './orders/orders.js';
import type { Ports } from './ports/index.js';
import { createQuotas, type Quotas } from './operations/quotas.js';
import { createSavedFilters, type SavedFilters } from './listings/saved_filters.js';
import { createSearch, type Search } from './shops/search.js';
import { createSessions, type Sessions } from './identity/sessions.js';
import type { Settings } from './settings.js';
import { createShops, type Shops } from './shops/shops.js';
import { createSuggestions, type Suggestions } from './shops/suggestions.js';
import { createSweeper, type Sweeper } from './sweeper.js';
import { createThumbnails, type Thumbnails } from './uploads/thumbnails.js';
import { createUploads, type Uploads } from './uploads/uploads.js';

/** The functions of the service, by subject. Each operation in tools/ calls one of them. */
export type Core = {
  accounts: Accounts;
  sessions: Sessions;
  grants: Grants;
  listings: Listings;
  saved_filters: SavedFilters;
  batches: Batches;
  /** Exports of listings as sheets. */
  sheets: SheetExports;
  shops: Shops;
  listShopListings: ListShopListings;
  connecting: Connecting;
  categories: Categories;
  search: Search;
  uploads: Uploads;
  quotas: Quotas;
  thumbnails: Thumbnails;
  endpoints: Endpoints;
  deliveries: Deliveries;
  events: Events;
  orders: Orders;
  /** Reads managed listings again. */
  refreshes: RefreshSchedule;
  outbox: Outbox;
  continuations: Continuations;
  suggestions: Suggestions;
  sweeper: Sweeper;
};

export function createCore(ports: Ports, settings: Settings): Core {
  const shops = createShops(ports);
  const categories = createCategories(ports);
  const uploads = createUploads(ports, settings);
  const endpoints = createEndpoints(ports);
  const continuations = createContinuations(ports);
  const outbox = createOutbox(ports, endpoints);
  const events = createEvents(ports, outbox);
  const refreshes = createRefreshSchedule(ports, createRefreshListings(ports));
  const listings = createListings(
    {
      ...ports,
      shops,
      categories,
      uploads,
      continuations,
      sighting_reader: createSightingReader({ ...ports, shops }),
    },
    settings,
  );
  const sheets = createSheetExports({ ...ports, shops }, settings);
  return {
    accounts: createAccounts(ports),
    sessions: createSessions(ports),
    grants: createGrants(ports, settings),
    shops,
    listShopListings: createShopListings({ ...ports, shops }),
    connecting: createConnecting(ports, shops, settings),
    categories,
    search: createSearch(ports),
    uploads,
    quotas: createQuotas(ports, settings),
    thumbnails: createThumbnails(ports, uploads),
    endpoints,
    deliveries: createDeliveries(ports, endpoints, outbox),
    events,
    orders: createOrders(ports, events, refreshes, settings),
    refreshes,
    outbox,
    continuations,
    suggestions: createSuggestions(shops, categories),
    sweeper: createSweeper(ports, settings),
    listings,
    saved_filters: createSavedFilters(ports, settings),
    batches: createBatches({ ...ports, shops, continuations, listings, events, uploads, sheets }, settings),
    sheets,
  };
}
