import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createAnswers } from '../../../src/transports/mcp/http/answers.js';
import { createMethods } from '../../../src/transports/mcp/methods.js';
import type { Peer } from '../../../src/transports/mcp/server.js';
import { openSample } from '../sample.js';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const HEADERS = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'item_get',
};

it.each([
  ['older revisions', 'legacy', {}],
  ['2026-07-28', 'modern', HEADERS],
] as const)(
  '2,000 calls of the %s use no more memory than 500',
  { timeout: 120_000 },
  async (_name, era, headers) => {
    const { service, account_id } = await openSample();
    const answer = createAnswers({ methods: createMethods(service), service });
    const caller = { account_id, credential: 'key', credential_id: 'test' } as const;
    const peer: Peer = { era, face: 'mcp_http', caller, takes_notices: true };

    async function call(count: number): Promise<number> {
      for (let id = 0; id < count; id += 1) {
        const params = {
          name: 'item_get',
          arguments: { item_id: id },
          ...(era === 'modern' && { _meta: META }),
        };
        const message = { jsonrpc: '2.0' as const, id, method: 'tools/call', params };
        const received = await answer({ message, peer, headers }, new AbortController().signal);
        expect(await received?.text()).toContain(`"item_id":${id}`);
      }
      return measureHeap();
    }

    const before = await call(500);
    const grown_mb = ((await call(1_500)) - before) / 2 ** 20;
    // A server per call that is never released would take several kB.
    expect(grown_mb).toBeLessThan(3);
  },
);

/** Memory still in use after a garbage collection, in bytes. */
function measureHeap(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
