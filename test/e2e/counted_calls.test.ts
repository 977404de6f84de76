import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createHttpFace, type HttpFace } from '../../src/transports/index.js';
import { startService, type TestService } from '../service.js';

/* Which calls count against the limits of an account. */

const services: TestService[] = [];
const faces: HttpFace[] = [];
let ask: (path: string, request?: RequestInit) => Promise<[status: number, counted: number]>;
let askReadOnly: typeof ask;

async function open(environment: Record<string, string>): Promise<typeof ask> {
  const service = await startService(environment);
  services.push(service);
  const { account_id } = await service.app.core.accounts.getDefault();
  const { key } = await service.app.core.accounts.createKey(account_id, 'test');
  const face = await createHttpFace(service.app.service, { host: '127.0.0.1', port: 0, trust_proxy: false });
  faces.push(face);
  const send = (path: string, request: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${face.port}/api/v1${path}`, {
      ...request,
      headers: { 'x-service-api-key': key, ...request.headers },
    });
  const look = async () => {
    const { ok, headers } = await send('/stores');
    return { left: Number(headers.get('x-ratelimit-remaining-day')), counted: ok ? 1 : 0 };
  };
  return async (path, request) => {
    const before = await look();
    const { status } = await send(path, request);
    const after = await look();
    return [status, before.left - after.left - after.counted];
  };
}

beforeAll(async () => {
  askReadOnly = await open({ READ_ONLY: 'on' });
  ask = await open({});
});
afterAll(async () => {
  for (const face of faces) await face.close(0);
  for (const service of services) await service.close();
});

const post = (body: string, type = 'application/json'): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': type },
  body,
});

it.each<[what: string, path: string, request: RequestInit | undefined, told: [number, number]]>([
  ['a success', '/listings', undefined, [200, 1]],
  ['invalid fields', '/listings/create', post('{}'), [400, 1]],
  ['invalid JSON', '/listings/create', post('{'), [400, 1]],
  ['another content type', '/listings/create', post('a', 'text/plain'), [400, 1]],
  ['an unknown id', '/listings/999', undefined, [404, 1]],
  ['an unknown key', '/stores', { headers: { 'x-service-api-key': 'mls_none' } }, [401, 0]],
  ['an unknown path', '/nowhere', undefined, [404, 0]],
])(
  '%s counts against the limits only if the call reaches an operation',
  async (_what, path, request, told) => {
    expect(await ask(path, request)).toEqual(told);
  },
);

it('a call refused by a read-only server counts', async () => {
  expect(await askReadOnly('/listings/create', post('{}'))).toEqual([400, 1]);
});

it('calls beyond the limit are refused and not counted', async () => {
  const send = await open({ RATE_LIMIT_PER_DAY: '3' });
  // With a reading before and after it.
  expect(await send('/listings')).toEqual([200, 1]);
  expect(await send('/listings')).toEqual([429, 0]);
});

it('invalid calls count over MCP too, and calls beyond the limit do not', async () => {
  const service = await startService({ RATE_LIMIT_PER_DAY: '4' });
  services.push(service);
  const { account_id } = await service.app.core.accounts.getDefault();
  const { key } = await service.app.core.accounts.createKey(account_id, 'test');
  const face = await createHttpFace(service.app.service, { host: '127.0.0.1', port: 0, trust_proxy: false });
  faces.push(face);
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { 'x-service-api-key': key } };
  const url = new URL(`http://127.0.0.1:${face.port}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const { isError, content, _meta } = await client.callTool({ name, arguments: input });
    const [{ text }] = content as [{ text: string }];
    const { error } = (isError === true ? JSON.parse(text) : {}) as { error?: { code: string } };
    return [error?.code ?? 'answered', _meta?.['X-RateLimit-Remaining-Day']];
  };
  expect(await call('stores_list')).toEqual(['answered', 3]);
  expect(await call('listing_create', {})).toEqual(['VALIDATION_FAILED', 2]);
  expect(await call('listing_get', { listing_pk: 999 })).toEqual(['LISTING_NOT_FOUND', 1]);
  expect(await call('stores_list')).toEqual(['answered', 0]);
  expect((await call('stores_list'))[0]).toBe('RATE_LIMIT_DAY');
  await client.close();
});
