import type { Config } from '../config.js';
import { isLoopback } from './loopback.js';

/** Warnings for the operator about settings that are allowed but seldom intended, one sentence each. */
export function listAdvice({ host, base_url, trust_proxy }: Config): string[] {
  const { protocol, hostname } = new URL(base_url);
  const isPublic = !isLoopback(hostname);
  const advice: string[] = [];
  if (isPublic && protocol === 'http:') {
    advice.push(
      `BASE_URL is ${base_url}: keys and tokens travel unencrypted, and assistants may refuse to log in. Put a proxy with https in front and name its address.`,
    );
  }
  if (isPublic && isLoopback(host) && trust_proxy === false) {
    advice.push(
      'TRUST_PROXY is off: all callers seem to come from the proxy, and share its limit on wrong keys. Set TRUST_PROXY=on.',
    );
  }
  if (!isLoopback(host) && trust_proxy === true) {
    advice.push(
      `TRUST_PROXY is on while HOST is ${host}: a caller that connects without the proxy can claim any address. Set it to the proxy's addresses instead.`,
    );
  }
  return advice;
}
