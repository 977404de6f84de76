import { NO_CONTENT, ok, type Answer } from '../requests/call.js';
import { toReply, type Endpoint, type Reply, type Request } from '../requests/endpoint.js';
import { addFaults, clearFaults, listFaults } from '../requests/faults.js';
import { INVENTED } from '../requests/messages.js';
import { toListingId, toQuery } from '../requests/pipeline.js';
import type { SandboxPorts } from '../ports.js';
import { buildRefusal, Refusal } from '../requests/refusal.js';
import { expireOrRenew } from '../rules/expiry.js';
import { announceListings } from '../rules/listing_events.js';
import { readSettings, saveSettings, type Settings } from '../settings.js';
import type { Database } from '../store/database.js';
import { listUse, findMade, saveApplication, type Application } from '../store/applications.js';
import { findListing, saveListing, type Listing, listAddedListings } from '../store/listings.js';
import { resetWorld } from '../store/seed.js';
import { expireAccessTokens, revokeTokensOfUser } from '../store/tokens.js';
import { editListing, enterState, parseState } from './edit.js';
import { equipShop } from './equip.js';
import { makeByHand } from './hand_made.js';
import { deliverQuietly, sellProduct, writeReceipt } from './receipts.js';
import {
  parseFaultRules,
  parseId,
  parseObject,
  parseSettings,
  type JsonObject,
  parseIdList,
  refuseUnknown,
} from './requests.js';
import {
  listFiles,
  listProperties,
  listQuestions,
  listTranslations,
  listVariationImages,
  listVideos,
} from '../store/attachments.js';
import { listFees } from '../store/fees.js';
import { findVariationValue } from '../store/inventory.js';
import { findBytes, listPictures } from '../store/pictures.js';

type ControlRequest = { body: JsonObject; request: Request };

/**
 * The control routes, for tests and demonstrations: they make changes that the marketplace would make by
 * itself. They need no key and have no limits, and answer only requests whose host is this machine. The
 * fields of a body are documented where they are read: makeByHand, editListing, sellProduct and passTime for
 * existing listings.
 */
export function listControls(
  db: Database,
  ports: SandboxPorts,
  settings: Partial<Settings>,
): readonly Endpoint[] {
  const endpoints: Endpoint[] = [];
  const add = (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    run: (controlRequest: ControlRequest) => Answer,
  ): void => {
    endpoints.push({ method, path: `/_sandbox${path}`, answer: (request) => control(request, run) });
  };

  add('GET', '/state', ({ request }) => {
    const shop_id = toQuery(request).get('shop_id');
    return ok(describeState(db, shop_id === undefined ? undefined : Number(shop_id)));
  });
  add('GET', '/faults', () => ok({ rules: listFaults(db) }));
  add('POST', '/faults', ({ body }) => {
    addFaults(db, parseFaultRules(body));
    return ok({ rules: listFaults(db) });
  });
  add('DELETE', '/faults', () => {
    clearFaults(db);
    return NO_CONTENT;
  });
  add('GET', '/settings', () => ok(readSettings(db, settings)));
  add('POST', '/settings', ({ body }) => {
    saveSettings(db, parseSettings(body));
    return ok(readSettings(db, settings));
  });
  add('POST', '/tokens/revoke', ({ body }) =>
    ok({ revoked: revokeTokensOfUser(db, parseId(body, 'user_id')) }),
  );
  add('POST', '/tokens/expire', ({ body }) =>
    ok({ expired: expireAccessTokens(db, parseId(body, 'user_id'), ports.nowMs()) }),
  );
  add('POST', '/listings/:listing_id/freeze', ({ body, request }) => {
    const listing = getListing(request);
    const isFrozen = body.is_frozen !== false;
    saveListing(db, { ...listing, is_frozen: isFrozen });
    return ok({ listing_id: listing.listing_id, is_frozen: isFrozen });
  });
  add('POST', '/listings/:listing_id/state', ({ body, request }) => {
    const listing = getListing(request);
    const state = parseState(body.state);
    saveListing(db, enterState(listing, state, ports.nowMs()));
    return ok({ listing_id: listing.listing_id, state });
  });
  add('GET', '/applications', () => ok(listUse(db)));
  add('POST', '/applications', ({ body }) => ok(writeApplication(db, body)));
  add('POST', '/listings', ({ body }) => ok(makeByHand(db, body, ports.nowMs())));
  add('POST', '/listings/:listing_id/edit', ({ body, request }) => {
    const { listing_id } = editListing(db, getListing(request), body, ports.nowMs());
    return ok({ listing_id });
  });
  add('POST', '/listings/:listing_id/sell', ({ body, request }) =>
    ok(sellProduct(db, ports, getListing(request), body)),
  );
  add('POST', '/clock', ({ body }) => ok(passTime(db, body)));
  add('POST', '/shops/equip', ({ body }) => ok(equipShop(db, body)));
  add('POST', '/receipts', ({ body }) => ok(writeReceipt(db, ports, body)));
  add('POST', '/receipts/deliver-quietly', ({ body }) => ok(deliverQuietly(db, body)));
  add('POST', '/reset', ({ body }) => {
    resetWorld(db, body.forget_grants === true);
    return NO_CONTENT;
  });

  return endpoints;

  function getListing(request: Request): Listing {
    const listing = findListing(db, toListingId(request) ?? 0);
    if (!listing) throw buildRefusal(404, INVENTED.listing_not_found);
    return listing;
  }

  function control(request: Request, run: (controlRequest: ControlRequest) => Answer): Reply {
    try {
      refuseForeignHost(request);
      const body = parseBody(request);
      const world = { db, ports, now_ms: ports.nowMs() };
      const listing_id = toListingId(request);
      return toReply(
        db.write(() => {
          expireOrRenew(db, world.now_ms);
          return announceListings(world, listing_id, () => run({ body, request }));
        }),
      );
    } catch (error) {
      if (error instanceof Refusal) return toReply({ status: error.status, body: error.body });
      throw error;
    }
  }
}

