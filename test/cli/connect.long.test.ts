import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { follow, openConsentPage } from '../consent.js';
import { NORD, CLAY } from '../sandbox/harness.js';
import { buildEnvironment, runCli, startServe, type Environment } from '../surfaces/faces.js';
import { startConnect } from './connecting.js';

let env: Environment;

beforeEach(async () => {
  const data_dir = await mkdtemp(join(tmpdir(), 'connect-'));
  env = buildEnvironment(data_dir);
});
afterEach(() => rm(env['DATA_DIR'] ?? '', { recursive: true }));

describe('the command connect', { timeout: 120_000 }, () => {
  it('receives the response itself if no server is running', async () => {
    await runCli(['disconnect', String(NORD.shop_id)], env);
    const connecting = await startConnect(env);
    const page = await openConsentPage(connecting.consent_url);
    const answered = await follow(await page.submit({ user_id: NORD.user_id }));
    expect([answered.status, await answered.text()]).toEqual([200, expect.stringContaining('NordLinen')]);
    expect(await connecting.end).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`\nNordLinen (${NORD.shop_id}, EUR) is connected.\n`),
    });
  });

  it('uses a running server if it works on the same data', async () => {
    const served = await startServe(env);
    const port = new URL(served.url).port;
    const connecting = await startConnect({ ...env, PORT: port }, [String(CLAY.shop_id)]);
    const page = await openConsentPage(connecting.consent_url);
    const callback = await page.submit({ user_id: CLAY.user_id });
    expect(callback.startsWith(`${served.url}/connect/callback?`)).toBe(true);
    expect((await follow(callback)).status).toBe(200);
    expect(await connecting.end).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('ClayAndOak (48213377, USD) is connected again.'),
    });

    const elsewhere = await mkdtemp(join(tmpdir(), 'connect-'));
    onTestFinished(() => rm(elsewhere, { recursive: true }));
    const other = await runCli(['connect', '--no-browser'], { ...env, PORT: port, DATA_DIR: elsewhere });
    expect(other).toMatchObject({ code: 1, stdout: '' });
    expect(other.stderr).toContain(
      'is taken by another program, or by a listing-service with another DATA_DIR',
    );
    expect(await served.stop()).toBe(0);
  });

  it('takes the address that the browser could not open, and opens no port', async () => {
    await runCli(['disconnect', String(NORD.shop_id)], env);
    const connecting = await startConnect(env, ['--paste']);
    const page = await openConsentPage(connecting.consent_url);
    const callback = await page.submit({ user_id: NORD.user_id });
    await expect(fetch(callback)).rejects.toThrow('fetch failed');
    connecting.write(`${callback}\n`);
    expect(await connecting.end).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`\nNordLinen (${NORD.shop_id}, EUR) is connected.\n`),
    });
    const other = await startConnect(env, ['--paste']);
    other.write('https://www.etsy.com/your/shops\n');
    expect(await other.end).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('This is not the address that the marketplace sent the browser to'),
    });
  });

  it('names a port that another program has taken', async () => {
    const taken = createServer((socket) => socket.end('HELLO\r\n'));
    await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as { port: number };
    const { code, stderr } = await runCli(['connect', '--no-browser'], { ...env, PORT: String(port) });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Port ${port} on 127.0.0.1 is taken by`)]);
  });

  it('ends with the consequence if the seller does not agree', async () => {
    const connecting = await startConnect(env);
    const page = await openConsentPage(connecting.consent_url);
    const answered = await follow(await page.submit({ decision: 'deny' }));
    expect([answered.status, await answered.text()]).toEqual([
      400,
      expect.stringContaining('Access was not granted on Etsy'),
    ]);
    const { code, stderr } = await connecting.end;
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(
        'listing-service: The seller did not grant access, so no shop was connected. Start again',
      ),
    ]);
  });

  it('stops on request, and refuses an invalid shop_id', async () => {
    const connecting = await startConnect(env);
    connecting.stop();
    expect(await connecting.end).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Stopped before the seller answered: no shop was connected.'),
    });
    expect(await runCli(['connect', 'ClayAndOak'], env)).toMatchObject({
      code: 1,
      stderr: 'listing-service: A shop_id is a number such as 48213377, not "ClayAndOak".\n',
    });
  });
});

describe('the commands shops and disconnect', { timeout: 120_000 }, () => {
  it('show what is connected and what is kept', async () => {
    const listed = await runCli(['shops', '--json'], env);
    expect(JSON.parse(listed.stdout)).toEqual({
      shops: [
        {
          shop_id: CLAY.shop_id,
          shop_name: 'ClayAndOak',
          currency_code: 'USD',
          last_synced_at: expect.any(String),
          is_reconnect_required: false,
        },
        expect.objectContaining({ shop_name: 'NordLinen' }),
      ],
    });
    const ended = await runCli(['disconnect', String(CLAY.shop_id)], env);
    expect([ended.code, ended.stdout]).toEqual([
      0,
      'ClayAndOak is disconnected: its tokens and the data read from it are deleted.\n' +
        'Kept: 0 saved listings that were published there, and all of them on the marketplace.\n' +
        'To revoke the permission on the marketplace as well, the shop owner opens Apps in the account settings.\n',
    ]);
    expect((await runCli(['shops'], env)).stdout).toMatch(/^52660914 {2}NordLinen {2}EUR {2}synced \S+\n$/);
    expect(await runCli(['disconnect', String(CLAY.shop_id)], env)).toMatchObject({
      code: 1,
      stderr: `listing-service: Shop ${CLAY.shop_id} is not connected to this account; connected: 52660914 ("NordLinen").\n`,
    });
  });
});
