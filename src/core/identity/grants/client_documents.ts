import { ServiceError } from '../../errors.js';
import { parseUrl } from '../../text/parse_url.js';
import { MediaError, type Clock, type Log, type Media } from '../../ports/index.js';
import { parseClientMetadata, toClientName, type Client } from './client_metadata.js';
import { OAuthError } from './oauth_error.js';
import { REDIRECT_URI_RULE } from './redirect_uri.js';

const LIMIT_BYTES = 10 * 1024;
const DEADLINE_MS = 5_000;
const MAX_URL_CHARS = 1_000;
const MAX_KEPT = 500;
const USUAL_AGE_MS = 60 * 60 * 1000;
const MIN_AGE_MS = 5 * 60 * 1000;
const MAX_AGE_MS = 24 * 60 * 60 * 1000;
/** After a document could not be fetched, it is not fetched again for this time, for any caller. */
const FAILURE_AGE_MS = 30_000;
/** The most documents being fetched or queued at a time, since a request without credentials can name one. */
const MAX_READING = 40;

type ClientDocuments = {
  /** Throws OAuthError invalid_client, or RATE_LIMIT_SECOND while too many are being fetched. */
  find(client_id: string): Promise<Client>;
};

/**
 * Clients whose id is the https URL of a document about them (draft-ietf-oauth-client-id-metadata-document). The document
 * must name its own URL and is at most 10 KiB; no redirect is followed. It is kept in memory for an hour, or as long as its
 * Cache-Control says, but between 5 minutes and a day. All failures have the same message, since the caller has shown no
 * credentials and must not find out what is behind a name and a port. The log has the reason.
 */
export function createClientDocuments({
  media,
  clock,
  log,
}: {
  media: Pick<Media, 'fetchDocument'>;
  clock: Clock;
  log: Log;
}): ClientDocuments {
  const kept = new Map<string, { until_ms: number; client: Promise<Client> }>();
  let reading = 0;

  return {
    async find(client_id) {
      const known = kept.get(client_id);
      if (known && known.until_ms > clock.now().getTime()) return known.client;
      if (!isClientUrl(client_id)) {
        throw new OAuthError('invalid_client', 'This client_id is no URL of a client metadata document.');
      }
      if (reading >= MAX_READING) {
        throw new ServiceError(
          'RATE_LIMIT_SECOND',
          { code: 'lookups_too_many', params: {} },
          { retry_after_seconds: DEADLINE_MS / 1000 },
        );
      }
      const entry = { until_ms: Infinity, client: read(client_id) };
      kept.delete(client_id);
      kept.set(client_id, entry);
      const [oldest] = kept.keys();
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
      return entry.client;

      async function read(url: string): Promise<Client> {
        let age_ms = FAILURE_AGE_MS;
        reading += 1;
        try {
          const { text, max_age_seconds } = await media.fetchDocument(url, {
            limit_bytes: LIMIT_BYTES,
            deadline_ms: DEADLINE_MS,
          });
          const client = toClient(url, text);
          const stated_ms = max_age_seconds === undefined ? USUAL_AGE_MS : max_age_seconds * 1000;
          age_ms = Math.min(MAX_AGE_MS, Math.max(MIN_AGE_MS, stated_ms));
          return client;
        } catch (cause) {
          throw refuse(url, cause);
        } finally {
          reading -= 1;
          entry.until_ms = clock.now().getTime() + age_ms;
        }
      }
    },
  };

  function refuse(url: string, cause: unknown): unknown {
    if (!(cause instanceof MediaError || cause instanceof OAuthError)) return cause;
    const reason = cause instanceof MediaError ? cause.failure : cause.message;
    log.info('a client metadata document cannot be used', { host: new URL(url).host, reason });
    return new OAuthError('invalid_client', UNUSABLE, { cause });
  }
}

const UNUSABLE = `The client metadata document cannot be used. It must be JSON of at most 10 KiB at a public https address, without a redirect, name its own URL as client_id, be of a public client and have redirect_uris, each of which must be ${REDIRECT_URI_RULE}.`;

export function isClientUrl(client_id: string): boolean {
  if (client_id.length > MAX_URL_CHARS || !client_id.startsWith('https://')) return false;
  const url = parseUrl(client_id);
  if (!url) return false;
  // The URL must be in the form that the parser writes: no dot segments, no upper-case host, no default port.
  return url.href === client_id && url.pathname !== '/' && !url.hash && !url.username && !url.password;
}

function toClient(client_id: string, text: string): Client {
  const metadata = parseClientMetadata(parseJson(text));
  if (metadata.client_id !== client_id) {
    throw new OAuthError('invalid_client', 'The client metadata document names another client_id.');
  }
  const { token_endpoint_auth_method: method = 'none', token_endpoint_auth_methods_supported: methods = [] } =
    metadata;
  if (metadata.client_secret !== undefined || (method !== 'none' && !methods.includes('none'))) {
    throw new OAuthError(
      'invalid_client_metadata',
      'A client with a metadata document must be public: token_endpoint_auth_method none, no client_secret.',
    );
  }
  return { client_id, name: toClientName(metadata), redirect_uris: metadata.redirect_uris };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new OAuthError('invalid_client_metadata', 'The client metadata document is no JSON.', { cause });
  }
}
