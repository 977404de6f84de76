import type { Fields } from '../requests/call.js';
import { toReply, type Endpoint, type Reply, type Request } from '../requests/endpoint.js';
import { VERBATIM } from '../requests/messages.js';
import { issueCode, parseConsentRequest } from '../oauth.js';
import type { ConsentRequest } from '../oauth.js';
import { toForm, toParams, toQuery } from '../requests/pipeline.js';
import type { SandboxPorts } from '../ports.js';
import type { Database } from '../store/database.js';
import { findListing } from '../store/listings.js';
import { findBytes, findPicture } from '../store/pictures.js';
import { findShop, findShopOfUser, listShops } from '../store/shops.js';
import { SANDBOX_BUYER, SANDBOX_SHOPS } from '../world/shops.js';
import { buildConsentPage, buildProblemPage, type Grantor } from './consent.js';
import { drawPicture } from './drawing.js';
import { buildListingPage, buildShopPage } from './listing.js';

const CSP = "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/** Pages for a browser: the consent page, listings and shops, and the pictures and videos themselves. */
export function listPages(db: Database, ports: SandboxPorts): readonly Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/oauth/connect',
      answer(request) {
        const fields = toQuery(request);
        return withConsent(db, fields, (consent) =>
          toPage(200, buildConsentPage(fields, consent, listGrantors(consent))),
        );
      },
    },
    {
      method: 'POST',
      path: '/oauth/connect',
      answer(request) {
        const fields = toForm(request);
        return withConsent(db, fields, (consent) => decide(fields, consent));
      },
    },
    { method: 'GET', path: '/listing/:listing_id/*', answer: showListing },
    { method: 'GET', path: '/listing/:listing_id', answer: showListing },
    {
      method: 'GET',
      path: '/shop/:shop_name',
      answer(request) {
        const { shop_name } = toParams(request);
        const shop = listShops(db).find((candidate) => candidate.shop_name === shop_name);
        return shop ? toPage(200, buildShopPage(db, shop)) : NOT_FOUND;
      },
    },
    {
      method: 'GET',
      path: '/img/:listing_image_id/:file',
      answer(request) {
        const { listing_image_id } = toParams(request);
        const id = Number(listing_image_id);
        const picture = findPicture(db, Number.isSafeInteger(id) ? id : 0);
        const isVideoStill = !picture && db.find('SELECT 1 FROM videos WHERE video_id = ?', id) !== undefined;
        if (picture?.sha256) return toBytes(db, picture.sha256);
        if (!picture && !isVideoStill) return NOT_FOUND;
        return toHeld('image/png', drawPicture(id));
      },
    },
    {
      method: 'GET',
      path: '/video/:file',
      answer(request) {
        const { file } = toParams(request);
        const video = db.find<{ sha256: string }>(
          'SELECT sha256 FROM videos WHERE video_id = ?',
          Number.parseInt(file ?? '', 10) || 0,
        );
        return video ? toBytes(db, video.sha256) : NOT_FOUND;
      },
    },
  ];

  function showListing(request: Request): Reply {
    const { listing_id } = toParams(request);
    const listing = findListing(db, Number(listing_id) || 0);
    const shop = listing && findShop(db, listing.shop_id);
    if (!listing || !shop) return NOT_FOUND;
    return toPage(200, buildListingPage(db, shop, listing));
  }

  /** The sellers who can consent: for an application of a seller's own, only that seller. */
  function listGrantors({ application }: ConsentRequest): Grantor[] {
    const { user_id } = application;
    const shop = user_id === null ? undefined : findShopOfUser(db, user_id);
    if (shop) return [{ user_id: shop.user_id, name: `${shop.shop_name}, ${shop.data.title}` }];
    const owners = SANDBOX_SHOPS.map((seeded) => ({
      user_id: seeded.user_id,
      name: `${seeded.shop_name}, ${seeded.data.title}`,
    }));
    return [...owners, SANDBOX_BUYER];
  }

  function decide(fields: Fields, consent: ConsentRequest): Reply {
    if (fields.get('decision') !== 'allow') {
      const denied = { error: 'access_denied', error_description: 'the user denied the request' };
      return redirectBack(consent.redirect_uri, { state: consent.state, ...denied });
    }
    const user = listGrantors(consent).find(({ user_id }) => String(user_id) === fields.get('user_id'));
    if (!user) return toPage(400, buildProblemPage('Choose who you are.'));
    const code = db.write(() => issueCode(db, ports, user.user_id, consent));
    return redirectBack(consent.redirect_uri, { code, state: consent.state });
  }
}

// Without a trusted redirect address, the problem is shown on a page and not redirected.
function withConsent(db: Database, fields: Fields, next: (consent: ConsentRequest) => Reply): Reply {
  const parsed = parseConsentRequest(db, fields);
  if (!('error' in parsed)) return next(parsed);
  if (parsed.shown) return toPage(400, buildProblemPage(parsed.description));
  return redirectBack(fields.get('redirect_uri') ?? '', {
    state: fields.get('state') ?? '',
    error: parsed.error,
    error_description: parsed.description,
  });
}

function redirectBack(redirect_uri: string, values: Record<string, string>): Reply {
  const target = new URL(redirect_uri);
  for (const [name, value] of Object.entries(values)) target.searchParams.set(name, value);
  return { status: 302, headers: { 'cache-control': 'no-store', location: target.href } };
}

function toPage(status: number, html: string): Reply {
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': CSP,
      'x-content-type-options': 'nosniff',
    },
    body: html,
  };
}

function toBytes(db: Database, sha256: string): Reply {
  const blob = findBytes(db, sha256);
  return blob ? toHeld(blob.content_type, blob.bytes) : NOT_FOUND;
}

function toHeld(content_type: string, body: Buffer): Reply {
  return {
    status: 200,
    headers: {
      'content-type': content_type,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    },
    body,
  };
}

const NOT_FOUND = toReply({ status: 404, body: { error: VERBATIM.not_found } });
