import ipaddr from 'ipaddr.js';

/** @param host as in a setting or a URL, with or without brackets */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (bare === 'localhost') return true;
  return ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'loopback';
}

/**
 * Whether `localhost` stands for this address: links use that name, so that the browser's cookies belong to
 * one host.
 */
export function isLocalhost(host: string): boolean {
  return ['localhost', '127.0.0.1', '::1'].includes(host.replace(/^\[(.*)\]$/, '$1'));
}
