import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../../src/sandbox/index.js';
import { fixturePath } from '../service.js';
import { buildEnvironment, openMcpHttp, runCli, startServe } from '../surfaces/faces.js';

/**
 * The built program on a separate folder, with an assistant connected and a second entry point to its
 * marketplace.
 */
export type Scene = {
  url: string;
  key: string;
  /** The database of the embedded marketplace. */
  sandbox_file: string;
  /** A new one-time link into the dashboard. */
  createSignInLink(): Promise<string>;
  /** An assistant's call; throws if it is refused. */
  assist<Output = Record<string, unknown>>(operation_id: string, input?: object): Promise<Output>;
  upload(fixture: string): Promise<string>;
  /** The sandbox's control routes. */
  control<Answer = unknown>(method: string, path: string, body?: object): Promise<Answer>;
  /** Kills the server at once, without letting it finish anything. */
  kill(): Promise<void>;
  /** Starts it again on the same folder and port. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

/** @param settings in addition to those of the tests */
export async function startScene(settings: Record<string, string> = {}): Promise<Scene> {
  const data_dir = await mkdtemp(join(tmpdir(), 'listing-browser-'));
  const environment = buildEnvironment(data_dir, settings);
  let served = await startServe(environment);
  const { url, key } = served;
  let assistant = await openMcpHttp(url, key);
  const sandbox_file = join(data_dir, 'sandbox.db');
  const sandbox = await startSandbox({ database_file: sandbox_file, control: true });

  async function assist<Output>(operation_id: string, input: object = {}): Promise<Output> {
    const answer = await assistant.call(operation_id, { ...input });
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    return answer.output as Output;
  }

  return {
    url,
    key,
    sandbox_file,
    async createSignInLink() {
      const { stdout } = await runCli(['sign-in'], { ...environment, BASE_URL: url });
      return stdout.trim();
    },
    assist,
    async upload(fixture) {
      const file = (await readFile(fixturePath(fixture))).toString('base64');
      const { url: upload_url } = await assist<{ url: string }>('file_upload', { file, filename: fixture });
      return upload_url;
    },
    async control<Answer>(method: string, path: string, body?: object) {
      const answer = await fetch(`${sandbox.url}/_sandbox${path}`, {
        method,
        ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      if (!answer.ok) throw new Error(`control ${path}: ${answer.status} ${await answer.text()}`);
      const text = await answer.text();
      return (text === '' ? undefined : JSON.parse(text)) as Answer;
    },
    async kill() {
      const ended = new Promise((done) => served.process.once('exit', done));
      served.process.kill('SIGKILL');
      await ended;
    },
    async restart() {
      await assistant.close();
      served = await startServe({ ...environment, PORT: new URL(url).port });
      assistant = await openMcpHttp(served.url, served.key);
    },
    async close() {
      await assistant.close();
      await sandbox.close();
      await served.stop();
      await rm(data_dir, { recursive: true, force: true });
    },
  };
}

/** A request for both seeded shops, complete enough to be published. */
export async function buildMugRequest(scene: Scene, title: string, more: object = {}) {
  const { stores } = await scene.assist<{ stores: { shop_id: string }[] }>('stores_list');
  const shops = await Promise.all(
    stores.map(async ({ shop_id }) => {
      const store = await scene.assist<{
        shipping_profiles: { shipping_profile_id: number }[];
        return_policies: { return_policy_id: number }[];
      }>('store_sync', { shop_id: Number(shop_id) });
      return {
        shop_id: Number(shop_id),
        shipping_profile_id: store.shipping_profiles[0]?.shipping_profile_id,
        return_policy_id: store.return_policies[0]?.return_policy_id,
      };
    }),
  );
  return {
    shops,
    listing: {
      title,
      description: 'Thrown on the wheel, glazed by hand.\n\nHolds 300 ml.',
      listing_type: 'physical',
      taxonomy_id: 1062,
      price: 24.5,
      quantity: 4,
      who_made: 'i_did',
      when_made: 'made_to_order',
      is_supply: false,
      tags: ['mug', 'stoneware'],
      materials: ['stoneware'],
    },
    images: [{ url: await scene.upload('mug-front.jpg') }, { url: await scene.upload('mug-side.jpg') }],
    personalization: { enabled: true, is_required: false, instructions: 'Initials', max_chars: 3 },
    variations: {
      properties: [
        { property_id: 513, name: 'Size', values: ['Espresso', 'Breakfast'] },
        { property_id: 514, name: 'Glaze', values: ['Oat', 'Sea'] },
      ],
      offerings: [
        { size: 'Espresso', glaze: 'Oat', price: 19, quantity: 5, sku: 'ESP-OAT' },
        { size: 'Breakfast', glaze: 'Sea', price: 24.5, quantity: 2, sku: 'BRK-SEA' },
      ],
    },
    ...more,
  };
}
