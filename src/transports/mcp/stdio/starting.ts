import type { Log } from '../../../core/ports/index.js';
import type { Service } from '../../service.js';
import type { Method, RequestContext } from '../method.js';
import type { Offer, RunMethod } from '../offer.js';
import type { Spoken } from './lines.js';

/**
 * `start`: returns the service, and starts it at the latest when it is first needed. A later call may return
 * another service.
 */
type Starting = { version: string; start(): Promise<Service> };

/** A server that responds at once: fixed responses need no service, and calls wait until it has started. */
export function speakBeforeStart({ runs, ...offer }: Offer, { version, start }: Starting): Spoken {
  const running = new WeakMap<Service, Readonly<Record<RunMethod, Method>>>();
  const loadRunning = async (): Promise<Readonly<Record<RunMethod, Method>>> => {
    const [service, { createRunning }] = await Promise.all([start(), import('../methods.js')]);
    const methods = running.get(service) ?? createRunning(service);
    running.set(service, methods);
    return methods;
  };
  const defer =
    (name: RunMethod): Method =>
    async (...call) =>
      (await loadRunning())[name](...call);
  const callers = new WeakMap<Service, RequestContext['caller']>();
  const findCaller = async () => {
    const service = await start();
    const known = callers.get(service);
    if (known) return known;
    const { account_id } = await service.accounts.getDefault();
    const caller = { account_id, credential: 'local', credential_id: 'local' } as const;
    callers.set(service, caller);
    return caller;
  };
  const log =
    (level: keyof Log): Log[keyof Log] =>
    (...line) =>
      void start().then(
        (service) => service.log[level](...line),
        // The process that started it reports that it cannot start.
        () => undefined,
      );
  return {
    methods: { ...offer, byName: new Map(runs.map((name) => [name, defer(name)])) },
    caller: findCaller,
    service: {
      version,
      log: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
      continuations: {
        issue: async (...given) => (await start()).continuations.issue(...given),
        resume: async (...given) => (await start()).continuations.resume(...given),
      },
    },
  };
}
