import type { Migration } from '../engine/sqlite/migrate.js';
import { service } from './0001_service.js';
import { accounts } from './0002_accounts.js';
import { shops } from './0003_shops.js';
import { categories } from './0004_categories.js';
import { uploads } from './0005_uploads.js';
import { listings } from './0006_listings.js';
import { webhooks } from './0007_webhooks.js';
import { sessions } from './0008_sessions.js';
import { delivering } from './0009_delivering.js';
import { orders } from './0010_orders.js';
import { connect_requests } from './0011_connect_requests.js';
import { grants } from './0013_grants.js';
import { accountNames } from './0014_account_names.js';
import { continuations } from './0016_continuations.js';
import { grantKeys } from './0017_grant_keys.js';
import { history } from './0020_history.js';
import { deliveryBuckets } from './0021_delivery_buckets.js';
import { countedEnds } from './0022_counted_ends.js';
import { restores } from './0024_restores.js';
import { held } from './0027_held.js';
import { quotasAndRetention } from './0033_quotas_and_retention.js';
import { limitedAccess } from './0034_limited_access.js';
import { listingTotals } from './0035_listings.js';
import { webhookFences } from './0036_webhooks.js';
import { identity } from './0037_identity.js';
import { presence } from './0038_presence.js';

/** In order; new ones go to the end. */
export const MIGRATIONS: readonly Migration[] = [
  service,
  accounts,
  shops,
  categories,
  uploads,
  listings,
  webhooks,
  sessions,
  delivering,
  orders,
  connect_requests,
  grants,
  accountNames,
  continuations,
  grantKeys,
  history,
  deliveryBuckets,
  countedEnds,
  restores,
  held,
  quotasAndRetention,
  limitedAccess,
  listingTotals,
  webhookFences,
  identity,
  presence,
];
