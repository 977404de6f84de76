import { encodeEntities } from '../answers/text.js';
import type { Fields } from '../call.js';
import type { ConsentRequest } from '../oauth.js';
import { SANDBOX_SHOPS } from '../world/shops.js';
import { buildPage } from './layout.js';

const CARRIED = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const;

/** Asks for a seeded shop and for Allow or Deny; the request itself travels in hidden fields. */
export function buildConsentPage(fields: Fields, request: ConsentRequest): string {
  const hidden = CARRIED.map(
    (name) => `<input type="hidden" name="${name}" value="${encodeEntities(fields.get(name) ?? '')}">`,
  ).join('\n');
  const shops = SANDBOX_SHOPS.map(
    (shop, index) =>
      `<p><label><input type="radio" name="user_id" value="${shop.user_id}"${index === 0 ? ' checked' : ''}> ` +
      `${encodeEntities(shop.shop_name)}, ${encodeEntities(shop.data.title)}</label></p>`,
  ).join('\n');
  const scopes = request.scopes.map((scope) => `<li>${encodeEntities(scope)}</li>`).join('');
  return buildPage(
    'An application asks for access',
    `<h1>An application asks for access</h1>
<form method="post" action="/oauth/connect">
${hidden}
<p>Which shop?</p>
${shops}
<p>It asks for:</p><ul>${scopes}</ul>
<p>You will return to ${encodeEntities(new URL(request.redirect_uri).origin)}.</p>
<button name="decision" value="allow">Allow</button><button name="decision" value="deny">Deny</button>
</form>`,
  );
}

export function buildProblemPage(description: string): string {
  return buildPage(
    'Access cannot be given',
    `<h1>Access cannot be given</h1><p>${encodeEntities(description)}</p>`,
  );
}
