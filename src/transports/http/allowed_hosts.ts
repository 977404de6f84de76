import type { IncomingHttpHeaders } from 'node:http';
import { parseUrl } from '../../core/text/parse_url.js';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Whether an address points to this computer, so that no other computer can use it. */
export function isLoopbackUrl(url: string): boolean {
  return LOOPBACK.includes(new URL(url).hostname);
}

/**
 * Whether both Host and Origin name this service. A page of another site can make a browser send requests
 * here (also to loopback, by pointing its own name at it), and only these two headers reveal that. Without an
 * Origin, the request does not come from a page.
 */
export function createHostCheck(base_url: string, host: string): (headers: IncomingHttpHeaders) => boolean {
  const own = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  const allowed = new Set([...LOOPBACK, own.toLowerCase(), new URL(base_url).hostname]);
  const isAllowed = (url: string) => {
    const name = parseUrl(url)?.hostname;
    return name !== undefined && allowed.has(name);
  };
  // The host of the last accepted request: most requests name the same one.
  let known_host: string | undefined;
  return ({ host: hostHeader, origin }) => {
    if (origin === undefined && hostHeader !== undefined && hostHeader === known_host) return true;
    if (hostHeader === undefined || /[@/\\?#\s]/.test(hostHeader) || !isAllowed(`http://${hostHeader}`)) {
      return false;
    }
    known_host = hostHeader;
    return origin === undefined || (/^https?:\/\//.test(origin) && isAllowed(origin));
  };
}
