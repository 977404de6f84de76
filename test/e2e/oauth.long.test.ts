import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { discoverOAuthServerInfo, refreshAuthorization } from '@modelcontextprotocol/sdk/client/auth.js';
import { InvalidGrantError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { choosePort } from '../../src/cli/serving/listen.js';
import { loadConfig } from '../../src/config.js';
import { startDashboard } from '../dashboard/visitor.js';
import { buildCertificate } from '../media/certificate.js';
import { LOOPBACK } from '../media/sample.js';
import { buildEnvironment, runCli, startServe, type Environment, type Served } from '../surfaces/faces.js';
import { connectAssistant, Memory, REDIRECT } from './assistant.js';
import { Browser } from './browser.js';

/*
 * The whole way of an assistant that was given only the address, against the built program: the official
 * client asks, a person answers in a browser.
 */

let data_dir: string;
let env: Environment;
let served: Served;
beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'oauth-'));
  env = buildEnvironment(data_dir);
  served = await startServe(env);
});
afterAll(async () => {
  await served.stop();
  await rm(data_dir, { recursive: true });
});

/** Signs in with the key and agrees. */
async function agree(url: URL, api_key = served.key): Promise<URL> {
  const browser = new Browser();
  await browser.open(url);
  expect([browser.status, browser.page]).toEqual([200, expect.stringContaining('API key')]);
  await browser.submit({ key: api_key });
  expect([browser.status, browser.page]).toEqual([200, expect.stringContaining('Allow')]);
  await browser.submit({ decision: 'allow' });
  return browser.url;
}

async function listGrants(): Promise<{ grant_id: string; client_name: string; receiver: string }[]> {
  const { stdout } = await runCli(['grants', 'list', '--json'], env);
  return (JSON.parse(stdout) as { grants: { grant_id: string; client_name: string; receiver: string }[] })
    .grants;
}

function ask(token: string): Promise<Response> {
  const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE };
  return fetch(`${served.url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(message),
  });
}
const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};

/** Does what the official client does with a refresh token. */
async function refresh(memory: Memory, refresh_token = memory.saved_tokens?.refresh_token ?? '') {
  const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } =
    await discoverOAuthServerInfo(`${served.url}/mcp`);
  if (!authorizationServerMetadata || !memory.saved_client) throw new Error('nothing discovered');
  return refreshAuthorization(authorizationServerUrl, {
    metadata: authorizationServerMetadata,
    clientInformation: memory.saved_client,
    refreshToken: refresh_token,
    ...(resourceMetadata && { resource: resourceMetadata.resource }),
  });
}

describe('an assistant that registers itself', () => {
  it('learns where to log in, asks a person, calls, refreshes, and is shut out when its token leaks', async () => {
    const first = await ask('nothing');
    expect(first.status).toBe(401);
    expect(first.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${served.url}/.well-known/oauth-protected-resource/mcp", scope="read write", error="invalid_token"`,
    );

    const memory = new Memory();
    const client = await connectAssistant(`${served.url}/mcp`, memory, async (url) => {
      expect(url.searchParams.get('resource')).toBe(`${served.url}/mcp`);
      const answer = await agree(url);
      expect(`${answer.origin}${answer.pathname}`).toBe(REDIRECT);
      expect(answer.searchParams.get('state')).toBe('state-of-the-client');
      expect(answer.searchParams.get('iss')).toBe(served.url);
      return answer;
    });
    expect(memory.saved_client).toMatchObject({
      client_id: expect.stringMatching(/^client_/),
      token_endpoint_auth_method: 'none',
    });
    expect(memory.saved_client).not.toHaveProperty('client_secret');
    const { structuredContent } = await client.callTool({ name: 'stores_list', arguments: {} });
    expect(structuredContent).toHaveProperty('stores');
    await client.close();
    expect(await listGrants()).toMatchObject([
      { client_name: 'Test assistant', receiver: 'localhost:39121' },
    ]);

    const old = memory.saved_tokens?.refresh_token ?? '';
    const fresh = await refresh(memory);
    expect((await ask(fresh.access_token)).status).toBe(200);
    // A thief with a copy of the old token:
    await expect(refresh(memory, old)).rejects.toThrow(InvalidGrantError);
    await expect(refresh(memory, fresh.refresh_token ?? '')).rejects.toThrow(InvalidGrantError);
    expect((await ask(fresh.access_token)).status).toBe(401);
    expect(await listGrants()).toEqual([]);
  });

  it('refreshes on its own, revokes its tokens, and may be let in again', async () => {
    const memory = new Memory();
    await (await connectAssistant(`${served.url}/mcp`, memory, (url) => agree(url))).close();
    const { access_token: before } = memory.saved_tokens ?? { access_token: '' };
    if (memory.saved_tokens) memory.saved_tokens = { ...memory.saved_tokens, access_token: 'expired' };
    const client = await connectAssistant(`${served.url}/mcp`, memory, () =>
      Promise.reject(new Error('no person should be asked')),
    );
    await client.close();
    const { access_token } = memory.saved_tokens ?? { access_token: '' };
    expect([(await ask(before)).status, (await ask(access_token)).status]).toEqual([401, 200]);

    const metadata = (await (
      await fetch(`${served.url}/.well-known/oauth-authorization-server`)
    ).json()) as Record<string, string>;
    const body = new URLSearchParams({
      token: access_token,
      client_id: memory.saved_client?.client_id ?? '',
    });
    const revoked = await fetch(metadata['revocation_endpoint'] ?? '', { method: 'POST', body });
    expect(revoked.status).toBe(200);
    expect((await ask(access_token)).status).toBe(401);
    let asked = 0;
    const again = await connectAssistant(`${served.url}/mcp`, memory, (url) => {
      asked += 1;
      return agree(url);
    });
    expect(asked).toBe(1);
    await again.close();
    const [grant] = await listGrants();
    expect((await runCli(['grants', 'end', grant?.grant_id ?? ''], env)).code).toBe(0);
    expect((await ask(memory.saved_tokens?.access_token ?? '')).status).toBe(401);
  });
});

