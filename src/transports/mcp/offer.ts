import type { Result, ServerCapabilities, Tool } from '@modelcontextprotocol/server';
import { buildInstructions } from './instructions.js';
import { describePrompt, listOfferedPrompts } from './prompts/offered.js';
import { listOfferedSkills, listSkillEntries, SKILLS_EXTENSION, toSkillResource } from './skills.js';
import { describeResource, hasParameters, listOfferedResources } from './resources/offered.js';

/** The methods that run code. */
export type RunMethod =
  'tools/call' | 'prompts/get' | 'resources/read' | 'completion/complete' | 'skills/get';

/**
 * The responses to a client before it calls a tool (initialize, tools/list). They depend on the tools only,
 * not on the service that runs them.
 */
export type Offer = {
  capabilities: ServerCapabilities;
  instructions: string;
  /** By method. Always the same objects, so that the text of each is built once. */
  fixedResults: ReadonlyMap<string, Result>;
  /** The methods that run code and are offered. */
  runs: readonly RunMethod[];
};

/** @param tools in listing order */
export function createOffer(tools: readonly Tool[], isReadOnly: boolean): Offer {
  const names = new Set(tools.map(({ name }) => name));
  const skills = listOfferedSkills(names);
  const prompts = listOfferedPrompts(names);
  const resources = listOfferedResources(names);
  // Shops, listings and jobs are not listed one by one: that would cost calls each time an assistant starts.
  const fixed = resources.filter((each) => !hasParameters(each));
  const templates = resources.filter(hasParameters);
  const has = {
    prompts: prompts.length > 0,
    resources: resources.length + skills.length > 0,
    skills: skills.length > 0,
  };
  const fixedResults = new Map<string, Result>([
    ['tools/list', { tools }],
    ...(has.prompts ? [['prompts/list', { prompts: prompts.map(describePrompt) }] as const] : []),
    ...(has.resources
      ? ([
          [
            'resources/list',
            {
              resources: [
                ...fixed.map((each) => ({ uri: each.uri, ...describeResource(each) })),
                ...skills.map(toSkillResource),
              ],
            },
          ],
          [
            'resources/templates/list',
            {
              resourceTemplates: templates.map((each) => ({
                uriTemplate: each.uri,
                ...describeResource(each),
              })),
            },
          ],
        ] as const)
      : []),
    ...(has.skills ? [['skills/list', listSkillEntries(skills)] as const] : []),
  ]);
  return {
    capabilities: {
      tools: {},
      ...(has.prompts && { prompts: {} }),
      ...(has.resources && { resources: {} }),
      ...((has.prompts || has.resources) && { completions: {} }),
      ...(has.skills && { extensions: SKILLS_EXTENSION }),
    },
    instructions: buildInstructions(names, isReadOnly),
    fixedResults,
    runs: [
      'tools/call',
      ...(has.prompts ? ['prompts/get' as const] : []),
      ...(has.resources ? ['resources/read' as const] : []),
      ...(has.prompts || has.resources ? ['completion/complete' as const] : []),
      ...(has.skills ? ['skills/get' as const] : []),
    ],
  };
}
