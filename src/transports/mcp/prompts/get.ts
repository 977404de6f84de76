import { isObject } from '../incoming.js';
import type { Method } from '../method.js';
import { ProtocolError, RPC } from '../protocol_error.js';
import { readSkill } from '../skills.js';
import type { Prompt } from './prompt.js';

/** prompts/get */
export function createPromptGetter(offered: readonly Prompt[]): Method {
  return ({ name, arguments: given }) => {
    if (typeof name !== 'string') {
      throw new ProtocolError(RPC.invalid_params, 'prompts/get needs params.name, a string.');
    }
    const prompt = offered.find((each) => each.name === name);
    if (!prompt) throw new ProtocolError(RPC.invalid_params, `Unknown prompt: ${name.slice(0, 64)}`);
    const opening = prompt.open(readArguments(prompt, given ?? {}));
    const text = `${opening}\n\n${readSkill(prompt.skill).body}`;
    const messages = [{ role: 'user', content: { type: 'text', text } }];
    return { description: prompt.description, messages };
  };
}

function readArguments(prompt: Prompt, given: unknown): Record<string, string> {
  const values: Record<string, string> = {};
  for (const { name, required } of prompt.arguments) {
    const value = isObject(given) ? given[name] : undefined;
    const text = typeof value === 'string' ? value.trim() : '';
    if (text !== '') values[name] = text;
    else if (required)
      throw new ProtocolError(RPC.invalid_params, `arguments.${name} is required, a string.`);
  }
  return values;
}
