import type { Ports } from '../../ports/index.js';
import type { GrantRecord } from '../../ports/index.js';
import { hashSecret } from '../secret.js';
import { OAuthError } from './oauth_error.js';
import {
  buildFamily,
  buildTokens,
  isAccessToken,
  isVerifierOf,
  readFamily,
  type TokenAnswer,
} from './tokens.js';

type CodeExchange = {
  client_id: string;
  code: string;
  code_verifier: string;
  /** Older clients repeat it; if given, it must be the one that the code was sent to. */
  redirect_uri?: string | undefined;
};

export type Exchange = {
  /** Throws OAuthError invalid_grant. A code that is used a second time ends the grant that it was exchanged for. */
  exchangeCode(request: CodeExchange): Promise<TokenAnswer>;
  /**
   * Throws OAuthError invalid_grant. A refresh token that was already replaced ends the grant, since someone has a copy of
   * it.
   */
  refresh(request: { client_id: string; refresh_token: string }): Promise<TokenAnswer>;
  /** Ends the grant that an access or refresh token belongs to, if it is the client's (RFC 7009). */
  revoke(request: { client_id: string | undefined; token: string }): Promise<void>;
};

/**
 * The token endpoint: exchanges codes and refresh tokens for tokens. Each change of a grant is one statement, so that of two
 * calls one wins.
 */
export function createExchange({
  store,
  randomness,
  log,
}: Pick<Ports, 'store' | 'randomness' | 'log'>): Exchange {
  const { grants } = store;

  return {
    async exchangeCode({ client_id, code, code_verifier, redirect_uri }) {
      const grant = await grants.findGrantByCode(hashSecret(code));
      if (!grant) throw buildInvalid('The code is unknown or has expired.');
      if (grant.activated_at !== null) return endForReuse(grant, 'The code was used before.');
      const isRight =
        grant.client_id === client_id &&
        (redirect_uri === undefined || redirect_uri === grant.redirect_uri) &&
        isVerifierOf(grant.code_challenge, code_verifier);
      if (!isRight) throw buildInvalid('The code is for another client_id, redirect_uri or code_verifier.');
      const family = buildFamily(randomness);
      const { answer, kept } = buildTokens({ family, scope: grant.scope }, randomness);
      const tokens = { ...kept, family_sha256: hashSecret(family) };
      if (!(await grants.activateGrant(grant, tokens))) {
        return endForReuse(grant, 'The code was used before.');
      }
      return answer;
    },

    async refresh({ client_id, refresh_token }) {
      const family = readFamily(refresh_token);
      const grant = family && (await grants.findGrantByFamily(hashSecret(family)));
      if (!grant || grant.client_id !== client_id) {
        throw buildInvalid('The refresh token is unknown, has expired, or is for another client_id.');
      }
      const { answer, kept } = buildTokens({ family, scope: grant.scope }, randomness);
      if (!(await grants.rotateGrant(grant, hashSecret(refresh_token), kept))) {
        return endForReuse(grant, 'The refresh token was used before.');
      }
      return answer;
    },

    async revoke({ client_id, token }) {
      const grant = await findByToken(token);
      if (!grant || (client_id !== undefined && client_id !== grant.client_id)) return;
      await grants.endGrant(grant.account_id, grant.grant_id);
    },
  };

  async function findByToken(token: string): Promise<GrantRecord | undefined> {
    if (isAccessToken(token)) return grants.findGrantByAccess(hashSecret(token));
    const family = readFamily(token);
    return family === undefined ? undefined : grants.findGrantByFamily(hashSecret(family));
  }

  async function endForReuse({ account_id, grant_id, client_id }: GrantRecord, what: string): Promise<never> {
    await grants.endGrant(account_id, grant_id);
    log.warn('a grant was ended: a secret of it was used twice', { account_id, grant_id, client_id, what });
    throw buildInvalid(`${what} The grant has ended; ask the person again.`);
  }
}

function buildInvalid(message: string): OAuthError {
  return new OAuthError('invalid_grant', message);
}
