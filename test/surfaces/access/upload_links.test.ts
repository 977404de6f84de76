import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/world/clock.js';
import { startDashboard, type TestDashboard } from '../../dashboard/visitor.js';
import { letIn } from '../../let_in.js';
import { fixturePath } from '../../service.js';
import { createStatelessClient } from '../../transports/mcp/stateless_client.js';

/* The one-time upload address expires with the key or the login that requested it. */

let dashboard: TestDashboard;
let ahead_ms = 0;
beforeAll(async () => {
  const clock = { ...systemClock, now: () => new Date(Date.now() + ahead_ms) };
  dashboard = await startDashboard({}, { clock });
});
afterAll(() => dashboard.close());

const getCore = () => dashboard.service.app.core;

async function askForAddress(headers: Record<string, string>): Promise<string> {
  const { answer } = await createStatelessClient(dashboard.url, headers).callTool('file_upload', {
    type: 'image',
  });
  const { upload_url } = (answer.result?.['structuredContent'] ?? {}) as { upload_url?: string };
  if (upload_url === undefined) throw new Error(JSON.stringify(answer));
  return upload_url.replace(/^https?:\/\/[^/]+/, dashboard.url);
}

const send = async (address: string) => {
  const body = await readFile(fixturePath('photo-01.jpg'));
  return (await fetch(`${address}?filename=a.jpg`, { method: 'POST', body })).status;
};
const open = async (address: string) => (await fetch(address)).status;

it('an upload address ends when its key is revoked', async () => {
  const { key, key_id } = await getCore().accounts.createKey(dashboard.account_id, 'short');
  const [first, second] = [
    await askForAddress({ 'x-service-api-key': key }),
    await askForAddress({ 'x-service-api-key': key }),
  ];
  expect(await send(first)).toBe(200);
  expect(await open(second)).toBe(200);
  await getCore().accounts.revokeKey(dashboard.account_id, key_id);
  expect([await open(second), await send(second)]).toEqual([404, 404]);
});

it('an upload address ends when its key expires', async () => {
  const { key } = await getCore().accounts.createKey(dashboard.account_id, 'hour', { life_ms: 60_000 });
  const address = await askForAddress({ 'x-service-api-key': key });
  ahead_ms += 2 * 60_000;
  expect([await open(address), await send(address)]).toEqual([404, 404]);
});

it('an upload address ends with the login of an assistant', async () => {
  const { access_token } = await letIn(getCore(), dashboard.account_id, 'assistant');
  const [first, second] = [
    await askForAddress({ authorization: `Bearer ${access_token}` }),
    await askForAddress({ authorization: `Bearer ${access_token}` }),
  ];
  expect(await send(first)).toBe(200);
  const [grant] = await getCore().grants.list(dashboard.account_id);
  await getCore().grants.end(dashboard.account_id, grant?.grant_id ?? '');
  expect([await open(second), await send(second)]).toEqual([404, 404]);
});

it('an upload address rejects a file that is still arriving when its key is revoked', async () => {
  const { key, key_id } = await getCore().accounts.createKey(dashboard.account_id, 'slow');
  const address = await askForAddress({ 'x-service-api-key': key });
  const photo = await readFile(fixturePath('photo-01.jpg'));
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(photo.subarray(0, 1_000)),
    async pull(controller) {
      await expect.poll(() => readdir(join(dashboard.service.data_dir, 'staging'))).not.toEqual([]);
      await getCore().accounts.revokeKey(dashboard.account_id, key_id);
      controller.enqueue(photo.subarray(1_000));
      controller.close();
    },
  });
  const init = { method: 'POST', body, duplex: 'half' };
  expect((await fetch(`${address}?filename=a.jpg`, init)).status).toBe(404);
});

it('an upload address stays open when another key of the account is revoked', async () => {
  const [mine, other] = [
    await getCore().accounts.createKey(dashboard.account_id, 'mine'),
    await getCore().accounts.createKey(dashboard.account_id, 'other'),
  ];
  const address = await askForAddress({ 'x-service-api-key': mine.key });
  await getCore().accounts.revokeKey(dashboard.account_id, other.key_id);
  expect(await send(address)).toBe(200);
});
