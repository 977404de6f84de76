import { PROMPTS } from './index.js';
import type { Prompt } from './prompt.js';

/** The prompts whose operations this server offers. */
export function listOfferedPrompts(names: ReadonlySet<string>): Prompt[] {
  return PROMPTS.filter(({ needs }) => needs.every((name) => names.has(name)));
}

export function describePrompt({ name, title, description, arguments: all }: Prompt) {
  const told = all.map((argument) => ({
    name: argument.name,
    description: argument.description,
    required: argument.required,
  }));
  return { name, title, description, arguments: told };
}
