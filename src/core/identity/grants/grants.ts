import type { Ports } from '../../ports/index.js';
import type { GrantRecord, GrantScope } from '../../ports/index.js';
import { hashSecret } from '../secret.js';
import type { Settings } from '../../settings.js';
import type { Authorization } from './authorization.js';
import { createClients, type Clients } from './clients.js';
import { createExchange, type Exchange } from './exchange.js';
import { describeReceiver } from './redirect_uri.js';
import { listResources } from './resource.js';
import { buildCode, isAccessToken } from './tokens.js';

const CODE_LIFE_MS = 60_000;

/** A grant, as the dashboard shows it. */
export type Grant = {
  grant_id: string;
  /** The name that the client gave itself: text from outside. */
  client_name: string;
  /** Where the code was sent: a site's host, an address on the person's computer, or an application's URL scheme. */
  receiver: string;
  scope: GrantScope;
  created_at: string;
  last_used_at: string | null;
  /** When it expires if the client does not refresh. */
  expires_at: string;
};

/**
 * OAuth 2.1 grants: permissions for clients to act for an account, given by a person. All state of the protocol is here; the
 * transports only read requests and write answers.
 */
export type Grants = Pick<Clients, 'find' | 'register'> &
  Exchange & {
    list(account_id: string): Promise<Grant[]>;
    /** Ends a grant: its tokens are refused from then on. False when the account has no such grant. */
    end(account_id: string, grant_id: string): Promise<boolean>;
    /** The caller behind an access token; undefined when it is malformed, unknown, expired or ended. */
    authenticate(
      access_token: string,
    ): Promise<Pick<GrantRecord, 'account_id' | 'grant_id' | 'scope'> | undefined>;
    /**
     * Creates a grant once the person has agreed. Answers the code for the client, which can be exchanged once, within a minute.
     * @param key_id the API key that the person signed in with, if one was: the grant ends with it
     */
    allow(account_id: string, authorization: Authorization, key_id?: string | null): Promise<string>;
    /** The resources that tokens are valid for: the MCP endpoint, by each of its URLs. */
    resources: readonly string[];
  };

export function createGrants(
  ports: Pick<Ports, 'store' | 'media' | 'clock' | 'randomness' | 'ids' | 'log'>,
  { base_url }: Pick<Settings, 'base_url'>,
): Grants {
  const { store, ids, randomness } = ports;
  const clients = createClients(ports);

  return {
    find: clients.find,
    register: clients.register,
    ...createExchange(ports),
    resources: listResources(base_url),
    async list(account_id) {
      return (await store.grants.listGrants(account_id)).map(toGrant);
    },
    end: (account_id, grant_id) => store.grants.endGrant(account_id, grant_id),
    async authenticate(access_token) {
      if (!isAccessToken(access_token)) return undefined;
      const grant = await store.grants.findGrantByAccess(hashSecret(access_token));
      return grant && { account_id: grant.account_id, grant_id: grant.grant_id, scope: grant.scope };
    },
    async allow(account_id, { client, redirect_uri, code_challenge, scope }, key_id = null) {
      const code = buildCode(randomness);
      await store.grants.createGrant({
        account_id,
        grant_id: ids.build('grant_'),
        key_id,
        client_id: client.client_id,
        client_name: client.name,
        redirect_uri,
        code_challenge,
        scope,
        code_sha256: hashSecret(code),
        life_ms: CODE_LIFE_MS,
      });
      await clients.keep(client.client_id);
      return code;
    },
  };
}

function toGrant({ redirect_uri, ...grant }: GrantRecord): Grant {
  const { grant_id, client_name, created_at, last_used_at, expires_at, scope } = grant;
  return {
    grant_id,
    client_name,
    receiver: describeReceiver(redirect_uri).name,
    scope,
    created_at,
    last_used_at,
    expires_at,
  };
}