// Refuses requests from web pages: a page whose host name resolves to this machine (DNS rebinding) must not
// reach the control routes.
function refuseForeignHost(request: Request): void {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(host) || request.headers.origin !== undefined) {
    throw buildRefusal(403, 'The control routes answer on loopback only.');
  }
}

function parseBody(request: Request): JsonObject {
  const text = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
  if (text === '') return {};
  try {
    return parseObject(JSON.parse(text));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw buildRefusal(400, INVENTED.json_malformed);
  }
}

/**
 * Creates an application, or changes the given fields of one that was created here. Body: `{keystring,
 * shared_secret, user_id?, rate_per_second?, rate_per_day?, is_revoked?}`; with a user_id, only that user can
 * give it a grant.
 */
function writeApplication(db: Database, body: JsonObject): Application {
  const keystring = parseWord(body, 'keystring');
  const before = findMade(db, keystring);
  return saveApplication(db, {
    keystring,
    shared_secret:
      body.shared_secret === undefined && before ? before.shared_secret : parseWord(body, 'shared_secret'),
    user_id: parseCount(body, 'user_id') ?? before?.user_id ?? null,
    rate_per_second: parseCount(body, 'rate_per_second') ?? before?.rate_per_second ?? null,
    rate_per_day: parseCount(body, 'rate_per_day') ?? before?.rate_per_day ?? null,
    is_revoked: body.is_revoked === undefined ? (before?.is_revoked ?? false) : body.is_revoked === true,
  });
}

function parseWord(body: JsonObject, name: string): string {
  const value = body[name];
  if (typeof value === 'string' && /^[^\s:]+$/.test(value)) return value;
  throw buildRefusal(400, `${name} must be a text without spaces and colons.`);
}

function parseCount(body: JsonObject, name: string): number | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
  throw buildRefusal(400, `${name} must be a positive integer.`);
}

/**
 * Lets time pass for all listings, or for these. Body: `{advance_ms, listing_ids?}`. Their times of creation,
 * change of state and end move back by that much; the clock for tokens, limits and Date headers is
 * unaffected. The next call ends listings whose time is over: after 120 days a listing is expired, or renewed
 * for a fee.
 */
function passTime(db: Database, body: JsonObject): Record<string, unknown> {
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

/**
 * Everything that was created since the seed, for assertions: raw text, amounts in hundredths, times in
 * milliseconds.
 */
function describeState(db: Database, shop_id: number | undefined): Record<string, unknown> {
  return {
    listings: listAddedListings(db, shop_id).map((listing) => describeListingState(db, listing)),
    fees: listFees(db).filter((fee) => shop_id === undefined || fee.shop_id === shop_id),
    calls: Object.fromEntries(
      db
        .list<{ operation: string; calls: number }>('SELECT * FROM operation_calls ORDER BY operation')
        .map((row) => [row.operation, row.calls]),
    ),
  };
}

function describeListingState(db: Database, listing: Listing): Record<string, unknown> {
  const { listing_id } = listing;
  const sizeOf = (sha256: string | null): number | null =>
    sha256 === null ? null : (findBytes(db, sha256)?.size_bytes ?? null);
  return {
    ...listing,
    images: listPictures(db, listing_id).map((picture) => ({
      ...picture,
      size_bytes: sizeOf(picture.sha256),
    })),
    properties: listProperties(db, listing_id),
    videos: listVideos(db, listing_id).map((video) => ({ ...video, size_bytes: sizeOf(video.sha256) })),
    files: listFiles(db, listing_id),
    variation_images: listVariationImages(db, listing_id).map((image) => ({
      ...image,
      value: findVariationValue(listing.inventory, image.property_id, image.value_id) ?? null,
    })),
    personalization: listQuestions(db, listing_id),
    translations: listTranslations(db, listing_id),
  };
}
