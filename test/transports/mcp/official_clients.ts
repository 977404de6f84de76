import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, type ElicitResult, type Progress } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import type { Service } from '../../../src/transports/index.js';
import { openStreams } from '../../speak_stdio.js';

/*
 * Both generations of the official client, over both transports. The second generation speaks the older
 * revisions with a handshake, and the newest one without.
 */

export const GENERATIONS = ['v1', 'v2 legacy', 'v2 auto', 'v2 modern'] as const;
export type Generation = (typeof GENERATIONS)[number];

export const isModern = (generation: Generation) => generation === 'v2 auto' || generation === 'v2 modern';

/** How a client reaches the service. */
export type Way = { url: string; headers: Record<string, string> } | { service: Service };

type Options = {
  name?: string;
  capabilities?: { elicitation?: { url?: {} } };
  /** Answers questions for the person. */
  answer?: (question: { message: string }) => ElicitResult | Promise<ElicitResult>;
};
type Call = { name: string; arguments?: Record<string, unknown> };
type CallOptions = { onprogress?: (progress: Progress) => void; signal?: AbortSignal };

type OfficialClient = {
  listTools(): Promise<{ name: string }[]>;
  callTool(call: Call, options?: CallOptions): Promise<Record<string, unknown>>;
  readResource(uri: string): Promise<unknown>;
  getInstructions(): string | undefined;
  getServerName(): string | undefined;
  close(): Promise<void>;
};

export async function connect(
  generation: Generation,
  way: Way,
  options: Options = {},
): Promise<OfficialClient> {
  const client = await (generation === 'v1' ? connectV1(way, options) : connectV2(generation, way, options));
  onTestFinished(() => client.close());
  return client;
}

async function connectV1(
  way: Way,
  { name = 'test', capabilities = {}, answer }: Options,
): Promise<OfficialClient> {
  const client = new Client({ name, version: '1' }, { capabilities });
  if (answer) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params));
  const transport =
    'url' in way
      ? new StreamableHTTPClientTransport(new URL(`${way.url}/mcp`), {
          requestInit: { headers: way.headers },
        })
      : openStreams(way.service).transport;
  await client.connect(transport);
  return {
    listTools: async () => (await client.listTools()).tools,
    callTool: (call, options) => client.callTool(call, undefined, options),
    readResource: (uri) => client.readResource({ uri }),
    getInstructions: () => client.getInstructions(),
    getServerName: () => client.getServerVersion()?.name,
    close: () => client.close(),
  };
}

const MODES = { 'v2 legacy': 'legacy', 'v2 auto': 'auto', 'v2 modern': { pin: '2026-07-28' } } as const;

async function connectV2(
  generation: Exclude<Generation, 'v1'>,
  way: Way,
  { name = 'test', capabilities = {}, answer }: Options,
): Promise<OfficialClient> {
  const client = new NewClient(
    { name, version: '1' },
    {
      capabilities,
      versionNegotiation: { mode: MODES[generation] },
    },
  );
  if (answer) client.setRequestHandler('elicitation/create', ({ params }) => answer(params));
  const transport =
    'url' in way
      ? new NewHttp(new URL(`${way.url}/mcp`), { requestInit: { headers: way.headers } })
      : openStreams(way.service).transport;
  await client.connect(transport);
  return {
    listTools: async () => (await client.listTools()).tools,
    callTool: (call, options) => client.callTool(call, options),
    readResource: (uri) => client.readResource({ uri }),
    getInstructions: () => client.getInstructions(),
    getServerName: () => client.getServerVersion()?.name,
    close: () => client.close(),
  };
}
