import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '../../compose.js';
import { findFolderOwner } from '../../compose/folder.js';
import { loadConfig, type Config } from '../../config.js';
import { LINK_MS } from '../../core/identity/sessions.js';
import type { Call } from '../../core/operations/call.js';
import type { Service } from '../../transports/index.js';
import { openBrowser } from '../open_browser.js';
import { say } from '../output.js';
import { toSentence } from '../sentence.js';
import { choosePort } from './listen.js';
import { openLocalPage, type LocalPage } from './local_page.js';

/** Marks the folder of the real marketplace once a shop has been connected in it. */
const CONNECTED_FILE = 'etsy-connected';
/** Marks that the page was opened in the browser by itself, which happens once. */
const SHOWN_FILE = 'page-shown';

export type Bundle = { findService(): Promise<Service>; close(): Promise<void> };

/**
 * The service as the bundle runs it: on the sandbox until a real shop is connected, and on the real marketplace from then on, each in a
 * data folder of its own. A page on this computer connects the shops.
 * @param flags the settings that the command line names
 * @param open starts the service
 */
export async function openBundle(
  flags: Readonly<Record<string, string>>,
  open: (config: Config) => Promise<App>,
): Promise<Bundle> {
  const { data_dir } = loadConfig(flags);
  const load = async (marketplace: 'sandbox' | 'etsy'): Promise<Config> => {
    const folder = await findFolder(data_dir, marketplace);
    const own = { ...flags, HOST: '127.0.0.1', MARKETPLACE: marketplace, DATA_DIR: folder };
    return choosePort(loadConfig(own), own);
  };
  const config = await load('etsy');
  let isSwitched = await exists(join(config.data_dir, CONNECTED_FILE));
  const opened: Promise<App>[] = [];
  const openOnce = (choose: () => Promise<Config>) => {
    let opening: Promise<{ app: App; service: Service }> | undefined;
    return () =>
      (opening ??= choose().then(async (chosen) => {
        const starting = open(chosen);
        opened.push(starting);
        const app = await starting;
        return { app, service: withWayToConnect(app) };
      }));
  };
  const openReal = openOnce(() => Promise.resolve(config));
  const openSandbox = openOnce(() => load('sandbox'));

  let page: Promise<LocalPage> | undefined;
  let code: { text: string; until: number } | undefined;
  let code_wanted_until = 0;
  let shown_until = 0;

  async function openPage(): Promise<LocalPage> {
    const { app } = await openReal();
    page ??= openLocalPage(app, () => {
      code_wanted_until = Date.now() + LINK_MS;
      // The last one may have been used.
      code = undefined;
    });
    page.catch(() => (page = undefined));
    const found = await page;
    // The process that serves it may end before this one.
    if (found.is_elsewhere) page = undefined;
    return found;
  }

  /** Opens the page in the browser, with a link that works once. */
  async function show({ base_url }: LocalPage): Promise<void> {
    const { app } = await openReal();
    const { account_id } = await app.core.accounts.getDefault();
    const { token } = await app.core.sessions.createLink(account_id);
    shown_until = Date.now() + LINK_MS;
    openBrowser(`${base_url}/dashboard/sign-in?${new URLSearchParams({ link: token, to: SHOPS_PATH })}`);
  }

  async function getCode({ base_url }: LocalPage): Promise<string> {
    if (code && code.until > Date.now()) return code.text;
    const { app } = await openReal();
    const { account_id } = await app.core.accounts.getDefault();
    const text = await app.core.sessions.createCode(account_id);
    code = { text, until: Date.now() + LINK_MS };
    say(`To connect a shop, open ${base_url}${SHOPS_PATH} and enter the code ${text} within 15 minutes.`);
    return text;
  }

  /** False as well while the real marketplace's folder cannot be opened; the page reports why. */
  async function isConnected(): Promise<boolean> {
    try {
      const { app } = await openReal();
      const { account_id } = await app.core.accounts.getDefault();
      return (await app.store.shops.listShops(account_id)).length > 0;
    } catch {
      return false;
    }
  }

  /** Adds to the list of shops where a real one is connected, as long as none is. */
  function withWayToConnect({ service, config: { marketplace } }: App): Service {
    return {
      ...service,
      async invoke(operation, raw, call) {
        const outcome = await service.invoke(operation, raw, call);
        if (operation.id !== 'stores_list' || !outcome.ok || (await isConnected())) return outcome;
        const message = await offerPage(call, marketplace === 'etsy').catch(toSentence);
        return { ...outcome, output: { ...(outcome.output as object), message } };
      },
    };
  }

  async function offerPage(call: Call, hasNoShop: boolean): Promise<string> {
    const found = await openPage();
    if (hasNoShop && shown_until < Date.now()) await show(found);
    const text = await getCode(found);
    if (call.tellPerson && code_wanted_until > Date.now()) {
      await call.tellPerson(`The code for ${found.base_url} is ${text}. Enter it only there.`).then(
        () => (code_wanted_until = 0),
        () => undefined,
      );
    }
    const shops = hasNoShop ? 'No shop is connected.' : 'These are practice shops; nothing reaches Etsy.';
    return `${shops} The person connects an Etsy shop on this computer, at ${found.base_url}${SHOPS_PATH}, and then asks again.`;
  }

  async function begin(): Promise<void> {
    if (isSwitched) {
      await openReal();
      openPage().catch(report);
      return;
    }
    await openSandbox();
    showOnce().catch(report);
  }

  async function showOnce(): Promise<void> {
    const found = await openPage();
    if (await mark(join(config.data_dir, SHOWN_FILE))) await show(found);
  }

  await begin();
  return {
    async findService() {
      if (!isSwitched && (await isConnected())) {
        await mark(join(config.data_dir, CONNECTED_FILE));
        isSwitched = true;
      }
      return (await (isSwitched ? openReal() : openSandbox())).service;
    },
    async close() {
      const served = await page?.catch(() => undefined);
      await served?.close();
      await Promise.all(opened.map(async (starting) => (await starting.catch(() => undefined))?.close()));
    },
  };
}

const SHOPS_PATH = '/dashboard/shops';

/** A folder that an older version of the bundle, or another command, uses for this marketplace stays in use. */
async function findFolder(data_dir: string, marketplace: string): Promise<string> {
  return (await findFolderOwner(data_dir)) === marketplace ? data_dir : join(data_dir, marketplace);
}

/** Makes an empty file. Whether there was none before. */
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
