import type { Ports } from '../../ports/index.js';
import type { OAuthClient } from '../../ports/index.js';
import { createClientDocuments } from './client_documents.js';
import { parseClientMetadata, toClientName, type Client } from './client_metadata.js';
import { OAuthError } from './oauth_error.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const UNUSED_LIFE_MS = DAY_MS;
/** Clients remember their id for long; one that was forgotten here cannot tell why it is refused. */
const USED_LIFE_MS = 180 * DAY_MS;
const MAX_UNUSED = 1_000;

export type Clients = {
  /** By the id of a registration or the URL of a document. Throws OAuthError invalid_client, or RATE_LIMIT_SECOND. */
  find(client_id: string): Promise<Client>;
  /** Dynamic registration (RFC 7591). Throws OAuthError invalid_client_metadata or invalid_redirect_uri. */
  register(metadata: unknown): Promise<OAuthClient>;
  /** A person allowed it something. */
  keep(client_id: string): Promise<void>;
};

/**
 * Registering needs no credentials, so a client without any consent is removed after a day, and the oldest of these when there
 * are more than a thousand; the others stay for half a year after the last consent, and while a grant names them.
 */
export function createClients({
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
