import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '../../compose.js';
import { findFolderOwner } from '../../compose/folder.js';
import { loadConfig, type Config } from '../../config.js';
import type { Call } from '../../core/operations/call.js';
import type { Service } from '../../transports/index.js';
import { say } from '../output.js';
import { toSentence } from '../sentence.js';
import { choosePort } from './listen.js';
import { createWayIn, type WayIn } from './way_in.js';

/** Marks the folder of the real marketplace once a shop has been connected in it. */
const CONNECTED_FILE = 'etsy-connected';
/** Marks that the page was opened automatically in the browser, which happens once. */
const SHOWN_FILE = 'page-shown';

export type Bundle = { findService(): Promise<Service>; close(): Promise<void> };

/**
 * The service as the bundle runs it: on the sandbox until a real shop is connected, and on the real
 * marketplace from then on, each in a data folder of its own. A page on this computer connects the shops.
 * @param flags the settings on the command line
 * @param open starts the service
 */
export async function openBundle(
  flags: Readonly<Record<string, string>>,
  open: (config: Config) => Promise<App>,
): Promise<Bundle> {
  const { data_dir } = loadConfig(flags);
  const load = async (marketplace: 'sandbox' | 'etsy', own: Record<string, string> = {}): Promise<Config> => {
    const folder = await findFolder(data_dir, marketplace);
    const all = { ...flags, ...own, HOST: '127.0.0.1', MARKETPLACE: marketplace, DATA_DIR: folder };
    return choosePort(loadConfig(all), all);
  };
  const config = await load('etsy');
  let isSwitched = await exists(join(config.data_dir, CONNECTED_FILE));
  const real = createSide(() => open(config), withWayIn);
  // The callback address of the real marketplace needs the configured port.
  const sandbox = createSide(async () => open(await load('sandbox', { PORT: '0' })), withWayIn);

  /** Also false if the real marketplace's folder cannot be opened; the page reports why. */
  async function isConnected(): Promise<boolean> {
    try {
      const app = await real.getApp();
      const { account_id } = await app.core.accounts.getDefault();
      return (await app.store.shops.listShops(account_id)).length > 0;
    } catch {
      return false;
    }
  }

  /** Offers a code to those who wait for one, and says where to connect a real shop until there is one. */
  function withWayIn({ service, config: { marketplace } }: App, way: WayIn): Service {
    return {
      ...service,
      async invoke(operation, raw, call) {
        const outcome = await service.invoke(operation, raw, call);
        if (operation.id !== 'stores_list' || !outcome.ok) return outcome;
        if (await way.isCodeWanted()) await way.offerCode(call);
        if (await isConnected()) return outcome;
        const message = await describeWay(call, marketplace === 'etsy').catch(toSentence);
        return { ...outcome, output: { ...(outcome.output as object), message } };
      },
    };
  }

  async function describeWay(call: Call, hasNoShop: boolean): Promise<string> {
    const { base_url } = await real.way.open();
    if (hasNoShop) await real.way.show(SHOPS_PATH);
    await real.way.offerCode(call);
    const shops = hasNoShop ? 'No shop is connected.' : 'These are practice shops; nothing reaches Etsy.';
    return `${shops} The person connects an Etsy shop on this computer, at ${base_url}${SHOPS_PATH}, and then asks again.`;
  }

  async function showOnce(): Promise<void> {
    await real.way.open();
    if (await mark(join(config.data_dir, SHOWN_FILE))) await real.way.show(SHOPS_PATH);
  }

  await (isSwitched ? real : sandbox).getApp();
  if (!isSwitched) sandbox.way.open().catch(report);
  (isSwitched ? real.way.open() : showOnce()).catch(report);
  return {
    async findService() {
      if (!isSwitched && (await isConnected())) {
        await mark(join(config.data_dir, CONNECTED_FILE));
        isSwitched = true;
      }
      return (isSwitched ? real : sandbox).getService();
    },
    async close() {
      await Promise.all([real.close(), sandbox.close()]);
    },
  };
}

type Side = {
  way: WayIn;
  getApp(): Promise<App>;
  getService(): Promise<Service>;
  close(): Promise<void>;
};

/** The service on one marketplace, opened when it is first needed. */
function createSide(open: () => Promise<App>, wrap: (app: App, way: WayIn) => Service): Side {
  let opening: Promise<{ app: App; service: Service }> | undefined;
  const openOnce = () => {
    opening ??= open().then((app) => ({ app, service: wrap(app, way) }));
    // The next call tries again, since the cause may be gone.
    opening.catch(() => (opening = undefined));
    return opening;
  };
  const getApp = async () => (await openOnce()).app;
  const way = createWayIn(getApp);
  return {
    way,
    getApp,
    getService: async () => (await openOnce()).service,
    async close() {
      await way.close();
      const opened = await opening?.catch(() => undefined);
      await opened?.app.close();
    },
  };
}

const SHOPS_PATH = '/dashboard/shops';

/** A folder that an older version of the bundle, or another command, uses for this marketplace stays in use. */
async function findFolder(data_dir: string, marketplace: string): Promise<string> {
  return (await findFolderOwner(data_dir)) === marketplace ? data_dir : join(data_dir, marketplace);
}

/** Creates an empty file. Returns whether it did not exist before. */
async function mark(file: string): Promise<boolean> {
  return writeFile(file, '', { mode: 0o600, flag: 'wx' }).then(
    () => true,
    () => false,
  );
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

function report(cause: unknown): void {
  say(`listing-service: ${toSentence(cause)}`);
}
