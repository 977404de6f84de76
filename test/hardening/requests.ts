import { sendCase, type Door } from '../fuzz/send_case.js';
import { WORST_CASES } from '../fuzz/worst_cases.js';

/** The requests of a caller with a key, and the responses by status; `lost`: no answer. */
type Tally = Record<string, number>;

export type Flood = { readonly tally: Tally; end(): Promise<void> };

const REST_BYTES = 900_000;
const MCP_BYTES = 7_000_000;

/** Sends repeatedly, this many at a time, until told to end. */
function flood(at_once: number, send: (index: number) => Promise<Response>): Flood {
  const tally: Tally = {};
  let next = 0;
  const over = new AbortController();
  const work = async () => {
    while (!over.signal.aborted) {
      const index = (next += 1);
      const status = await send(index).then(
        (response) => String(response.status),
        () => 'lost',
      );
      tally[status] = (tally[status] ?? 0) + 1;
    }
  };
  const working = Array.from({ length: at_once }, work);
  return {
    tally,
    async end() {
      over.abort();
      await Promise.all(working);
    },
  };
}

/** Each request that was made to cost as much as possible, at the maximum size. */
export function sendWorstCases(door: Door, at_once: number): Flood {
  const texts = WORST_CASES.map(
    ({ face, build }) => [face, build(face === 'rest' ? REST_BYTES : MCP_BYTES)] as const,
  );
  return flood(at_once, (index) => {
    const [face, text] = texts[index % texts.length] as (typeof texts)[number];
    return sendCase(door, face, text);
  });
}

/** Clients that send this much about themselves and never return. */
export function sendIntroductions(door: Door, told_bytes: number, at_once: number): Flood {
  return flood(at_once, (index) =>
    sendCase(
      door,
      'mcp_2025',
      `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"experimental":{"x":{"y":"${'x'.repeat(told_bytes)}${index}"}}},"clientInfo":{"name":"a","version":"1"}}}`,
    ),
  );
}

/** Messages that no limit of operations counts. */
export function sendFreeMessages(door: Door, at_once: number): Flood {
  const texts = WORST_CASES.filter(({ name }) => FREE.has(name)).map(
    ({ face, build }) => [face, build(1_000)] as const,
  );
  return flood(at_once, (index) => {
    const [face, text] = texts[index % texts.length] as (typeof texts)[number];
    return sendCase(door, face, text);
  });
}

const FREE = new Set(['commas to complete', 'letters to complete', 'an argument of a prompt']);
