import { IDENTITY } from './identity.js';
import { JOBS } from './jobs.js';
import { LIMITS } from './limits.js';
import { LISTINGS } from './listings.js';
import { ORDERS } from './orders.js';
import { SERVICE } from './service.js';
import { SHOPS } from './shops.js';
import { UPLOADS } from './uploads.js';
import { WEBHOOKS } from './webhooks.js';

/**
 * The tables that a new database begins with, the same as those of SQLite: times are ISO 8601 UTC with milliseconds, JSON is
 * text, booleans are 0 and 1, and BYTEA contains encrypted secrets. Text compares by its bytes, as in SQLite, and not by the
 * database's own collation. Each table comes after those that it refers to.
 */
export const INITIAL = [SERVICE, IDENTITY, SHOPS, UPLOADS, LISTINGS, JOBS, WEBHOOKS, ORDERS, LIMITS];
