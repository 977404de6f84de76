import type { Database } from '../store/database.js';
import { readJson } from '../store/json.js';

/**
 * The fault of a matching call. `raw` sends the body as text without a specific type, as an edge server does.
 */
export type FaultAction =
  | {
      type: 'status' | 'commit_then_status';
      status: number;
      body?: unknown;
      headers?: Record<string, string>;
      raw?: boolean;
    }
  | { type: 'reset' | 'commit_then_reset' | 'stall' }
  | { type: 'slow' | 'commit_then_slow'; ms: number }
  /** A proxy that sends the request twice in succession, and passes on one of the answers or none. */
  | { type: 'double'; answer: (typeof DOUBLE_ANSWERS)[number] };

export const DOUBLE_ANSWERS = ['first', 'second', 'lost'] as const;

/** A rule for calls that match all of its conditions; after `after` matches it strikes `times` times. */
export type FaultRule = {
  operation?: string;
  method?: string;
  /** A regular expression over the whole path. */
  path?: string;
  shop_id?: number;
  after?: number;
  times?: number;
  probability?: number;
  action: FaultAction;
};

/** `findShopId` is called only if a rule names a shop. */
export type FaultTarget = {
  operation: string;
  method: string;
  path: string;
  findShopId(): number | undefined;
};

type FaultRow = { fault_id: number; rule: string; let_through: number; remaining: number };

export function addFaults(db: Database, rules: readonly FaultRule[]): void {
  for (const rule of rules) {
    db.run(
      'INSERT INTO faults (rule, let_through, remaining) VALUES (?,?,?)',
      JSON.stringify(rule),
      rule.after ?? 0,
      rule.times ?? 1,
    );
  }
}

export function clearFaults(db: Database): void {
  db.run('DELETE FROM faults');
}

export function listFaults(db: Database): (FaultRule & { remaining: number })[] {
  return db
    .list<FaultRow>('SELECT * FROM faults ORDER BY fault_id')
    .map((row) => ({ ...readJson<FaultRule>(row.rule), remaining: row.remaining }));
}

/**
 * The first rule that strikes this call. It is counted down in the caller's transaction, so no two calls
 * share a strike.
 */
export function takeFault(db: Database, target: FaultTarget, chance: () => number): FaultAction | undefined {
  for (const row of db.list<FaultRow>('SELECT * FROM faults WHERE remaining > 0 ORDER BY fault_id')) {
    const rule = readJson<FaultRule>(row.rule);
    if (!isMatch(rule, target)) continue;
    if (row.let_through > 0) {
      db.run('UPDATE faults SET let_through = let_through - 1 WHERE fault_id = ?', row.fault_id);
      continue;
    }
    if (rule.probability !== undefined && chance() >= rule.probability) continue;
    db.run('UPDATE faults SET remaining = remaining - 1 WHERE fault_id = ?', row.fault_id);
    return rule.action;
  }
  return undefined;
}

function isMatch(rule: FaultRule, target: FaultTarget): boolean {
  return (
    (rule.operation === undefined || rule.operation === target.operation) &&
    (rule.method === undefined || rule.method.toUpperCase() === target.method) &&
    (rule.shop_id === undefined || rule.shop_id === target.findShopId()) &&
    (rule.path === undefined || new RegExp(rule.path).test(target.path))
  );
}
