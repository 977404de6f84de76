import type { Result, ServerCapabilities } from '@modelcontextprotocol/sdk/types.js';
import type { Call } from '../../core/operation.js';
import type { Service } from '../service.js';
import { buildCall } from './call.js';
import { createCompletion } from './completion.js';
import { buildInstructions } from './instructions.js';
import { keepText } from './message_text.js';
import { createPromptMethods } from './prompts/methods.js';
import { ProtocolError, RPC } from './protocol_error.js';
import { createResourceMethods } from './resources/methods.js';
import { createToolbox } from './toolbox.js';

/** All that a client is told first, and can ask for by method name. One for every revision of the protocol and every connection. */
export type Methods = {
  capabilities: ServerCapabilities;
  instructions: string;
  byName: ReadonlyMap<string, Method>;
};

/** Throws a ProtocolError where the protocol has been broken. */
export type Method = (params: Params, context: RequestContext) => Result | Promise<Result>;

export type Params = Readonly<Record<string, unknown>>;

/** What a revision tells about the one who asks, and the way back to them. */
export type RequestContext = {
  caller: Call['caller'];
  face: 'mcp_http' | 'mcp_stdio';
  signal: AbortSignal;
  /** As the client told them, with whatever it said there. */
  client_capabilities: Params;
  /** On the way of this request's answer, before it. */
  notify(method: string, params: Params): void;
  /**
   * Puts a request of ours to the client. Rejects when there is no answer (in time); what was begun has to end then without having
   * changed anything, because some revisions ask in the answer and are called once more.
   * @param key names the question among those of one call
   */
  ask(key: string, question: Question): Promise<unknown>;
};

export type Question = { method: string; params: Params };

/** How long a person is waited for. */
export const ANSWER_MS = 45_000;

export function createMethods(service: Service): Methods {
  const tools = createToolMethods(service);
  const prompts = createPromptMethods(service);
  const resources = createResourceMethods(service);
  const completed: [string, Method][] =
    prompts.length + resources.length > 0 ? [['completion/complete', createCompletion(service)]] : [];
  return {
    capabilities: {
      tools: {},
      ...(prompts.length > 0 ? { prompts: {} } : {}),
      ...(resources.length > 0 ? { resources: {} } : {}),
      ...(completed.length > 0 ? { completions: {} } : {}),
    },
    instructions: buildInstructions(service),
    byName: new Map([...tools, ...prompts, ...resources, ...completed]),
  };
}

function createToolMethods(service: Service): [string, Method][] {
  const toolbox = createToolbox(service);
  keepText(toolbox.list);
  return [
    ['tools/list', () => toolbox.list],
    [
      'tools/call',
      ({ name, arguments: input, _meta }, context) => {
        if (typeof name !== 'string') {
          throw new ProtocolError(RPC.invalid_params, 'tools/call needs params.name, a string.');
        }
        return toolbox.call(name, input, buildCall(context, _meta, service.mcp_wait_ms));
      },
    ],
  ];
}

/** Throws a ProtocolError, whatever went wrong. */
export async function runMethod(
  { byName }: Methods,
  { method, params = {} }: { method: string; params?: Params | undefined },
  context: RequestContext,
  log: Service['log'],
): Promise<Result> {
  const run = byName.get(method);
  if (!run) throw new ProtocolError(RPC.method_not_found, 'Method not found');
  try {
    return await run(params, context);
  } catch (cause) {
    throw toProtocolError(cause, log);
  }
}

/** What is nobody's doing but ours goes to the log, and shows nothing. */
export function toProtocolError(cause: unknown, log: Service['log']): ProtocolError {
  if (cause instanceof ProtocolError) return cause;
  log.error('mcp method failed', { error: cause });
  return new ProtocolError(RPC.internal, 'Something went wrong inside the service.');
}
