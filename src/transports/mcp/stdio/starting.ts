import type { Log } from '../../../core/ports/index.js';
import type { Service } from '../../service.js';
import type { Method, RequestContext } from '../method.js';
import type { Offer, RunMethod } from '../offer.js';
import type { Spoken } from './lines.js';

/** A service that is started when it is first needed, or before. Starting more than once changes nothing. */
type Starting = { version: string; start(): Promise<Service> };

/** A server that answers at once: fixed answers need no service, calls wait until it has started. */
export function speakBeforeStart({ runs, ...offer }: Offer, { version, start }: Starting): Spoken {
  let running: Readonly<Record<RunMethod, Method>> | undefined;
  const loadRunning = async (): Promise<Readonly<Record<RunMethod, Method>>> => {
    if (running) return running;
    const [service, { createRunning }] = await Promise.all([start(), import('../methods.js')]);
    return (running ??= createRunning(service));
  };
  const defer =
    (name: RunMethod): Method =>
    async (...call) =>
      (await loadRunning())[name](...call);
  let caller: RequestContext['caller'] | undefined;
  const findCaller = async () => {
    if (caller) return caller;
    const { account_id } = await (await start()).accounts.getDefault();
    return (caller ??= { account_id, credential: 'local', credential_id: 'local' });
  };
  const log =
    (level: keyof Log): Log[keyof Log] =>
    (...line) =>
      void start().then(
        (service) => service.log[level](...line),
        // The process that started it tells that it does not start.
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
