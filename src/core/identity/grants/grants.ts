import type { Ports, GrantRecord, GrantScope, OAuthClient } from '../../ports/index.js';
import { hashSecret } from '../secret.js';
import type { Settings } from '../../settings.js';
import type { Authorization } from './authorization.js';
import { createExchange, type Exchange } from './exchange.js';
import { describeReceiver } from './redirect_uri.js';
import { listResources } from './resource.js';
import { buildCode, isAccessToken } from './tokens.js';
import { createClientDocuments } from './client_documents.js';
import { parseClientMetadata, toClientName, type Client } from './client_metadata.js';
import { OAuthError } from './oauth_error.js';

const CODE_LIFE_MS = 60_000;

/** A grant, as the dashboard shows it. */
export type Grant = {
  grant_id: string;
  /** The name that the client gave itself: foreign text. */
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
    /** Ends a grant: its tokens are refused from then on. False if the account has no such grant. */
    end(account_id: string, grant_id: string): Promise<boolean>;
    /** The caller behind an access token; undefined if it is malformed, unknown, expired or ended. */
    authenticate(
      access_token: string,
    ): Promise<Pick<GrantRecord, 'account_id' | 'grant_id' | 'scope'> | undefined>;
    /**
     * Creates a grant once the person has agreed. Returns the code for the client, which can be exchanged once, within a
     * minute.
     * @param key_id the API key that the person signed in with, if any: the grant ends with it
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

const DAY_MS = 24 * 60 * 60 * 1000;
const UNUSED_LIFE_MS = DAY_MS;
/** Clients remember their id for a long time; a client that was forgotten here does not learn why it is refused. */
const USED_LIFE_MS = 180 * DAY_MS;
const MAX_UNUSED = 1_000;

type Clients = {
  /** By the id of a registration or the URL of a document. Throws OAuthError invalid_client, or RATE_LIMIT_SECOND. */
  find(client_id: string): Promise<Client>;
  /** Dynamic registration (RFC 7591). Throws OAuthError invalid_client_metadata or invalid_redirect_uri. */
  register(metadata: unknown): Promise<OAuthClient>;
  /** Extends the life of a client that a person gave consent to. */
  keep(client_id: string): Promise<void>;
};

/**
 * Registering needs no credentials, so a client without any consent is removed after a day, and if there are more than a
 * thousand of these, the oldest are removed. The others stay for half a year after the last consent, and while a grant names
 * them.
 */
function createClients({
  store,
  media,
  clock,
  ids,
  log,
}: Pick<Ports, 'store' | 'media' | 'clock' | 'ids' | 'log'>): Clients {
  const documents = createClientDocuments({ media, clock, log });

  return {
    async find(client_id) {
      if (client_id.startsWith('https://')) return documents.find(client_id);
      const client = await store.grants.findClient(client_id);
      if (client) return client;
      throw new OAuthError('invalid_client', 'This client_id is not known, or no longer: register again.');
    },
    async register(value) {
      const metadata = parseClientMetadata(value);
      const client = {
        client_id: ids.build('client_'),
        name: toClientName(metadata),
        redirect_uris: metadata.redirect_uris,
        life_ms: UNUSED_LIFE_MS,
      };
      return store.grants.createClient(client, MAX_UNUSED);
    },
    keep: (client_id) => store.grants.keepClient(client_id, USED_LIFE_MS),
  };
}
