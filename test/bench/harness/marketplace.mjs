import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { compose } from '../../../.build/src/compose.js';
import { loadConfig } from '../../../.build/src/config.js';
import { SANDBOX_APP, SANDBOX_SHOPS, startSandbox } from '../../../.build/src/sandbox/index.js';
import { operations } from '../../../.build/tools/index.js';
import { ENGINES } from './engines.mjs';
import { buildSettings, CLI, findLine, makeFolder, start } from './processes.mjs';

const SCOPES = ['listings_r', 'listings_w', 'shops_r', 'transactions_r'];
const FIRST_SHOP = 60_000_001;

/**
 * The service in this process, so its processor time is only the work's, with its marketplace in another
 * process, in a separate place.
 *
 * @param {number} shop_count shops to connect
 * @param {string} upload_root
 * @param {object} [sandbox_settings] applied before the first call, because pacing learns the latency from every call
 * @param {import('./engines.mjs').Engine} [engine] of the service; SQLite by default
 */
export async function openMarketplace(shop_count, upload_root, sandbox_settings = {}, engine = ENGINES[0]) {
  const folder = await makeFolder();
  const place = await engine.openPlace();
  const sandbox_dir = join(folder.path, 'sandbox');
  const process = start(
    [CLI, 'sandbox', '--port', '0', '--control'],
    buildSettings(sandbox_dir, { SANDBOX_RATE: '100000' }),
  );
  const [, url] = await findLine(process.child, /^Sandbox marketplace: (\S+)$/);
  const settings = {
    ...place.settings,
    MARKETPLACE: 'etsy',
    ETSY_API_URL: url,
    ETSY_KEYSTRING: SANDBOX_APP.keystring,
    ETSY_SHARED_SECRET: SANDBOX_APP.shared_secret,
    UPLOAD_ROOTS: upload_root,
  };
  const app = await compose(loadConfig({}, settings), { is_http: false });
  const { account_id } = await app.core.accounts.getDefault();
  const call = { caller: { account_id, credential: 'local' }, face: 'cli' };

  /** @param {object} [more] of the call */
  async function invoke(id, value, more = {}) {
    const operation = operations.find((known) => known.id === id);
    const outcome = await app.service.invoke(operation, { value }, { ...call, ...more });
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.error.error));
    return outcome.output;
  }

  async function control(method, path, body) {
    const options = { method, body: body && JSON.stringify(body) };
    const answer = await fetch(`${url}/_sandbox${path}`, options);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  // Grants are stored in its file, so a second entry point to it can give them.
  const door = await startSandbox({ database_file: join(sandbox_dir, 'sandbox.db') });
  await control('POST', '/settings', sandbox_settings);
  const shops = await Promise.all(Array.from({ length: shop_count }, (_, number) => connect(number)));
  await door.close();

  async function connect(number) {
    const { shop_id, user_id } =
      SANDBOX_SHOPS[number] ??
      (await control('POST', '/shops/equip', { shop_id: FIRST_SHOP + number, shop_name: `Shop${number}` }));
    const grant = door.issueGrant(user_id, SCOPES);
    await app.store.tokens.saveTokens(
      { account_id, shop_id },
      {
        access_token: grant.access_token,
        refresh_token: grant.refresh_token,
        access_expires_at: new Date(Date.now() + grant.expires_in * 1_000).toISOString(),
        scopes: SCOPES,
      },
    );
    await app.core.shops.connect({ account_id, shop_id });
    const store = await invoke('store_sync', { shop_id });
    return {
      shop_id,
      token: grant.access_token,
      shipping_profile_id: store.shipping_profiles[0].shipping_profile_id,
      return_policy_id: store.return_policies[0].return_policy_id,
      processing_profile_id: store.processing_profiles[0].readiness_state_id,
    };
  }

  return {
    url,
    app,
    place,
    account_id,
    pid: process.pid,
    shops,
    invoke,
    control,
    api_key: `${SANDBOX_APP.keystring}:${SANDBOX_APP.shared_secret}`,
    /** Runs a job to its end, and throws unless every shop has its listing. */
    async publish(request) {
      const job = await invoke('listing_create', { ...request, idempotency_key: randomUUID() });
      if (job.status !== 'completed' || job.results.some(({ status }) => status !== 'ok')) {
        throw new Error(JSON.stringify(job));
      }
    },
    /** Marketplace calls by operation since the world started, or since an earlier count. */
    async countCalls(before = {}) {
      const { calls } = await control('GET', '/state?shop_id=1');
      const added = Object.entries(calls).map(([name, count]) => [name, count - (before[name] ?? 0)]);
      return Object.fromEntries(added.filter(([, count]) => count > 0));
    },
    async close() {
      await app.close();
      await process.stop();
      await place.remove();
      await folder.remove();
    },
  };
}
