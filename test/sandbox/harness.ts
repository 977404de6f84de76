import { deflateSync } from 'node:zlib';
import { SANDBOX_APP, SANDBOX_SHOPS, startSandbox } from '../../src/sandbox/index.js';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/index.js';

export const KEY = `${SANDBOX_APP.keystring}:${SANDBOX_APP.shared_secret}`;
export const CLAY = getShop('ClayAndOak');
export const NORD = getShop('NordLinen');
export const ALL_SCOPES = [
  'listings_r',
  'listings_w',
  'listings_d',
  'shops_r',
  'shops_w',
  'transactions_r',
  'transactions_w',
  'email_r',
];
export const CLAY_SHIPPING = 211_740_301;
export const CLAY_READINESS = 1_386_200_000_101;
export const CLAY_RETURNS = 1_142_500_101;

export type Reply = { status: number; headers: Headers; body: any }; // oxlint-disable-line typescript/no-explicit-any -- answers are read field by field
export type Sent = {
  form?: Record<string, string>;
  json?: unknown;
  parts?: FormData;
  headers?: Record<string, string>;
};

export type Rig = {
  sandbox: Sandbox;
  token: string;
  /** One call of the API as the owner of ClayAndOak, unless headers say otherwise. */
  call(method: string, path: string, sent?: Sent): Promise<Reply>;
  control(method: string, path: string, json?: unknown): Promise<Reply>;
  /** A draft mug with only the required fields; `form` adds and replaces. */
  createMug(form?: Record<string, string>): Promise<number>;
};

export async function openRig(options: Partial<SandboxOptions> = {}): Promise<Rig> {
  const sandbox = await startSandbox({
    database_file: ':memory:',
    control: true,
    rate_per_second: 10_000,
    rate_per_day: 1_000_000,
    ...options,
  });
  const token = sandbox.issueGrant(CLAY.user_id, ALL_SCOPES).access_token;
  const call = (method: string, path: string, sent: Sent = {}): Promise<Reply> =>
    send(`${sandbox.url}/v3/application${path}`, method, {
      ...sent,
      headers: { 'x-api-key': KEY, authorization: `Bearer ${token}`, ...sent.headers },
    });
  return {
    sandbox,
    token,
    call,
    control: (method, path, json) => send(`${sandbox.url}/_sandbox${path}`, method, { json }),
    createMug: async (form) => {
      const { status, body } = await call('POST', `/shops/${CLAY.shop_id}/listings`, {
        form: { ...MUG, ...form },
      });
      if (status !== 201) throw new Error(`no draft: ${JSON.stringify(body)}`);
      return body.listing_id;
    },
  };
}

export const MUG: Readonly<Record<string, string>> = {
  quantity: '5',
  title: 'Speckled Mug',
  description: 'A mug with speckles.',
  price: '34.50',
  who_made: 'i_did',
  when_made: 'made_to_order',
  taxonomy_id: '1062',
  shipping_profile_id: String(CLAY_SHIPPING),
  readiness_state_id: String(CLAY_READINESS),
};

/** Headers with an undefined value are omitted, to remove default headers. */
export async function send(url: string, method: string, sent: Sent = {}): Promise<Reply> {
  const headers = Object.fromEntries(Object.entries(sent.headers ?? {}).filter(([, value]) => value !== ''));
  if (sent.json !== undefined) headers['content-type'] ??= 'application/json';
  const body =
    sent.parts ??
    (sent.form && new URLSearchParams(sent.form)) ??
    (sent.json === undefined ? undefined : JSON.stringify(sent.json));
  const response = await fetch(url, { method, headers, body: body ?? null, redirect: 'manual' });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/** One field of each entry of a list in an answer. */
export function pluck(results: Record<string, unknown>[], name: string): unknown[] {
  return results.map((entry) => entry[name]);
}

/** A PNG that differs by `seed`. */
export function buildPng(seed: number, width = 40, height = 30): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (width + 1), seed);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

export function imageParts(bytes: Buffer, fields: Record<string, string> = {}): FormData {
  return fileParts('image', bytes, 'picture.png', fields);
}

export function fileParts(
  part: string,
  bytes: Buffer,
  filename: string,
  fields: Record<string, string> = {},
): FormData {
  const form = new FormData();
  form.set(part, new Blob([new Uint8Array(bytes)]), filename);
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

// Nothing here reads the checksum, so it stays zero.
function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
}

function getShop(name: string) {
  const shop = SANDBOX_SHOPS.find((candidate) => candidate.shop_name === name);
  if (!shop) throw new Error(`no shop ${name}`);
  return shop;
}
