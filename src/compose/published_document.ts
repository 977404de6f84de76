import { readFile, stat } from 'node:fs/promises';
import type { Config } from '../config.js';
import { compareWithDocument, PUBLISHED_DOCUMENT } from '../marketplace/index.js';
import {
  createGuardedDispatcher,
  createProxiedDispatcher,
  fetchDocument,
  type GuardedDispatcherOptions,
} from '../media/index.js';
import { readPackage } from '../version.js';
import { findMarketplaceProxy } from './marketplace_proxy.js';

/** The document has about 1 MB. */
const LIMIT_BYTES = 16 * 1024 * 1024;
const DEADLINE_MS = 20_000;

/**
 * `differences`: between the document and this release, one sentence each. `unreachable`: an address did not
 * return it, which is not a fault if this computer is offline. `unreadable`: the given file cannot be read,
 * or its content is not the document.
 */
export type FactsExamination = { source: string } & (
  { differences: string[] } | { unreachable: string } | { unreadable: string }
);

/** @param named a file, or an https address; undefined for the marketplace's own */
export async function examineFacts(
  config: Pick<Config, 'egress_allow_cidrs' | 'https_proxy' | 'no_proxy'>,
  named: string | undefined,
  network: Partial<GuardedDispatcherOptions> = {},
): Promise<FactsExamination> {
  const source = named ?? PUBLISHED_DOCUMENT;
  const isAddress = /^https?:\/\//i.test(source);
  try {
    const text = isAddress
      ? await fetchText(source, findMarketplaceProxy(config, source), {
          egress_allow_cidrs: config.egress_allow_cidrs,
          ...network,
        })
      : await readText(source);
    const differences = compareWithDocument(parseJson(text));
    return differences
      ? { source, differences }
      : { source, unreadable: "it is not the document of the marketplace's interface" };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return isAddress ? { source, unreachable: reason } : { source, unreadable: reason };
  }
}

async function fetchText(
  url: string,
  proxy: string | undefined,
  options: GuardedDispatcherOptions,
): Promise<string> {
  const user_agent = `marketplace-listing-service/${readPackage().version}`;
  const guarded = createGuardedDispatcher(options);
  const dispatcher = proxy === undefined ? guarded : createProxiedDispatcher(guarded, proxy, options.ca);
  const limits = { limit_bytes: LIMIT_BYTES, deadline_ms: DEADLINE_MS };
  return (await fetchDocument({ dispatcher, user_agent }, url, limits)).text;
}

async function readText(file: string): Promise<string> {
  const found = await stat(file);
  if (!found.isFile()) throw new Error('it is not a file');
  if (found.size > LIMIT_BYTES) throw new Error(`it has more than ${LIMIT_BYTES / 1024 ** 2} MiB`);
  return readFile(file, 'utf8');
}

/** Undefined if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
