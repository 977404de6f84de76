import { isLoopback } from './loopback.js';

type Proxies = {
  https_proxy: string | undefined;
  /** Hosts that are reached directly, including their subdomains; `*` for all. */
  no_proxy: readonly string[];
};

/**
 * The proxy for an address, by the rules of curl and Node for NO_PROXY; undefined if the address is reached
 * directly. Addresses of this computer are never behind a proxy.
 */
export function findProxy(address: string, { https_proxy, no_proxy }: Proxies): string | undefined {
  const url = new URL(address);
  if (isLoopback(url.hostname)) return undefined;
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (no_proxy.some((entry) => isNamedBy(entry, url.hostname, port))) return undefined;
  return https_proxy;
}

function isNamedBy(entry: string, hostname: string, port: string): boolean {
  if (entry === '*') return true;
  const [, name = '', only_port] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
  if (only_port !== undefined && only_port !== port) return false;
  return name !== '' && (hostname === name || hostname.endsWith(`.${name}`));
}

/** The address of a proxy without its user and password. */
export function toShownProxy(proxy: string): string {
  return new URL(proxy).origin;
}

export function hasPassword(proxy: string): boolean {
  return new URL(proxy).username !== '';
}
