import { CALLBACK_PATH } from '../../core/shops/connecting.js';
import { ok, problem, type Check } from './check.js';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The callback address is one that a marketplace sends sellers back to. */
export function checkCallbackAddress(base_url: string): Check {
  const address = `${base_url}${CALLBACK_PATH}`;
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:') {
    return ok('callback address', `${address} has to be registered with the application, to the letter.`);
  }
  if (LOOPBACK.has(hostname)) {
    return ok(
      'callback address',
      `${address} has to be registered with the application, to the letter.`,
      'Where the marketplace takes https only, put the service behind https and set BASE_URL to its address.',
    );
  }
  return problem(
    'callback address',
    `${address} is neither https nor on this computer, so the marketplace does not send sellers to it.`,
    'Put the service behind https and set BASE_URL to its address.',
  );
}
