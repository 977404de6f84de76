import { NEEDS } from '../skills.js';
import { PROMPTS } from './index.js';
import type { Prompt } from './prompt.js';

/** The prompts whose operations are all among `names`. */
export function listOfferedPrompts(names: ReadonlySet<string>): Prompt[] {
  return PROMPTS.filter(({ skill, needs = NEEDS[skill] ?? [] }) => needs.every((name) => names.has(name)));
}

export function describePrompt({ name, title, description, arguments: all }: Prompt) {
  const described = all.map((argument) => ({
    name: argument.name,
    description: argument.description,
    required: argument.required,
  }));
  return { name, title, description, arguments: described };
}
