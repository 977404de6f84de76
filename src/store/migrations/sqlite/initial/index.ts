import { IDENTITY } from './identity.js';
import { JOBS } from './jobs.js';
import { LISTINGS } from './listings.js';
import { ORDERS } from './orders.js';
import { SERVICE } from './service.js';
import { SHOPS } from './shops.js';
import { UPLOADS } from './uploads.js';
import { WEBHOOKS } from './webhooks.js';

/**
 * The tables that a new service.db begins with. Times are ISO 8601 UTC with milliseconds, JSON is text, booleans are 0 and 1,
 * and BLOBs are encrypted secrets. Each table comes after those that it refers to.
 */
export const INITIAL = [SERVICE, IDENTITY, SHOPS, UPLOADS, LISTINGS, JOBS, WEBHOOKS, ORDERS];
