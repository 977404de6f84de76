import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createSandboxHandler,
  startSandbox,
  type Sandbox,
  type SandboxHandler,
} from '../../src/sandbox/index.js';
import { systemPorts } from '../../src/sandbox/ports.js';
import { ALL_SCOPES, buildPng, CLAY, imageParts, KEY, MUG } from './harness.js';

let handler: SandboxHandler;
let server: Sandbox;
let keys: { handler: Record<string, string>; server: Record<string, string> };

beforeAll(async () => {
  const settings = { rate_per_second: 10_000 };
  const common = { database_file: ':memory:', control: true };
  handler = createSandboxHandler({ ...common, settings, origin: 'http://marketplace.test' }, systemPorts);
  server = await startSandbox({ ...common, ...settings });
  keys = { handler: buildKeys(handler), server: buildKeys(server) };
});
afterAll(async () => {
  await handler.close();
  await server.close();
});

function buildKeys(door: Pick<Sandbox, 'issueGrant'>): Record<string, string> {
  const { access_token } = door.issueGrant(CLAY.user_id, ALL_SCOPES);
  return { 'x-api-key': KEY, authorization: `Bearer ${access_token}` };
}

type Asked = { method: string; path: string; body?: Buffer; type?: string; has_key?: boolean };
type Got = { status: number; body: Record<string, unknown> };

async function askHandler({ method, path, body, type, has_key = true }: Asked): Promise<Got> {
  const headers = { ...(has_key && keys.handler), ...(type !== undefined && { 'content-type': type }) };
  const outcome = await handler.handle({ method, url: path, headers, body });
  if (typeof outcome === 'string') throw new Error(outcome);
  return { status: outcome.status, body: parse(String(outcome.body ?? '')) };
}

async function askServer({ method, path, body, type, has_key = true }: Asked): Promise<Got> {
  const headers = { ...(has_key && keys.server), ...(type !== undefined && { 'content-type': type }) };
  const sent = body === undefined ? {} : { body: new Uint8Array(body) };
  const answer = await fetch(server.url + path, { method, headers, ...sent });
  return { status: answer.status, body: parse(await answer.text()) };
}

/** Without the parts that differ between any two calls. */
function parse(text: string): Record<string, unknown> {
  const plain = text
    .replaceAll(/http:\/\/(127\.0\.0\.1:\d+|marketplace\.test)/g, 'http://origin')
    .replaceAll(/"[a-z_]*(timestamp|tsz)[a-z_]*":\d+/g, '"at":0');
  return plain === '' ? {} : (JSON.parse(plain) as Record<string, unknown>);
}

const API = '/v3/application';
const FORM = 'application/x-www-form-urlencoded';
const LISTINGS = `${API}/shops/${CLAY.shop_id}/listings`;

async function buildMultipart(fields: Record<string, string>): Promise<{ type: string; body: Buffer }> {
  const encoded = new Response(imageParts(buildPng(1), fields));
  return {
    type: encoded.headers.get('content-type') ?? '',
    body: Buffer.from(await encoded.arrayBuffer()),
  };
}

async function ask(asked: Asked): Promise<Got> {
  const got = await askHandler(asked);
  expect(await askServer(asked)).toEqual(got);
  return got;
}

it('the sandbox in this process answers as over a socket', async () => {
  const mug = Buffer.from(new URLSearchParams(MUG).toString());
  const made = await ask({ method: 'POST', path: LISTINGS, body: mug, type: FORM });
  expect(made.status).toBe(201);
  const images = `${LISTINGS}/${String(made.body.listing_id)}/images`;
  const photo = await buildMultipart({ rank: '1', alt_text: 'seen from "the left", süß' });
  expect(await ask({ method: 'POST', path: images, ...photo })).toMatchObject({
    status: 201,
    body: { rank: 1, alt_text: 'seen from "the left", süß' },
  });
  const cut = { type: photo.type, body: photo.body.subarray(0, 200) };
  expect((await ask({ method: 'POST', path: images, ...cut })).status).toBe(400);
  const nameless = { type: 'multipart/form-data', body: photo.body };
  expect((await ask({ method: 'POST', path: images, ...nameless })).status).toBe(400);
  const large = Buffer.alloc(8 * 1024 * 1024 + 1, 'a');
  expect((await ask({ method: 'POST', path: LISTINGS, body: large, type: FORM })).status).toBe(400);
  expect((await ask({ method: 'GET', path: `${API}/listings/none` })).status).toBe(404);
  expect((await ask({ method: 'GET', path: `${API}/no/such/path` })).status).toBe(404);
  expect((await ask({ method: 'GET', path: '/no/such/page' })).status).toBe(404);
  expect((await ask({ method: 'GET', path: `${API}/listings/1`, has_key: false })).status).toBe(403);
  const grant = Buffer.from('grant_type=refresh_token&client_id=none&refresh_token=none');
  expect(
    (await ask({ method: 'POST', path: '/v3/public/oauth/token', body: grant, type: FORM })).status,
  ).toBe(401);
  expect((await ask({ method: 'GET', path: `${API}/users/me` })).status).toBe(200);
});

it.each(['reset', 'stall'] as const)(
  'the sandbox in this process returns a %s instead of an answer',
  async (type) => {
    const rule = Buffer.from(JSON.stringify({ rules: [{ operation: 'getMe', action: { type } }] }));
    const added = { method: 'POST', path: '/_sandbox/faults', body: rule, type: 'application/json' };
    expect((await askHandler(added)).status).toBe(200);
    expect(await handler.handle({ method: 'GET', url: `${API}/users/me`, headers: keys.handler })).toBe(type);
  },
);
