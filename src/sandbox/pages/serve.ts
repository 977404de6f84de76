import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Fields } from '../call.js';
import { VERBATIM } from '../messages.js';
import { issueCode, parseConsentRequest } from '../oauth.js';
import type { ConsentRequest } from '../oauth.js';
import { toForm, toParams, toQuery } from '../pipeline.js';
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

/** What a browser looks at: the consent page, listings and shops, and the pictures and videos themselves. */
export function registerPages(app: FastifyInstance, db: Database, ports: SandboxPorts): void {
  app.get('/oauth/connect', (request, reply) => {
    const fields = toQuery(request);
    return withConsent(db, fields, reply, (consent) =>
      sendPage(reply, 200, buildConsentPage(fields, consent, listGrantors(consent))),
    );
  });
  app.post('/oauth/connect', (request, reply) => {
    const fields = toForm(request);
    return withConsent(db, fields, reply, (consent) => decide(fields, reply, consent));
  });
  app.get('/listing/:listing_id/*', showListing);
  app.get('/listing/:listing_id', showListing);
  app.get('/shop/:shop_name', (request, reply) => {
    const { shop_name } = toParams(request);
    const shop = listShops(db).find((candidate) => candidate.shop_name === shop_name);
    if (!shop) return sendNotFound(reply);
    return sendPage(reply, 200, buildShopPage(db, shop));
  });
  app.get('/img/:listing_image_id/:file', (request, reply) => {
    const { listing_image_id } = toParams(request);
    const id = Number(listing_image_id);
    const picture = findPicture(db, Number.isSafeInteger(id) ? id : 0);
    const isVideoStill = !picture && db.find('SELECT 1 FROM videos WHERE video_id = ?', id) !== undefined;
    if (picture?.sha256) return sendBytes(reply, db, picture.sha256);
    if (!picture && !isVideoStill) return sendNotFound(reply);
    return sendHeld(reply, 'image/png', drawPicture(id));
  });
  app.get('/video/:file', (request, reply) => {
    const { file } = toParams(request);
    const video = db.find<{ sha256: string }>(
      'SELECT sha256 FROM videos WHERE video_id = ?',
      Number.parseInt(file ?? '', 10) || 0,
    );
    return video ? sendBytes(reply, db, video.sha256) : sendNotFound(reply);
  });

  function showListing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { listing_id } = toParams(request);
    const listing = findListing(db, Number(listing_id) || 0);
    const shop = listing && findShop(db, listing.shop_id);
    if (!listing || !shop) return sendNotFound(reply);
    return sendPage(reply, 200, buildListingPage(db, shop, listing));
  }

  /** Whoever can agree: with an application of a seller's own, that seller alone. */
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

  function decide(fields: Fields, reply: FastifyReply, consent: ConsentRequest): FastifyReply {
    if (fields.get('decision') !== 'allow') {
      const denied = { error: 'access_denied', error_description: 'the user denied the request' };
      return redirectBack(reply, consent.redirect_uri, { state: consent.state, ...denied });
    }
    const user = listGrantors(consent).find(({ user_id }) => String(user_id) === fields.get('user_id'));
    if (!user) return sendPage(reply, 400, buildProblemPage('Choose who you are.'));
    const code = db.write(() => issueCode(db, ports, user.user_id, consent));
    return redirectBack(reply, consent.redirect_uri, { code, state: consent.state });
  }
}

// Without a redirect that can be trusted the problem is shown, never sent on.
function withConsent(
  db: Database,
  fields: Fields,
  reply: FastifyReply,
  next: (consent: ConsentRequest) => FastifyReply,
): FastifyReply {
  const parsed = parseConsentRequest(db, fields);
  if (!('error' in parsed)) return next(parsed);
  if (parsed.shown) return sendPage(reply, 400, buildProblemPage(parsed.description));
  return redirectBack(reply, fields.get('redirect_uri') ?? '', {
    state: fields.get('state') ?? '',
    error: parsed.error,
    error_description: parsed.description,
  });
}

function redirectBack(
  reply: FastifyReply,
  redirect_uri: string,
  values: Record<string, string>,
): FastifyReply {
  const target = new URL(redirect_uri);
  for (const [name, value] of Object.entries(values)) target.searchParams.set(name, value);
  return reply.header('cache-control', 'no-store').redirect(target.href, 302);
}

function sendPage(reply: FastifyReply, status: number, html: string): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': CSP,
      'x-content-type-options': 'nosniff',
    })
    .send(html);
}

function sendBytes(reply: FastifyReply, db: Database, sha256: string): FastifyReply {
  const blob = findBytes(db, sha256);
  return blob ? sendHeld(reply, blob.content_type, blob.bytes) : sendNotFound(reply);
}

function sendHeld(reply: FastifyReply, content_type: string, bytes: Buffer): FastifyReply {
  return reply
    .headers({
      'content-type': content_type,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    })
    .send(bytes);
}

function sendNotFound(reply: FastifyReply): FastifyReply {
  return reply.code(404).send({ error: VERBATIM.not_found });
}
