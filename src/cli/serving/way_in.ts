import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '../../compose.js';
import { LINK_MS } from '../../core/identity/sessions.js';
import type { Call } from '../../core/operations/call.js';
import { openBrowser } from '../open_browser.js';
import { say } from '../output.js';
import { openLocalPage, type LocalPage } from './local_page.js';

/** The time at which someone opened the page without a link, in whichever process of the folder serves it. */
const CODE_WANTED_FILE = 'code-wanted';

/** How a person gets into the dashboard that this process, or another one on the same folder, serves. */
export type WayIn = {
  /** Serves the page unless it is already being served. */
  open(): Promise<LocalPage>;
  /** Opens the page in the browser, with a link that works once. At most once in 15 minutes. */
  show(path: string): Promise<void>;
  /** Whether someone is waiting for a code. */
  isCodeWanted(): Promise<boolean>;
  /** Logs a code, and shows it to the person if someone is waiting for it. */
  offerCode(call: Call): Promise<void>;
  close(): Promise<void>;
};

/** @param getApp returns the service whose dashboard it is */
export function createWayIn(getApp: () => Promise<App>): WayIn {
  let page: Promise<LocalPage> | undefined;
  let code: { text: string; until: number } | undefined;
  let shown_until = 0;

  const getFile = async () => join((await getApp()).config.data_dir, CODE_WANTED_FILE);

  async function open(): Promise<LocalPage> {
    const app = await getApp();
    const file = await getFile();
    page ??= openLocalPage(app, () => {
      // The previous one may have been used.
      code = undefined;
      writeFile(file, '', { mode: 0o600 }).catch(() => undefined);
    });
    page.catch(() => (page = undefined));
    const found = await page;
    // The process that serves it may exit before this one.
    if (found.is_elsewhere) page = undefined;
    return found;
  }

  async function getAccountId(): Promise<string> {
    return (await (await getApp()).core.accounts.getDefault()).account_id;
  }

  async function getCode(base_url: string): Promise<string> {
    if (code && code.until > Date.now()) return code.text;
    const { core } = await getApp();
    const text = await core.sessions.createCode(await getAccountId());
    code = { text, until: Date.now() + LINK_MS };
    say(`The code for ${base_url}/dashboard is ${text}; it is valid for 15 minutes.`);
    return text;
  }

  async function isCodeWanted(): Promise<boolean> {
    const { mtimeMs } = await stat(await getFile()).catch(() => ({ mtimeMs: 0 }));
    return mtimeMs > Date.now() - LINK_MS;
  }

  return {
    open,
    async show(path) {
      if (shown_until > Date.now()) return;
      const { base_url } = await open();
      const { token } = await (await getApp()).core.sessions.createLink(await getAccountId());
      shown_until = Date.now() + LINK_MS;
      openBrowser(`${base_url}/dashboard/sign-in?${new URLSearchParams({ link: token, to: path })}`);
    },
    isCodeWanted,
    async offerCode({ showToPerson }) {
      const { base_url } = await open();
      const text = await getCode(base_url);
      if (!showToPerson || !(await isCodeWanted())) return;
      try {
        await showToPerson(`The code for ${base_url} is ${text}. Enter it only there.`);
        await rm(await getFile(), { force: true });
      } catch {
        // It is in the log.
      }
    },
    async close() {
      const served = await page?.catch(() => undefined);
      await served?.close();
    },
  };
}
