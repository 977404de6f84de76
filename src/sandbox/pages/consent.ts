import { encodeEntities } from '../answers/text.js';
import type { Fields } from '../requests/call.js';
import type { ConsentRequest } from '../oauth.js';
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

/** A user who can give consent. */
export type Grantor = { user_id: number; name: string };

/** The form: which user is signed in (a shop's owner or a buyer), Allow or Deny, and the request itself in hidden fields. */
export function buildConsentPage(
  fields: Fields,
  request: ConsentRequest,
  grantors: readonly Grantor[],
): string {
  const hidden = CARRIED.map(
    (name) => `<input type="hidden" name="${name}" value="${encodeEntities(fields.get(name) ?? '')}">`,
  ).join('\n');
  const users = grantors
    .map(
      ({ user_id, name }, index) =>
        `<p><label><input type="radio" name="user_id" value="${user_id}"${index === 0 ? ' checked' : ''}> ` +
        `${encodeEntities(name)}</label></p>`,
    )
    .join('\n');
  const scopes = request.scopes.map((scope) => `<li>${encodeEntities(scope)}</li>`).join('');
  return buildPage(
    'An application asks for access',
    `<h1>An application asks for access</h1>
<form method="post" action="/oauth/connect">
${hidden}
<p>Who are you?</p>
${users}
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
