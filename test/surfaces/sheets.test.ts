import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BatchAnswer } from '../../schemas/batch.js';
import type { Call } from '../../src/core/operations/call.js';
import { openAddon } from '../../src/sqlite.js';
import { createHttpFace, type HttpFace } from '../../src/transports/index.js';
import { readRows, set, writeRows } from '../core/batches/sheet_world.js';
import { makeListing, type Made } from '../core/listings/update/rig.js';
import { startService, type TestService } from '../service.js';
import { buildEnvironment, openMcpHttp, openMcpStdio } from './faces.js';

/* A sheet is downloaded and uploaded over each transport. */

let service: TestService;
let face: HttpFace;
let url: string;
let key: string;
let folder: string;
let made: Made;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheets-'));
  service = await startService({ BASE_URL: 'http://127.0.0.1:1' });
  face = await createHttpFace(service.app.service, { host: '127.0.0.1', port: 0, trust_proxy: false });
  url = `http://127.0.0.1:${face.port}`;
  key = await createKey(false);
  made = await makeListing(service, { photos: 1, state: 'publish', listing: { price: 20 } });
});
afterAll(async () => {
  await face.close(1_000);
  await service.close();
  await rm(folder, { recursive: true });
});

async function createKey(isReadOnly: boolean): Promise<string> {
  const { accounts } = service.app.core;
  const { account_id } = await accounts.getDefault();
  return (await accounts.createKey(account_id, `key ${isReadOnly}`, { is_read_only: isReadOnly })).key;
}

const select = () => JSON.stringify({ listing_pks: [made.listing_pk] });
const get = (query: Record<string, string>, own = key) =>
  fetch(`${url}/api/v1/batches/sheet?${new URLSearchParams(query).toString()}`, {
    headers: { 'x-service-api-key': own },
  });

async function upload(bytes: Buffer, filename: string): Promise<Response> {
  const form = new FormData();
  form.set('type', 'sheet');
  form.set('file', new Blob([new Uint8Array(bytes)]), filename);
  return fetch(`${url}/api/v1/uploads`, {
    method: 'POST',
    headers: { 'x-service-api-key': key },
    body: form,
  });
}

/** A seller who raises all prices. */
const raise = async (csv: Buffer) =>
  writeRows(set(await readRows(csv), 'price', (price) => String(Number(price) + 1)));

describe('over REST', () => {
  it('a sheet is downloaded, and the uploaded sheet becomes a plan', async () => {
    const response = await get({ select: select(), format: 'csv' });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="listings-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const uploaded = await upload(await raise(Buffer.from(await response.arrayBuffer())), 'prices.csv');
    const { url: sheet } = (await uploaded.json()) as { url: string };
    const planned = await fetch(`${url}/api/v1/batches`, {
      method: 'POST',
      headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ sheet }),
    });
    expect([planned.status, ((await planned.json()) as BatchAnswer).counts.changed]).toEqual([201, 2]);
  });

  it('the answer is a workbook unless another format is requested', async () => {
    const response = await get({ select: select() });
    expect(response.headers.get('content-type')).toMatch(/spreadsheetml\.sheet$/);
    expect(Buffer.from(await response.arrayBuffer()).toString('latin1', 0, 2)).toBe('PK');
  });

  it('the file is rendered once', async () => {
    const { accounts, sheets } = service.app.core;
    const { account_id } = await accounts.getDefault();
    const call: Call = { face: 'rest', caller: { account_id, credential: 'key', credential_id: 'x' } };
    const input = { select: { listing_pks: [made.listing_pk] }, format: 'csv' as const };
    const result = await sheets.create(input, call);
    expect(sheets.read(result, call).bytes).toBe(sheets.read(result, call).bytes);
  });

  it('a read-only key can download a sheet', async () => {
    expect((await get({ select: select() }, await createKey(true))).status).toBe(200);
  });

  it('warnings are in a header', async () => {
    const response = await get({ select: select(), colour: 'é' });
    expect(JSON.parse(response.headers.get('x-service-warnings') ?? '')).toMatchObject([
      { code: 'unknown_field', fields: ['colour'] },
    ]);
  });

  it('a selection that is refused is answered as JSON', async () => {
    const response = await get({ select: '{"listing_pks":[999]}' });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      400,
      'application/json; charset=utf-8',
    ]);
  });

  it.each([
    ['an image', Buffer.from('\u0089PNG\r\n\u001a\n\0\0', 'latin1'), 'VALIDATION_FAILED'],
    ['text that is not UTF-8', Buffer.from('listing_pk;title\n1;Schüssel', 'latin1'), 'VALIDATION_FAILED'],
    ['more than 10 MB', Buffer.alloc(10 * 1024 * 1024 + 1, 'a'), 'FILE_TOO_LARGE'],
  ])('an upload of %s is refused', async (_what, bytes, code) => {
    const response = await upload(bytes, 'sheet.csv');
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
      400,
      code,
    ]);
  });
});

describe('over MCP with HTTP', () => {
  it('the answer is an address that returns the file once', async () => {
    const mcp = await openMcpHttp(url, key);
    const answer = await mcp.call('batch_sheet', {
      select: { listing_pks: [made.listing_pk] },
      format: 'csv',
    });
    await mcp.close();
    if (!answer.ok) throw new Error(answer.error.message);
    const { pathname } = new URL(String(answer.output['download_url']));
    expect((await fetch(url + pathname.replace('download', 'upload'))).status).toBe(404);
    expect((await fetch(url + pathname, { method: 'HEAD' })).status).toBe(404);
    const first = await fetch(url + pathname);
    expect(await readRows(Buffer.from(await first.arrayBuffer()))).toHaveLength(2);
    const second = await fetch(url + pathname);
    expect([second.status, await second.json()]).toMatchObject([404, { error: { code: 'NOT_FOUND' } }]);
  });
});

it('an unknown download link is looked up without waiting for the writer', async () => {
  const writer = openAddon(join(service.data_dir, 'service.db'));
  writer.exec('BEGIN IMMEDIATE');
  try {
    expect((await fetch(`${url}/download/unknown`)).status).toBe(404);
  } finally {
    writer.close();
  }
});

describe('over MCP with stdio', () => {
  const call = { face: 'mcp_stdio' } as const;

  it('the file is written into an upload folder and its path returned, also on a read-only server', async () => {
    await service.close({ keep: true });
    const env = buildEnvironment(service.data_dir, { UPLOAD_ROOTS: folder, READ_ONLY: 'on' });
    const mcp = await openMcpStdio(env);
    const answer = await mcp.call('batch_sheet', {
      select: { listing_pks: [made.listing_pk] },
      format: 'csv',
    });
    await mcp.close();
    if (!answer.ok) throw new Error(answer.error.message);
    const path = String(answer.output['path']);
    expect(path.startsWith(folder)).toBe(true);
    expect(await readRows(await readFile(path))).toHaveLength(2);
    service = await startService({ UPLOAD_ROOTS: join(folder, 'none') }, { data_dir: service.data_dir });
  }, 60_000);

  it('the error says what to do if no folder is writable', async () => {
    const input = { select: { listing_pks: [made.listing_pk] } };
    const { code, message } = await service.refuse('batch_sheet', input, call);
    expect([code, message]).toEqual([
      'VALIDATION_FAILED',
      expect.stringContaining('add another folder to UPLOAD_ROOTS'),
    ]);
  });
});
