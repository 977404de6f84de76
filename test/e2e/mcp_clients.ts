import type { ListingJobResult } from '../answers.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type {
  JsonSchemaType,
  JsonSchemaValidator,
  jsonSchemaValidator,
} from '@modelcontextprotocol/sdk/validation/types.js';
import type { ErrorBody } from '../../schemas/error.js';
import type { Service } from '../../src/transports/index.js';
import { openStreams } from '../speak_stdio.js';
import { createStatelessClient } from '../transports/mcp/stateless_client.js';

/* Assistants that cannot show a question to their person, each over another transport. */

/** A tool's answer about a listing, or its error. */
export type Told = Partial<ListingJobResult> & Partial<Pick<ErrorBody['error'], 'code' | 'hint'>>;

export type Assistant = {
  call(tool: string, input: Record<string, unknown>): Promise<Told>;
  close(): Promise<void>;
};

/** The address of a service, and the key to use. */
export type Address = { url: string; key: string };

export async function openWithHandshake({ url, key }: Address): Promise<Assistant> {
  const requestInit = { headers: { 'x-service-api-key': key } };
  return connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
}

export async function openStdio(service: Service): Promise<Assistant> {
  const { transport, ended } = openStreams(service);
  const { call, close } = await connect(transport);
  return {
    call,
    async close() {
      await close();
      await ended;
    },
  };
}

export function openStateless({ url, key }: Address): Assistant {
  const client = createStatelessClient(url, { 'x-service-api-key': key });
  return {
    async call(tool, input) {
      const { answer } = await client.callTool(tool, input);
      if (!answer.result) throw new Error(answer.error?.message);
      return read(answer.result);
    },
    close: () => Promise.resolve(),
  };
}

/**
 * Compiles each output schema once for all clients; each client would otherwise compile every tool's schema.
 */
function shareValidators(): jsonSchemaValidator {
  const compiler = new AjvJsonSchemaValidator();
  const compiled = new Map<string, JsonSchemaValidator<unknown>>();
  return {
    getValidator<T>(schema: JsonSchemaType) {
      const text = JSON.stringify(schema);
      const validate = compiled.get(text) ?? compiler.getValidator(schema);
      compiled.set(text, validate);
      return validate as JsonSchemaValidator<T>;
    },
  };
}

const validators = shareValidators();

/** The official client, which validates answers against the output schema. */
async function connect(transport: Transport): Promise<Assistant> {
  const client = new Client({ name: 'test', version: '1' }, { jsonSchemaValidator: validators });
  await client.connect(transport);
  await client.listTools();
  return {
    call: async (name, input) => read(await client.callTool({ name, arguments: input })),
    close: () => client.close(),
  };
}

function read({ content }: Record<string, unknown>): Told {
  const [{ text }] = content as [{ text: string }];
  const answered = JSON.parse(text) as Told | ErrorBody;
  if (!('error' in answered)) return answered;
  const { code, message, hint } = answered.error;
  return { code, message, hint };
}
