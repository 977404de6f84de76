import type { GuardedDispatcher } from './guarded_dispatcher.js';

/** The part of a dispatcher that fetches single files. */
export type FileDispatcher = Pick<GuardedDispatcher, 'checkUrl'> & {
  openClient(url: URL, signal: AbortSignal): Promise<FileClient>;
};
type FileClient = Pick<Awaited<ReturnType<GuardedDispatcher['openClient']>>, 'request'> & {
  destroy(): Promise<void>;
};

/**
 * Fetches through the operator's HTTP proxy. The proxy resolves the name, so the address behind it cannot be
 * checked: use it only for hosts known to be the marketplace's. Like the guarded dispatcher, it follows no
 * redirect.
 */
export function createProxiedDispatcher(
  { checkUrl }: Pick<GuardedDispatcher, 'checkUrl'>,
  proxy: string,
  ca: string | undefined,
): FileDispatcher {
  return {
    checkUrl,
    async openClient(_url, signal) {
      const undici = await import('undici');
      const agent = new undici.ProxyAgent({
        uri: proxy,
        // The caller's signal is the deadline.
        headersTimeout: 0,
        bodyTimeout: 0,
        ...(ca !== undefined && { requestTls: { ca } }),
      });
      // Also aborts connecting, which undici's own signal does not.
      const stop = (): void => void agent.destroy();
      signal.addEventListener('abort', stop, { once: true });
      return {
        request: agent.request.bind(agent),
        async destroy() {
          signal.removeEventListener('abort', stop);
          await agent.destroy();
        },
      };
    },
  };
}
