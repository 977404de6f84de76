import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { MediaError } from '../../core/ports/media.js';
import { type AddressPolicy, toCanonicalAddress } from './address_policy.js';
import type { Lookup, ResolvedAddress } from './lookup.js';
import { toHost, type UrlPolicy } from './url_policy.js';

/* Our own code, since ready-made filters check the addresses that a name resolves to and let literal
   addresses pass, or check before connecting and let a name pass that resolves differently the second time.
   Here the connection only uses the list that was checked. */

export type ConnectGuard = { addresses: AddressPolicy; urls: UrlPolicy; lookup: Lookup; ca?: string };

/**
 * Opens the one connection for a checked URL. Checks the address three times: the literal or every DNS answer
 * (one bad answer refuses all), a socket that can connect only to that list, and the peer it reached, before
 * a byte is sent. Throws MediaError dns, blocked_address or connect; after an abort, the signal's reason.
 */
export async function connectGuarded(
  guard: ConnectGuard,
  url: URL,
  signal: AbortSignal,
): Promise<Socket | TLSSocket> {
  const checked = await resolveChecked(guard, url, signal);
  const socket = await openSocket(url, checked, signal);
  if (url.protocol !== 'https:') return socket;
  return await secureSocket(socket, toHost(url), signal, guard.ca);
}

async function resolveChecked(
  guard: ConnectGuard,
  url: URL,
  signal: AbortSignal,
): Promise<ResolvedAddress[]> {
  const host = toHost(url);
  const family = isIP(host);
  const answers = family === 0 ? await resolve(guard.lookup, host, signal) : [{ address: host, family }];
  const isExempt = answers.every((answer) => guard.addresses.isExempt(answer.address));
  const isAllowed = answers.every((answer) => guard.addresses.isAllowed(answer.address));
  if (!isAllowed || (guard.urls.isExemptionNeeded(url) && !isExempt)) throw blocked();
  return answers.slice(0, MAX_ADDRESSES).map(({ address }) => ({ address, family: isIP(address) }));
}

async function resolve(
  lookup: Lookup,
  host: string,
  signal: AbortSignal,
): Promise<readonly ResolvedAddress[]> {
  const answers = await lookup(host, signal).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw new MediaError('dns', 'The host name of the URL cannot be resolved.', { cause });
  });
  if (answers.length === 0) throw new MediaError('dns', 'The host name of the URL has no address.');
  return answers;
}

function openSocket(url: URL, checked: readonly ResolvedAddress[], signal: AbortSignal): Promise<Socket> {
  const [first] = checked;
  if (first === undefined) return Promise.reject(blocked());
  const allowed = new Set(checked.map(({ address }) => toCanonicalAddress(address)));
  const answerChecked: LookupFunction = (_hostname, options, callback) => {
    if (options.all === true) callback(null, [...checked]);
    else callback(null, first.address, first.family);
  };
  const socket = connectTcp({
    host: toHost(url),
    port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
    lookup: answerChecked,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
    noDelay: true,
  });
  return whenReady(socket, 'connect', signal).then(() => {
    const peer = toCanonicalAddress(socket.remoteAddress ?? '');
    if (peer !== undefined && allowed.has(peer)) return socket;
    socket.destroy();
    throw blocked();
  });
}

async function secureSocket(
  socket: Socket,
  host: string,
  signal: AbortSignal,
  ca: string | undefined,
): Promise<TLSSocket> {
  const secure = connectTls({
    socket,
    host,
    servername: isIP(host) === 0 ? host : '',
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  });
  await whenReady(secure, 'secureConnect', signal);
  return secure;
}

/** Waits for the event; destroys the socket on an error and on abort. */
function whenReady(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      signal.removeEventListener('abort', onAbort);
      socket.off(event, onReady).off('error', onError).off('close', onClose);
      act();
    };
    const fail = (reason: Error): void =>
      settle(() => {
        // A later error of the socket needs a listener too, or it would end the process.
        socket.on('error', () => undefined).destroy();
        reject(reason);
      });
    const onReady = (): void => settle(resolve);
    const onError = (cause: Error): void => fail(notConnected(cause));
    const onClose = (): void => fail(notConnected());
    const onAbort = (): void => fail(toReason(signal));
    socket.on(event, onReady).on('error', onError).on('close', onClose);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

function toReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('The connection was aborted.');
}

function notConnected(cause?: Error): MediaError {
  return new MediaError('connect', 'The server of the URL cannot be connected to.', { cause });
}

function blocked(): MediaError {
  return new MediaError('blocked_address', 'The URL is not on the public internet.');
}

const MAX_ADDRESSES = 16;
const ATTEMPT_TIMEOUT_MS = 500;
