import ipaddr from 'ipaddr.js';

/** @param host as a setting or a URL has it, with or without brackets */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (bare === 'localhost') return true;
  return ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'loopback';
}

/** Whether `localhost` names this address: the name that links have, so that the cookies of a browser belong to one host. */
export function isLocalhost(host: string): boolean {
  return ['localhost', '127.0.0.1', '::1'].includes(host.replace(/^\[(.*)\]$/, '$1'));
}
