import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../src/transports/mcp/revisions/exchange.js';
import { createMethods } from '../../../src/transports/mcp/methods.js';
import { openSession, type Session } from '../../../src/transports/mcp/revisions/revision_2025.js';
import { createSessions } from '../../../src/transports/mcp/revisions/sessions.js';
import { systemClock } from '../../../src/world/clock.js';
import { openSample } from '../sample.js';

const MAX = 1_000;
const MAX_PER_ACCOUNT = 250;
const by = (account_id: string) => ({ account_id, credential: 'key' as const });

/** A session that does nothing but be there. */
function build(state: { is_busy?: boolean; is_closed?: boolean } = {}): Session {
  return {
    receiveRequest: () => () => undefined,
    receiveOther: () => undefined,
    countOpen: () => (state.is_busy ? 1 : 0),
    whenIdle: () => Promise.resolve(),
    takesBatches: () => false,
    close() {
      state.is_closed = true;
      return Promise.resolve();
    },
  };
}

describe('kept sessions', () => {
  it('give way, the least recently used first, and one that answers last', () => {
    const sessions = createSessions(systemClock);
    const states = Array.from({ length: MAX + 2 }, () => ({ is_busy: false, is_closed: false }));
    const add = (index: number) => {
      const caller = by(`account ${index % 5}`);
      sessions.add(String(index), caller, build(states[index]));
      return caller;
    };
    for (let index = 0; index < MAX; index += 1) add(index);
    expect(sessions.count()).toBe(MAX);
    // The oldest is busy, the next was used: the third goes.
    (states[0] as { is_busy: boolean }).is_busy = true;
    sessions.find('1', by('account 1'));
    add(MAX);
    expect(sessions.count()).toBe(MAX);
    expect(states.flatMap(({ is_closed }, index) => (is_closed ? [index] : []))).toEqual([2]);
  });

  it('of one account leave room for the others', () => {
    const sessions = createSessions(systemClock);
    const quiet = { is_closed: false };
    sessions.add('quiet', by('quiet'), build(quiet));
    for (let index = 0; index < 5_000; index += 1) sessions.add(String(index), by('loud'), build());
    expect([sessions.count(), quiet.is_closed]).toEqual([MAX_PER_ACCOUNT + 1, false]);
    expect(sessions.find('quiet', by('quiet'))).toBeDefined();
    expect(sessions.find('quiet', by('loud'))).toBeUndefined();
  });

  it('end after half an hour without use, unless they answer', () => {
    let passed_ms = 0;
    const clock = { ...systemClock, now: () => new Date(passed_ms) };
    const sessions = createSessions(clock);
    const busy = { is_busy: true, is_closed: false };
    sessions.add('idle', by('a'), build());
    sessions.add('used', by('a'), build());
    sessions.add('busy', by('a'), build(busy));
    passed_ms += 29 * 60_000;
    expect(sessions.find('used', by('a'))).toBeDefined();
    passed_ms += 2 * 60_000;
    expect(sessions.find('idle', by('a'))).toBeUndefined();
    expect(sessions.find('used', by('a'))).toBeDefined();
    expect(sessions.find('busy', by('a'))).toBeDefined();
  });
});

describe('4,000 sessions, each with a call', () => {
  it('leave no more memory behind than 1,000', { timeout: 120_000 }, async () => {
    const { service, account_id } = await openSample();
    const methods = createMethods(service);
    const sessions = createSessions(systemClock);
    const caller = by(account_id);

    async function churn(count: number): Promise<number> {
      for (let index = 0; index < count; index += 1) {
        const session_id = `${count} ${index}`;
        const opened = openSession({ methods, service, caller, face: 'mcp_http' });
        const session = sessions.add(session_id, caller, opened);
        await ask(session, 'initialize', {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 't', version: '1' },
        });
        await ask(session, 'tools/call', { name: 'item_get', arguments: { item_id: index } });
      }
      return measureHeap();
    }

    const before = await churn(1_000);
    const after = await churn(3_000);
    const grown_mb = (after - before) / 2 ** 20;
    process.stdout.write(
      `sessions churned: 4,000, kept: ${sessions.count()}, heap after 1,000: ${(before / 2 ** 20).toFixed(1)} MB, after 4,000: ${(after / 2 ** 20).toFixed(1)} MB\n`,
    );
    expect(sessions.count()).toBe(MAX_PER_ACCOUNT);
    // Nothing that stays for each session fits in that: one and its call take several kB.
    expect(grown_mb).toBeLessThan(4);
    await sessions.closeAll();
    expect(sessions.count()).toBe(0);
  });
});

describe('what a client says of itself', () => {
  it('is not kept, but for what is read of it', async () => {
    const { service, account_id } = await openSample();
    const methods = createMethods(service);
    const caller = by(account_id);
    const TOLD_BYTES = 60 * 1024;

    async function open(count: number): Promise<Session[]> {
      const opened: Session[] = [];
      for (let index = 0; index < count; index += 1) {
        const session = openSession({ methods, service, caller, face: 'mcp_http' });
        const told = Buffer.alloc(TOLD_BYTES, `${index} `).toString();
        await ask(session, 'initialize', {
          protocolVersion: `2025-11-25 ${told}`,
          capabilities: { elicitation: { form: { told } }, experimental: { told: { told } } },
          clientInfo: { name: told, version: '1' },
        });
        opened.push(session);
      }
      return opened;
    }

    await open(50);
    const before = measureHeap();
    const opened = await open(MAX_PER_ACCOUNT);
    const kept_bytes = (measureHeap() - before) / opened.length;
    process.stdout.write(`kept of a session: ${Math.round(kept_bytes)} bytes, told: ${TOLD_BYTES}\n`);
    expect(kept_bytes).toBeLessThan(TOLD_BYTES / 4);
  });
});

function ask(session: Session, method: string, params: object): Promise<void> {
  return new Promise((resolve) => {
    const exchange: Exchange = { send: () => true, finish: () => resolve() };
    session.receiveRequest(
      { jsonrpc: '2.0', id: 1, method, params: params as Record<string, unknown> },
      exchange,
    );
  });
}

/** What is left in use after a collection, in bytes. */
function measureHeap(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
