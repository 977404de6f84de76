import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { UnauthorizedError, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientMetadata } from '@modelcontextprotocol/sdk/shared/auth.js';

export const REDIRECT = 'http://localhost:39121/callback';

type Saved = Parameters<OAuthClientProvider['saveTokens']>[0];
type SavedClient = Parameters<NonNullable<OAuthClientProvider['saveClientInformation']>>[0];

/** The data an assistant stores about a server, in the form the official client uses. */
export class Memory implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata: OAuthClientMetadata;
  readonly clientMetadataUrl?: string;
  saved_tokens: Saved | undefined;
  saved_client: SavedClient | undefined;
  asked_at: URL | undefined;
  #verifier = '';

  constructor({ name = 'Test assistant', metadata_url }: { name?: string; metadata_url?: string } = {}) {
    this.clientMetadata = {
      client_name: name,
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'client_secret_post',
    };
    if (metadata_url !== undefined) this.clientMetadataUrl = metadata_url;
  }

  state = () => 'state-of-the-client';
  clientInformation = () => this.saved_client;
  saveClientInformation(client: SavedClient) {
    this.saved_client = client;
  }
  tokens = () => this.saved_tokens;
  saveTokens(tokens: Saved) {
    this.saved_tokens = tokens;
  }
  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery') {
    if (scope === 'all' || scope === 'client') this.saved_client = undefined;
    if (scope === 'all' || scope === 'tokens') this.saved_tokens = undefined;
  }
  redirectToAuthorization(url: URL) {
    this.asked_at = url;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier = () => this.#verifier;
}

/** An assistant that follows the server's directions to log in; `person` answers in a browser. */
export async function connectAssistant(
  mcp_url: string,
  memory: Memory,
  person: (url: URL) => Promise<URL>,
): Promise<Client> {
  const url = new URL(mcp_url);
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(url, { authProvider: memory });
  try {
    await client.connect(transport);
    return client;
  } catch (cause) {
    if (!(cause instanceof UnauthorizedError) || !memory.asked_at) throw cause;
  }
  const answer = await person(memory.asked_at);
  const code = answer.searchParams.get('code');
  if (code === null) throw new Error(`no code: ${answer.href}`);
  await transport.finishAuth(code);
  const again = new Client({ name: 'test', version: '1' });
  await again.connect(new StreamableHTTPClientTransport(url, { authProvider: memory }));
  return again;
}
