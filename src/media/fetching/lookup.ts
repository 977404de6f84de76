import { lookup as lookupSystem, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import pLimit, { type LimitFunction } from 'p-limit';
import { untilAborted } from '../../core/async/until_aborted.js';
import { isLocalName } from './url_policy.js';

export type ResolvedAddress = { address: string; family: number };

/** Returns every address of a name; throws if there is none, and soon after the signal is aborted. */
export type Lookup = (hostname: string, signal: AbortSignal) => Promise<readonly ResolvedAddress[]>;

export type LookupOptions = {
  /** Name servers as `address:port`, instead of the system's. */
  name_servers?: readonly string[] | undefined;
  /** Instead of the system's. */
  hosts_file?: string | undefined;
};

/**
 * Looks names up as the system does, in the hosts file and then at the system's name servers, but can be
 * aborted and blocks no thread: the system's own function (getaddrinfo) occupies one of the process's few
 * threads while a name server lets it wait, and other lookups and file reads of this process queue up behind
 * it. Only that function knows the names of the local network (mDNS, search domains), so they are left to it,
 * one at a time; unless a setting allows private addresses, they are refused before this point.
 */
export function createLookup({ name_servers, hosts_file = HOSTS_FILE }: LookupOptions): Lookup {
  const limit = pLimit(1);

  async function find(hostname: string, signal: AbortSignal): Promise<readonly ResolvedAddress[]> {
    const listed = await findInHosts(hosts_file, hostname);
    if (listed.length > 0) return listed;
    if (/(^|\.)localhost$/.test(hostname)) return LOOPBACK;
    return isLocalName(hostname)
      ? await askSystem(limit, hostname, signal)
      : await askNameServers(name_servers, hostname, signal);
  }

  return async (hostname, signal) => {
    signal.throwIfAborted();
    const deadline = new AbortController();
    const late = setTimeout(() => deadline.abort(new Error('No name server answered in time.')), LIMIT_MS);
    const onAbort = (): void => deadline.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await find(hostname, deadline.signal);
    } finally {
      clearTimeout(late);
      signal.removeEventListener('abort', onAbort);
    }
  };
}

/**
 * Asks name servers, with a resolver for each name: an abort cancels only this query, and a changed network
 * is noticed.
 */
async function askNameServers(
  name_servers: readonly string[] | undefined,
  hostname: string,
  signal: AbortSignal,
): Promise<ResolvedAddress[]> {
  signal.throwIfAborted();
  const resolver = new Resolver({ timeout: FIRST_WAIT_MS, tries: TRIES });
  if (name_servers !== undefined) resolver.setServers(name_servers);
  const onAbort = (): void => resolver.cancel();
  signal.addEventListener('abort', onAbort, { once: true });
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  signal.removeEventListener('abort', onAbort);
  signal.throwIfAborted();
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
  // If one address family fails or is late, the addresses of the other still count.
  return [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.map(toResolved) : []));
}

/**
 * Asks the system's function, which cannot be canceled: an aborted call returns at once, but the next name
 * waits until the function has returned.
 */
async function askSystem(
  limit: LimitFunction,
  hostname: string,
  signal: AbortSignal,
): Promise<ResolvedAddress[]> {
  signal.throwIfAborted();
  const asked = limit(async () => {
    signal.throwIfAborted();
    return await lookupSystem(hostname, { all: true, verbatim: true });
  });
  return await untilAborted(asked, signal);
}

/** Every address that the hosts file has for a name; none if there is no such file. */
async function findInHosts(file: string, hostname: string): Promise<ResolvedAddress[]> {
  const text = (await readFile(file, 'utf8').catch(() => '')).toLowerCase();
  if (!text.includes(hostname)) return [];
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    return isIP(address) !== 0 && names.includes(hostname) ? [toResolved(address)] : [];
  });
}

function toResolved(address: string): ResolvedAddress {
  return { address, family: isIP(address) };
}

/** The limit for a whole lookup, however many name servers are tried. */
const LIMIT_MS = 5_000;
/** How long to wait for a name server; the second time, twice as long. */
const FIRST_WAIT_MS = 1_000;
const TRIES = 2;

const HOSTS_FILE = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

/** Addresses of localhost, for which no name server is asked (RFC 6761, section 6.3). */
const LOOPBACK = ['127.0.0.1', '::1'].map(toResolved);
