import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMethods } from '../../../src/transports/mcp/methods.js';
import { createOpenSessions } from '../../../src/transports/mcp/http/open_sessions.js';
import { openSample, serveSample } from '../sample.js';

const by = (account_id: string) => ({ account_id, credential: 'key' as const, credential_id: 'test' });

describe('4,000 sessions, each with a call', () => {
  it('leave no more memory behind than 1,000', { timeout: 120_000 }, async () => {
    const { service, account_id } = await openSample();
    const open = createOpenSessions({ methods: createMethods(service), service });
    onTestFinished(() => open.close());
    const caller = by(account_id);
    const client = { version: '2025-11-25', capabilities: {} };

    async function churn(count: number): Promise<number> {
      for (let index = 0; index < count; index += 1) {
        const ref = { account_id, conversation_id: `${count} ${index}` };
        await new Promise((resolve) => {
          const exchange = { send: () => true, finish: resolve };
          const params = { name: 'item_get', arguments: { item_id: index } };
          const request = { jsonrpc: '2.0' as const, id: 1, method: 'tools/call', params };
          open.work({ ref, client }, caller, (session) =>
            session.receiveRequest(request, exchange, { caller }),
          );
        });
      }
      return measureHeap();
    }

    const before = await churn(1_000);
    const after = await churn(3_000);
    const grown_mb = (after - before) / 2 ** 20;
    process.stdout.write(
      `sessions churned: 4,000, heap after 1,000: ${(before / 2 ** 20).toFixed(1)} MB, after 4,000: ${(after / 2 ** 20).toFixed(1)} MB\n`,
    );
    // Nothing that stays for each session fits in that: one and its call take several kB.
    expect(grown_mb).toBeLessThan(4);
  });
});

describe('what a client says of itself', () => {
  it('is not kept, but for what is read of it', async () => {
    const { url, headers, store, account_id } = await serveSample();
    const told = 'x'.repeat(40 * 1024);
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: '*/*' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: `2025-11-26 ${told.slice(0, 1_000)}`,
          capabilities: { elicitation: { form: { told } }, experimental: { told: {} } },
          clientInfo: { name: 'told', version: '1' },
        },
      }),
    });
    const conversation_id = response.headers.get('mcp-session-id') ?? '';
    const kept = await store.conversations.findConversation({ account_id, conversation_id }, 60_000);
    expect(JSON.parse(kept?.facts ?? '')).toEqual({
      version: '2025-11-25',
      capabilities: { elicitation: { form: {} } },
      name: 'told',
    });
  });
});

/** What is left in use after a collection, in bytes. */
function measureHeap(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
