import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { buildEnvironment, runCli, startServe } from '../surfaces/faces.js';

it('sign-in and serve print links that open the dashboard', async () => {
  const data_dir = await mkdtemp(join(tmpdir(), 'sign-in-'));
  onTestFinished(() => rm(data_dir, { recursive: true }));
  const environment = buildEnvironment(data_dir);
  const served = await startServe(environment, { terminal: true });
  const { url } = served;
  await expect.poll(() => served.stdout).toMatch(/sign-in\?link=\S+/);
  const printed = /\S+\/dashboard\/sign-in\?link=\S+/.exec(served.stdout)?.[0] ?? '';
  const { stdout, stderr } = await runCli(['sign-in'], { ...environment, BASE_URL: url });
  expect(stderr).toContain('once, within 15 minutes');

  for (const link of [printed, stdout.trim()]) {
    expect(link.startsWith(`${url}/dashboard/sign-in?link=`)).toBe(true);
    const page = await (await fetch(link)).text();
    expect(page).toContain('Open the dashboard');
    const body = new URLSearchParams({ link: new URL(link).searchParams.get('link') ?? '' });
    const opened = await fetch(`${url}/dashboard/sign-in`, { method: 'POST', body, redirect: 'manual' });
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/dashboard']);
  }

  const unknown = await runCli(['sign-in', '--account', 'nobody'], environment);
  expect([unknown.code, unknown.stdout]).toEqual([1, '']);
  await served.stop();
});
