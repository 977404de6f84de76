import type { ListingJobResult } from '../answers.js';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { marked, type Tokens } from 'marked';
import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.js';
import { readGuides } from '../../src/transports/pages/docs/guides.js';
import { buildMug, fixturePath, TARGETS } from '../service.js';
import { buildEnvironment, openRest, startServe, type Environment, type Face } from '../surfaces/faces.js';
import { openShell } from './shell.js';

type World = {
  listings: { listing_id: number; state: string; images: unknown[] }[];
  fees: unknown[];
  calls: Record<string, number>;
};

/** The commands below a heading of the operators' guide, each block as printed. */
function readCommands(heading: string): string[] {
  const markdown = readGuides().find(({ name }) => name === 'operators')?.markdown ?? '';
  const tokens = marked.lexer(markdown);
  const from = tokens.findIndex(
    (token) => token.type === 'heading' && (token as Tokens.Heading).text === heading,
  );
  const rest = tokens.slice(from + 1);
  const to = rest.findIndex(({ type }) => type === 'heading');
  return rest
    .slice(0, to)
    .filter((token): token is Tokens.Code => token.type === 'code')
    .map(({ text }) => text);
}

/** Another entry point to the marketplace in a folder. */
async function openDoor(folder: string) {
  const sandbox = await startSandbox({ database_file: join(folder, 'sandbox.db'), control: true });
  return {
    async ask<Answer = unknown>(method: string, path: string, body?: unknown): Promise<Answer> {
      const answer = await fetch(`${sandbox.url}/_sandbox${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return (await answer.json()) as Answer;
    },
    close: () => sandbox.close(),
  };
}

async function serve(env: Environment) {
  const served = await startServe(env);
  onTestFinished(async () => {
    await served.stop();
  });
  return served;
}

async function call<Output>(rest: Face, id: string, input: Record<string, unknown>): Promise<Output> {
  const answer = await rest.call(id, input);
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.output as Output;
}

it(
  "after the guide's restore during an activation, the listing exists once and is paid once",
  { timeout: 120_000 },
  async () => {
    const [backup = '', restore = '', ...more] = readCommands('Back up and restore');
    expect(more).toEqual([]);
    const data_dir = await mkdtemp(join(tmpdir(), 'operator-'));
    const env = buildEnvironment(data_dir, { RECONCILE_SETTLE_MS: '300' });
    const shell = await openShell(env);
    onTestFinished(async () => {
      await shell.close();
      await rm(data_dir, { recursive: true });
    });
    const first = await serve(env);
    const rest = openRest(first.url, first.key);
    await call(rest, 'store_sync', { shop_id: TARGETS.clay.shop_id });
    const file = (await readFile(fixturePath('photo-01.jpg'))).toString('base64');
    const { url } = await call<{ url: string }>(rest, 'file_upload', {
      file,
      filename: 'mug.jpg',
      type: 'image',
    });

    const door = await openDoor(data_dir);
    const rule = { operation: 'createDraftListing', action: { type: 'slow', ms: 8_000 } };
    await door.ask('POST', '/faults', { rules: [rule] });
    const body = buildMug([TARGETS.clay], { state: 'active', images: [{ url }] });
    const answer = call<ListingJobResult>(rest, 'listing_create', body);
    await expect
      .poll(async () => (await door.ask<World>('GET', '/state')).calls['createDraftListing'])
      .toBe(1);
    await shell.run(backup);
    const { job_id, results } = await answer;
    expect(results?.[0]).toMatchObject({ activated: true, activation_cost_usd: 0.2 });
    await door.close();
    await first.stop();

    // The marketplace is elsewhere, and keeps its state.
    const restored = join(shell.folder, 'restored');
    await mkdir(restored);
    await cp(join(data_dir, 'sandbox.db'), join(restored, 'sandbox.db'));
    expect(await shell.run(restore)).toContain('ClayAndOak');

    const second = await serve({ ...env, DATA_DIR: restored });
    const again = openRest(second.url, first.key);
    const look = () => call<ListingJobResult>(again, 'listing_create_status', { job_id });
    await expect.poll(async () => (await look()).status, { timeout: 60_000 }).toBe('completed');
    const { listings, fees } = await openDoor(restored).then(async (other) => {
      const world = await other.ask<World>('GET', '/state');
      await other.close();
      return world;
    });
    expect(listings.map(({ state, images }) => [state, images.length])).toEqual([['active', 1]]);
    expect(fees).toHaveLength(1);
    expect((await look()).results?.[0]).toMatchObject({
      status: 'ok',
      listing_id: listings[0]?.listing_id,
      activated: true,
      activation_cost_usd: 0.2,
    });
    expect(await shell.run('listing-service doctor', { DATA_DIR: restored })).toMatch(
      /ok +restore: Restored at \S+ from a backup of \S+\. Anything created in between is unknown here\./,
    );
  },
);

it("the guide's commands copy everything and restore it into an empty place", async () => {
  const [commands = '', ...more] = readCommands('Everything at once');
  expect(more).toEqual([]);
  const data_dir = await mkdtemp(join(tmpdir(), 'operator-'));
  const shell = await openShell(buildEnvironment(data_dir));
  onTestFinished(async () => {
    await shell.close();
    await rm(data_dir, { recursive: true });
  });
  await shell.run('listing-service keys create');
  const told = await shell.run(commands);
  expect(told).toContain('It includes the key');
  expect(told).toMatch(/restored from a backup of \S+, with 0 files/);
  expect(
    await shell.run('listing-service keys list', { DATA_DIR: join(shell.folder, 'from-backup') }),
  ).toMatch(/\bkey_/);
});
