import type { Service } from '../service.js';
import { buildCall } from './tools/call.js';
import { createCompletion } from './tools/completion.js';
import type { Method } from './method.js';
import { createOffer, type Offer, type RunMethod } from './offer.js';
import { createPromptGetter } from './prompts/get.js';
import { listOfferedPrompts } from './prompts/offered.js';
import { listOfferedResources } from './resources/offered.js';
import { createResourceReader } from './resources/read.js';
import { createSkillGetter, listOfferedSkills } from './skills.js';
import { buildTool } from './tools/tool.js';
import { createToolbox } from './tools/toolbox.js';

/**
 * All methods of the server, with their fixed responses. One object serves every revision of the protocol and
 * every connection.
 */
export type Methods = Omit<Offer, 'runs'> & { byName: ReadonlyMap<string, Method> };

export function createMethods(service: Service): Methods {
  const offer = createOffer(service.tools.map(buildTool), service.is_read_only);
  const running = createRunning(service);
  return {
    ...offer,
    byName: new Map(offer.runs.map((name) => [name, running[name]])),
  };
}

/** The methods that run code instead of returning a fixed response, whether they are offered or not. */
export function createRunning(service: Service): Record<RunMethod, Method> {
  const callTool = createToolbox(service);
  const names = new Set(service.tools.map(({ id }) => id));
  const skills = listOfferedSkills(names);
  const prompts = listOfferedPrompts(names);
  const resources = listOfferedResources(names);
  return {
    'tools/call': async ({ name, arguments: input, _meta }, context) =>
      callTool(String(name), input, buildCall(context, _meta, service.mcp_wait_ms)),
    'prompts/get': createPromptGetter(prompts),
    'resources/read': createResourceReader(resources, skills, service),
    'skills/get': createSkillGetter(skills),
    'completion/complete': createCompletion(prompts, resources, service.suggestions),
  };
}
