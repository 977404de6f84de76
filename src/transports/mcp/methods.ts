import type { Result } from '@modelcontextprotocol/sdk/types.js';
import type { Call } from '../../core/operation.js';
import type { Cancelling } from '../cancelling.js';
import type { Service } from '../service.js';
import { buildCall } from './call.js';
import type { ClientCapabilities } from './client_capabilities.js';
import { createCompletion } from './completion.js';
import { createOffer, type Offer } from './offer.js';
import { createPromptGetter } from './prompts/get.js';
import { listOfferedPrompts } from './prompts/offered.js';
import { ProtocolError, RPC } from './protocol_error.js';
import { listOfferedResources } from './resources/offered.js';
import { createResourceReader } from './resources/read.js';
import { buildTool } from './tool.js';
import { createToolbox } from './toolbox.js';

/** All that a client is told, and can ask for by method name. One for every revision of the protocol and every connection. */
export type Methods = Omit<Offer, 'runs'> & { byName: ReadonlyMap<string, Method> };

/** Throws a ProtocolError where the protocol has been broken. */
export type Method = (params: Params, context: RequestContext) => Result | Promise<Result>;

export type Params = Readonly<Record<string, unknown>>;

/** How to come by what only a service that runs has. */
export type Later<Value> = Value | (() => Promise<Value>);

/** What a revision tells about the one who asks, and the way back to them. */
export type RequestContext = {
  caller: Call['caller'];
  face: 'mcp_http' | 'mcp_stdio';
  cancelling: Cancelling;
  client_capabilities: ClientCapabilities;
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

export function createMethods(service: Service): Methods {
  const offer = createOffer(service.tools.map(buildTool), service.is_read_only);
  const running = createRunning(service);
  return {
    ...offer,
    byName: new Map(offer.runs.map((name) => [name, running[name as keyof typeof running]])),
  };
}

/** The methods that do something, whether they are offered or not. */
export function createRunning(service: Service) {
  const callTool = createToolbox(service);
  const names = new Set(service.tools.map(({ id }) => id));
  const prompts = listOfferedPrompts(names);
  const resources = listOfferedResources(names);
  return {
    'tools/call': async ({ name, arguments: input, _meta }, context) => {
      if (typeof name !== 'string') {
        throw new ProtocolError(RPC.invalid_params, 'tools/call needs params.name, a string.');
      }
      return callTool(name, input, buildCall(context, _meta, service.mcp_wait_ms));
    },
    'prompts/get': createPromptGetter(prompts),
    'resources/read': createResourceReader(resources, service),
    'completion/complete': createCompletion(prompts, resources, service.suggestions),
  } satisfies Record<string, Method>;
}
