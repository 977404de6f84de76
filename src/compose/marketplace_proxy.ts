import type { Config } from '../config.js';
import { findProxy } from '../config/proxy.js';

/** Hosts of the marketplace: its site and API, and the host of its photos and videos. */
const HOSTS = ['etsy.com', 'etsystatic.com'];

/**
 * The proxy for an address of the marketplace; undefined for every other address, and if it is reached
 * directly.
 */
export function findMarketplaceProxy(
  config: Pick<Config, 'https_proxy' | 'no_proxy'>,
  address: string,
): string | undefined {
  const { protocol, hostname, port } = new URL(address);
  const isOwn = HOSTS.some((host) => hostname === host || hostname.endsWith(`.${host}`));
  return isOwn && protocol === 'https:' && port === '' ? findProxy(address, config) : undefined;
}
