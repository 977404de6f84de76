import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { checkApplications, checkProxy } from '../../src/cli/doctor/marketplace.js';
import { examine } from '../../src/compose/examination.js';
import { loadConfig } from '../../src/config.js';
import { SANDBOX_APP, startSandbox, type Sandbox } from '../../src/sandbox/index.js';
import { startConnectProxy, type ConnectProxy } from '../marketplace/connect_proxy.js';
import { startScriptedServer } from '../marketplace/scripted_server.js';
import { buildCertificate } from '../media/certificate.js';
import { startService } from '../service.js';
import { buildEnvironment, runCli } from '../surfaces/faces.js';

const API = 'api.marketplace.test';

let sandbox: Sandbox;
let data_dir: string;

beforeEach(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'doctor-proxy-'));
  sandbox = await startSandbox({ database_file: ':memory:', control: true });
});
afterEach(async () => {
  await sandbox.close();
  await rm(data_dir, { recursive: true, force: true });
});

const etsy = (more: Record<string, string>): Record<string, string> => ({
  MARKETPLACE: 'etsy',
  ETSY_API_URL: `http://${API}`,
  ETSY_AUTH_URL: sandbox.url,
  ETSY_KEYSTRING: SANDBOX_APP.keystring,
  ETSY_SHARED_SECRET: SANDBOX_APP.shared_secret,
  ...more,
});

async function openProxy(to_port = Number(new URL(sandbox.url).port), status = 200): Promise<ConnectProxy> {
  const proxy = await startConnectProxy(to_port, status);
  onTestFinished(() => proxy.close());
  return proxy;
}

async function check(environment: Record<string, string>): Promise<string[]> {
  const config = loadConfig({}, { ...etsy(environment), DATA_DIR: data_dir });
  const { marketplace } = await examine(config);
  const checks = [...(await checkProxy(config)), ...checkApplications(marketplace, config.marketplace_proxy)];
  return checks
    .filter(({ name }) => name === 'proxy' || name === 'application')
    .map(({ message }) => message);
}

describe('doctor behind a proxy', () => {
  it('calls the marketplace through HTTPS_PROXY and names the proxy without its password', async () => {
    const proxy = await openProxy();
    const HTTPS_PROXY = proxy.url.replace('//', '//dana:p%40ss@');
    expect(await check({ HTTPS_PROXY })).toEqual([
      `The marketplace is called through ${proxy.url}.`,
      'The marketplace knows application 1093377218.',
    ]);
    const authorization = `Basic ${Buffer.from('dana:p@ss').toString('base64')}`;
    expect(new Set(proxy.asked.map((asked) => JSON.stringify(asked)))).toEqual(
      new Set([JSON.stringify({ target: `${API}:80`, authorization })]),
    );
  });

  it('names the proxy if it refuses the connection or is unreachable', async () => {
    const refusing = await openProxy(0, 407);
    expect((await check({ https_proxy: refusing.url }))[1]).toBe(
      `The marketplace did not answer through the proxy ${refusing.url}: no answer: the proxy refused the connection with status 407.`,
    );
    expect((await check({ HTTPS_PROXY: '127.0.0.1:1' }))[1]).toBe(
      'The marketplace did not answer through the proxy http://127.0.0.1:1: no answer (ECONNREFUSED).',
    );
  });

  it('calls hosts in NO_PROXY and addresses of this computer directly', async () => {
    const proxy = await openProxy();
    const direct = await check({ HTTPS_PROXY: proxy.url, NO_PROXY: 'example.com, .marketplace.test' });
    expect(direct).toEqual([expect.stringMatching(/^The marketplace did not answer: no answer \(E\w+\)\.$/)]);
    expect(await check({ HTTPS_PROXY: proxy.url, ETSY_API_URL: sandbox.url })).toEqual([
      'The marketplace knows application 1093377218.',
    ]);
    expect(proxy.asked).toEqual([]);
  });

  it('reports that NODE_EXTRA_CA_CERTS names an unreadable file', async () => {
    const NODE_EXTRA_CA_CERTS = join(data_dir, 'missing.pem');
    expect((await check({ NODE_EXTRA_CA_CERTS, ETSY_API_URL: sandbox.url }))[0]).toBe(
      `NODE_EXTRA_CA_CERTS names ${NODE_EXTRA_CA_CERTS}, which cannot be read, so Node ignores it.`,
    );
  });

  it('trusts the certificate in NODE_EXTRA_CA_CERTS behind HTTPS_PROXY', { timeout: 120_000 }, async () => {
    const { key, cert } = buildCertificate(API);
    const secure = createServer({ key, cert }, (socket) => {
      const onward = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
      onward.on('error', () => socket.destroy());
      socket.on('error', () => onward.destroy());
      socket.pipe(onward).pipe(socket);
    });
    await new Promise<void>((done) => secure.listen(0, '127.0.0.1', done));
    onTestFinished(() => void secure.close());
    const proxy = await openProxy((secure.address() as AddressInfo).port);
    const file = join(data_dir, 'ca.pem');
    await writeFile(file, cert);
    const env = buildEnvironment(data_dir, etsy({ ETSY_API_URL: `https://${API}`, HTTPS_PROXY: proxy.url }));
    const trusted = await runCli(['doctor'], { ...env, NODE_EXTRA_CA_CERTS: file });
    expect(trusted.stdout).toContain('ok       application: The marketplace knows application 1093377218.');
    expect(proxy.asked[0]?.target).toBe(`${API}:443`);
    const distrusted = await runCli(['doctor'], env);
    expect(distrusted.stdout).toMatch(/through the proxy \S+: no answer \(\w*CERT\w*\)\./);
    expect(distrusted.stdout).toContain('set NODE_EXTRA_CA_CERTS to its certificate file');
  });
});

it('webhooks, whose URLs callers choose, do not use the proxy', async () => {
  const proxy = await openProxy();
  const receiver = await startScriptedServer(() => ({ status: 204 }));
  onTestFinished(() => receiver.close());
  const service = await startService(etsy({ HTTPS_PROXY: proxy.url }), { data_dir });
  onTestFinished(() => service.close({ keep: true }));
  await service.call('webhook_endpoint_set', { url: `${receiver.url}/hook` });
  await service.call('webhook_test', {});
  expect([receiver.seen.map(({ path }) => path), proxy.asked]).toEqual([['/hook'], []]);
});
