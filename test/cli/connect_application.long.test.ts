import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startSandbox, type Sandbox } from '../../src/sandbox/index.js';
import { follow, openConsentPage } from '../consent.js';
import { CLAY, send } from '../sandbox/harness.js';
import { buildEnvironment, runCli, type Environment } from '../surfaces/faces.js';
import { startConnect } from './connecting.js';

const OWN = { keystring: 'own0keystring', shared_secret: 'own0secret0never0told' };

let folder: string;
let secret_file: string;
let sandbox: Sandbox;
let env: Environment;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'connect-'));
  secret_file = join(folder, 'secret');
  await writeFile(secret_file, `${OWN.shared_secret}\n`);
  sandbox = await startSandbox({ database_file: ':memory:', control: true });
  await send(`${sandbox.url}/_sandbox/applications`, 'POST', { json: { ...OWN, user_id: CLAY.user_id } });
  env = buildEnvironment(join(folder, 'data'), {
    MARKETPLACE: 'etsy',
    ETSY_API_URL: sandbox.url,
    ETSY_AUTH_URL: sandbox.url,
    LOG_LEVEL: 'debug',
  });
});
afterEach(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

async function agree(args: string[]) {
  const connecting = await startConnect(env, args);
  expect(new URL(connecting.consent_url).searchParams.get('client_id')).toBe(OWN.keystring);
  const page = await openConsentPage(connecting.consent_url);
  expect((await follow(await page.submit({ user_id: CLAY.user_id }))).status).toBe(200);
  return connecting.end;
}

describe('the command connect, if the installation has no application,', { timeout: 120_000 }, () => {
  it("takes the shop's application from options and a file, and needs no input afterwards", async () => {
    const end = await agree(['--keystring', OWN.keystring, '--secret-file', secret_file]);
    expect(end).toMatchObject({ code: 0, stdout: expect.stringContaining('ClayAndOak') });
    const again = await agree([String(CLAY.shop_id)]);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('is connected again.') });
    const doctor = await runCli(['doctor'], env);
    expect(doctor.stdout).toContain('ok       application own0keys… of default: The marketplace knows');
    const printed = [end, again, doctor].map(({ stdout, stderr }) => stdout + stderr).join('');
    expect(printed).not.toContain(OWN.shared_secret);
    const database = await readFile(join(folder, 'data', 'service.db'));
    expect(database.includes(OWN.shared_secret)).toBe(false);
  });

  it('says what is missing or wrong before it sends a browser to the marketplace', async () => {
    const nothing = await runCli(['connect', '--no-browser'], env);
    expect([nothing.code, nothing.stderr]).toEqual([
      1,
      expect.stringContaining('are required. Add --keystring and --secret-file.'),
    ]);
    await writeFile(secret_file, 'not0the0secret');
    const wrong = await runCli(
      ['connect', '--no-browser', '--keystring', OWN.keystring, '--secret-file', secret_file],
      env,
    );
    expect([wrong.code, wrong.stdout]).toEqual([1, '']);
    expect(wrong.stderr).toContain('The marketplace does not accept this keystring with this shared secret.');
    expect(wrong.stderr).not.toContain('not0the0secret');
    const half = await runCli(['connect', '--no-browser', '--secret-file', secret_file], env);
    expect(half.stderr).toContain('A secret needs its keystring: add --keystring.');
  });
});
