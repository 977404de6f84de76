import type { Database } from '../store/database.js';
import { parseId, parseIdList, refuseUnknown } from './requests.js';
import type { JsonObject } from './requests.js';

/**
 * Time passes for listings: all, or these. Body: `{advance_ms, listing_ids?}`. Their creation, change of state and end lie that
 * much further back; the clock that tokens, limits and Date headers go by stays as it is. What is over then is ended with the next
 * call: after 120 days a listing is expired, or renewed for a fee.
 */
export function passTime(db: Database, body: JsonObject): Record<string, unknown> {
  refuseUnknown(body, ['advance_ms', 'listing_ids']);
  const advance_ms = parseId(body, 'advance_ms');
  const listing_ids = body.listing_ids === undefined ? null : parseIdList(body, 'listing_ids');
  const listings = db.run(
    `UPDATE listings SET created_at = created_at - ?, state_at = state_at - ?, ending_at = ending_at - ?
       WHERE ? IS NULL OR listing_id IN (SELECT value FROM json_each(?))`,
    advance_ms,
    advance_ms,
    advance_ms,
    listing_ids && JSON.stringify(listing_ids),
    JSON.stringify(listing_ids ?? []),
  );
  return { listings };
}
