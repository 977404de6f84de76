import { parseUrl } from '../../text/parse_url.js';

const MAX_CHARS = 2048;
const LOOPBACK = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/;

/**
 * URL schemes of assistants and editors that receive the code themselves. Any other scheme could be claimed by any program.
 */
const APPLICATION_SCHEMES: readonly string[] = [
  'claude:',
  'cursor:',
  'vscode:',
  'vscode-insiders:',
  'windsurf:',
];

/** For messages to people who register a client. */
export const REDIRECT_URI_RULE = `an https URL, an http URL on localhost, 127.0.0.1 or [::1], or begin with ${APPLICATION_SCHEMES.join(' ')}; without a fragment`;

/** Where a code may be sent: https, http only on this computer, or a known application's own scheme (RFC 8252). */
export function isAcceptableRedirectUri(uri: string): boolean {
  // No fragment, as OAuth requires; nothing that the parser drops or rewrites, so that the compared text is the text that is
  // used.
  if (uri.length > MAX_CHARS || !/^[\x21-\x7e]+$/.test(uri) || /[#\\"<>^`{|}]/.test(uri)) return false;
  const url = parseUrl(uri);
  if (!url) return false;
  const { protocol, username, password, hostname } = url;
  if (username !== '' || password !== '') return false;
  if (protocol === 'https:') return hostname !== '' && uri.startsWith('https://');
  if (protocol === 'http:') return LOOPBACK.test(uri);
  return uri.startsWith(protocol) && APPLICATION_SCHEMES.includes(protocol);
}

/**
 * Whether the URI equals one of the client's own; only the port of a loopback address may differ, since a program takes any
 * free one. A URI that was registered under other rules no longer counts.
 */
export function isOneOf(uri: string, registered: readonly string[]): boolean {
  if (!isAcceptableRedirectUri(uri)) return false;
  if (registered.includes(uri)) return true;
  return registered.some((own) => LOOPBACK.test(own) && dropPort(own) === dropPort(uri));
}

function dropPort(uri: string): string {
  return uri.replace(LOOPBACK, '$1');
}

/**
 * The receiver of the code, in words for a person: a website's host, a program on this computer, or an application by its
 * scheme.
 */
export function describeReceiver(uri: string): { kind: 'site' | 'computer' | 'application'; name: string } {
  const { protocol, host } = new URL(uri);
  if (protocol === 'https:') return { kind: 'site', name: host };
  if (protocol === 'http:') return { kind: 'computer', name: host };
  return { kind: 'application', name: protocol.slice(0, -1) };
}
