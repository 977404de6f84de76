import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openAddon } from '../../src/sqlite.js';
import { buildEnvironment, runCli, type Environment } from '../surfaces/faces.js';

/*
 * Some characters control a terminal, and others are invisible to people: neither may get there from a name
 * that others chose.
 */

/** Clears the screen and sets the title, with both forms of control sequences; reverses text; hides text. */
const NAME = 'Evil\u001b[2J\u001b]0;title\u0007\u009b31mShop\u202e\u{e0041}\u007f';
// oxlint-disable-next-line no-control-regex -- what may not be there is looked for
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]|[\u{e0000}-\u{e007f}]/u;

let data_dir: string;
let env: Environment;

beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'cli-words-'));
  env = buildEnvironment(data_dir, { MARKETPLACE: 'sandbox' });
  await runCli(['call', 'stores_list'], env);
  const db = openAddon(join(data_dir, 'sandbox.db'));
  db.prepare('UPDATE shops SET shop_name = ?').run(NAME);
  db.close();
  const { stdout } = await runCli(['call', 'stores_list'], env);
  const { stores } = JSON.parse(stdout) as { stores: { shop_id: string }[] };
  for (const { shop_id } of stores) {
    await runCli(['call', 'store_sync', `{"shop_id":${shop_id}}`], env);
  }
});
afterAll(() => rm(data_dir, { recursive: true }));

it('a list for people has no control characters', async () => {
  const { stdout, code } = await runCli(['shops'], env);
  expect(code).toBe(0);
  expect(stdout).toContain('EvilShop');
  expect(stdout).not.toMatch(OBEYED);
});

it('JSON has control characters as escapes, with the same meaning', async () => {
  const { stdout } = await runCli(['call', 'stores_list'], env);
  expect(stdout).not.toMatch(OBEYED);
  const { stores } = JSON.parse(stdout) as { stores: { shop_name: string }[] };
  expect(stores.map(({ shop_name }) => shop_name)).toEqual([NAME, NAME]);
});

it('an error has no control characters', async () => {
  const { stderr, code } = await runCli(['call', NAME], env);
  expect(code).toBe(1);
  expect(stderr).toContain('There is no operation EvilShop');
  expect(stderr).not.toMatch(OBEYED);
});
