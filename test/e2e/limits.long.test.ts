import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import {
  buildEnvironment,
  openCli,
  openMcpHttp,
  openMcpStdio,
  openRest,
  runCli,
  startServe,
  type Environment,
  type Face,
} from '../surfaces/faces.js';

/* The limits of an account, over all faces and processes together. */

let data_dir: string;
beforeEach(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'limits-'));
});
afterEach(() => rm(data_dir, { recursive: true }));

async function serve(env: Environment) {
  const served = await startServe(env);
  onTestFinished(async () => {
    await served.stop();
  });
  return served;
}

async function makeKey(env: Environment, ...args: string[]): Promise<string> {
  const { stdout } = await runCli(['keys', 'create', '--json', ...args], env);
  return (JSON.parse(stdout) as { key: string }).key;
}

async function callOnce(face: Face): Promise<string> {
  const answer = await face.call('stores_list');
  await face.close();
  return answer.ok ? 'ok' : answer.error.code;
}

it('a day’s calls are counted together over REST, MCP, stdio and the command line, and across a restart', async () => {
  const env = buildEnvironment(data_dir, { RATE_LIMIT_PER_DAY: '5' });
  const first = await serve(env);
  const { key } = first;
  const ask = (url: string, path = '/stores') =>
    fetch(`${url}/api/v1${path}`, { headers: { 'x-service-api-key': key } });

  const faces = [
    () => Promise.resolve(openRest(first.url, key)),
    () => openMcpHttp(first.url, key),
    () => openMcpStdio(env),
    () => Promise.resolve(openCli(env)),
  ];
  for (const open of faces) expect(await callOnce(await open())).toBe('ok');
  // A refused call counts too, but a request that is not a call does not.
  await fetch(`${first.url}/docs`);
  await ask(first.url, '/nowhere');
  const fifth = await ask(first.url, '/listings/999');
  expect([fifth.status, fifth.headers.get('x-ratelimit-remaining-day')]).toEqual([404, '0']);
  for (const open of faces) expect(await callOnce(await open())).toBe('RATE_LIMIT_DAY');

  await first.stop();
  const second = await serve(env);
  const refused = await ask(second.url);
  const wait_s = Number(refused.headers.get('retry-after'));
  expect([refused.status, Number.isInteger(wait_s)]).toEqual([429, true]);
  expect(wait_s).toBeGreaterThan(23 * 60 * 60);
  expect(wait_s).toBeLessThanOrEqual(24 * 60 * 60);

  // Another account has its own count.
  const other = await makeKey(env, '--account', 'other');
  expect(await callOnce(openRest(second.url, other))).toBe('ok');
}, 180_000);

it('a success carries the four numbers, and calls beyond two in a second are refused with the seconds to wait', async () => {
  const env = buildEnvironment(data_dir, { RATE_LIMIT_PER_SECOND: '2', RATE_LIMIT_PER_DAY: '5000' });
  const { url, key } = await serve(env);
  const headers = { 'x-service-api-key': key };
  const passed: Response[] = [];
  const refused: Response[] = [];
  // On a busy machine a few calls may take so long that none exceeds the second's limit.
  while (refused.length === 0) {
    const ask = () => fetch(`${url}/api/v1/stores`, { headers });
    const answers = await Promise.all(Array.from({ length: 12 }, ask));
    passed.push(...answers.filter(({ status }) => status === 200));
    refused.push(...answers.filter(({ status }) => status === 429));
    expect((passed.length + refused.length) % 12).toBe(0);
  }
  expect(refused.map((answer) => answer.headers.get('retry-after'))).toEqual(refused.map(() => '1'));
  const days = passed.map((answer) => Number(answer.headers.get('x-ratelimit-remaining-day')));
  expect(days.sort((a, b) => a - b)).toEqual(passed.map((_answer, index) => 5000 - passed.length + index));
  for (const answer of passed) {
    expect(answer.headers.get('x-ratelimit-limit-second')).toBe('2');
    expect(answer.headers.get('x-ratelimit-limit-day')).toBe('5000');
    expect(['0', '1']).toContain(answer.headers.get('x-ratelimit-remaining-second'));
  }
}, 120_000);
