import type { Chance } from '../kernel/chance.js';
import type { Schedule } from '../kernel/schedule.js';
import type { PlannedFault } from '../plan.js';

/** The fate of one exchange. */
export type Fate =
  | { kind: 'plain' }
  /** No connection; nothing was sent. */
  | { kind: 'refused' }
  /** Cut off before it arrived. */
  | { kind: 'reset' }
  /** Takes effect, and its answer is lost. */
  | { kind: 'lost' }
  /** Takes effect, and the connection goes silent. */
  | { kind: 'silent' }
  /** Arrives this much later. */
  | { kind: 'late'; delay_ms: number }
  /** Takes effect at once, answered this much later. */
  | { kind: 'slow'; delay_ms: number }
  /** A proxy sends it twice. */
  | { kind: 'twice'; answer: 'first' | 'second' | 'none' }
  /** Takes effect; half of the answer arrives, and then an end (`is_told`) or a reset. */
  | { kind: 'truncated'; is_told: boolean }
  | { kind: 'status'; status: number; headers: Record<string, string>; text: string; is_committed: boolean };

export type FaultKind = Fate['kind'];

export type Fates = {
  draw(method: string, path: string): Fate;
  /** Strikes the next matching requests, whatever was planned. */
  strikeNext(fault: Omit<PlannedFault, 'at_ms'>): void;
  /** From now on all exchanges are plain. */
  calm(): void;
  count(): number;
};

/** Past the deadline of a call; the network keeps it within the time its effect may take to show. */
const LATE_MS = { least: 15_000, most: 45_000 };
const SLOW_MS = { least: 500, most: 30_000 };

/**
 * Each planned fault strikes the first matching request at its time or later. A proxy repeats only repeatable
 * requests: no program could prevent a repeated create from making two drafts.
 */
export function createFates(
  planned: readonly PlannedFault[],
  { schedule, chance, start_ms }: { schedule: Schedule; chance: Chance; start_ms: number },
): Fates {
  const waiting = planned.map((fault) => ({ ...fault }));
  let struck = 0;
  let isCalm = false;

  return {
    count: () => struck,
    strikeNext: (fault) => void waiting.unshift({ ...fault, at_ms: 0 }),
    calm() {
      isCalm = true;
    },
    draw(method, path) {
      if (isCalm) return { kind: 'plain' };
      const passed_ms = schedule.now() - start_ms;
      const at = waiting.findIndex(
        (fault) => fault.at_ms <= passed_ms && fault.times > 0 && isStruck(fault, method, path),
      );
      const fault = waiting[at];
      if (!fault) return { kind: 'plain' };
      fault.times -= 1;
      if (fault.times === 0) waiting.splice(at, 1);
      struck += 1;
      return build(fault.kind, method, path);
    },
  };

  function build(kind: FaultKind, method: string, path: string): Fate {
    switch (kind) {
      case 'late':
        return { kind, delay_ms: chance.between(LATE_MS.least, LATE_MS.most) };
      case 'slow':
        return { kind, delay_ms: chance.between(SLOW_MS.least, SLOW_MS.most) };
      case 'twice':
        return mayComeTwice(method, path)
          ? { kind, answer: chance.pick(['first', 'second', 'none'] as const) }
          : { kind: 'lost' };
      case 'truncated':
        return { kind, is_told: chance.oneIn(2) };
      case 'status':
        return buildStatus();
      default:
        return { kind };
    }
  }

  function buildStatus(): Fate {
    const status = chance.pick([429, 429, 500, 500, 502, 503, 504]);
    const isCommitted = status !== 429 && chance.oneIn(2);
    const isHtml = status !== 500 && chance.oneIn(3);
    const text = isHtml
      ? '<html><body>Sorry!</body></html>'
      : JSON.stringify({ error: 'Something went wrong' });
    const headers: Record<string, string> = {
      'content-type': isHtml ? 'text/html' : 'application/json',
      date: new Date(schedule.now()).toUTCString(),
    };
    const wait = chance.pick(['none', 'seconds', 'date', 'nonsense'] as const);
    if (wait === 'seconds') headers['retry-after'] = String(chance.between(0, 20));
    if (wait === 'date')
      headers['retry-after'] = new Date(schedule.now() + chance.between(0, 20_000)).toUTCString();
    if (wait === 'nonsense') headers['retry-after'] = 'soon';
    return { kind: 'status', status, headers, text, is_committed: isCommitted };
  }
}

function isStruck({ on }: PlannedFault, method: string, path: string): boolean {
  switch (on) {
    case 'any':
      return true;
    case 'write':
      return method !== 'GET' && !path.includes('/oauth/');
    case 'create':
      return method === 'POST' && /\/shops\/\d+\/listings(\?|$)/.test(path);
    case 'change':
      return method === 'PATCH' && /\/listings\/\d+(\?|$)/.test(path);
    case 'inventory':
      return method === 'PUT' && path.includes('/inventory');
    case 'image':
      return method === 'POST' && path.includes('/images');
    case 'token':
      return path.includes('/oauth/token');
    case 'read':
      return method === 'GET';
  }
}

function mayComeTwice(method: string, path: string): boolean {
  return method !== 'POST' || path.endsWith('/images');
}