it('an assistant may call this computer by another of its names', async () => {
  const url = served.url.replace('localhost', '127.0.0.1');
  expect(url).not.toBe(served.url);
  const memory = new Memory();
  const client = await connectAssistant(`${url}/mcp`, memory, (asked) => agree(asked));
  expect(memory.asked_at?.searchParams.get('resource')).toBe(`${url}/mcp`);
  await client.close();
});

/** In this process, because the document must be at a public address, which this computer is not. */
describe('an assistant with a metadata document', () => {
  it('is known by the document and registers nowhere', async () => {
    const { key: document_key, cert } = buildCertificate('localhost');
    let asked = 0;
    const server = createServer({ key: document_key, cert }, (_request, response) => {
      asked += 1;
      response.end(JSON.stringify({ client_id, client_name: 'Documented', redirect_uris: DOCUMENT_URIS }));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, 'localhost', resolve);
    });
    onTestFinished(() => void server.close());
    const client_id = `https://localhost:${(server.address() as AddressInfo).port}/client.json`;
    // Vite sets its own BASE_URL.
    const { port } = await choosePort({ ...loadConfig({}, {}), port: 0 }, { BASE_URL: 'http://127.0.0.1' });
    const { service, url, account_id, close } = await startDashboard(
      { PORT: String(port) },
      { network: { documents: { ca: cert, egress_allow_cidrs: LOOPBACK } } },
    );
    onTestFinished(() => close());
    const { key } = await service.app.core.accounts.createKey(account_id, 'test');

    const memory = new Memory({ metadata_url: client_id });
    const client = await connectAssistant(`${url}/mcp`, memory, async (consent_url) => {
      const browser = new Browser();
      await browser.open(consent_url);
      expect(browser.page).toContain(new URL(client_id).host);
      return agree(consent_url, key);
    });
    expect(memory.saved_client?.client_id).toBe(client_id);
    expect(asked).toBe(1);
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(10);
    await client.close();
    expect(await service.app.core.grants.list(account_id)).toMatchObject([{ client_name: 'Documented' }]);
  });
});

/** Any port on this computer, and an address on another host. */
const DOCUMENT_URIS = ['http://localhost/callback', 'https://elsewhere.example/callback'];
