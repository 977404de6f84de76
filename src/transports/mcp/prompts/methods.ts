import type { Service } from '../../service.js';
import { isObject } from '../incoming.js';
import { keepText } from '../message_text.js';
import type { Method } from '../methods.js';
import { ProtocolError, RPC } from '../protocol_error.js';
import { PROMPTS } from './index.js';
import type { Prompt } from './prompt.js';

/** Those whose operations this server offers. */
export function listOfferedPrompts(tools: Service['tools']): Prompt[] {
  const ids = new Set(tools.map(({ id }) => id));
  return PROMPTS.filter(({ needs }) => needs.every((id) => ids.has(id)));
}

/** None when no prompt is offered. */
export function createPromptMethods({ tools }: Pick<Service, 'tools'>): [string, Method][] {
  const offered = listOfferedPrompts(tools);
  if (offered.length === 0) return [];
  const list = { prompts: offered.map(describe) };
  keepText(list);
  return [
    ['prompts/list', () => list],
    [
      'prompts/get',
      ({ name, arguments: given }) => {
        const prompt = offered.find((each) => each.name === name);
        if (!prompt)
          throw new ProtocolError(RPC.invalid_params, `Unknown prompt: ${String(name).slice(0, 64)}`);
        const text = prompt.build(readArguments(prompt, given ?? {}));
        const messages = [{ role: 'user', content: { type: 'text', text } }];
        return { description: prompt.description, messages };
      },
    ],
  ];
}

function describe({ name, title, description, arguments: all }: Prompt) {
  const told = all.map((argument) => ({
    name: argument.name,
    description: argument.description,
    required: argument.required,
  }));
  return { name, title, description, arguments: told };
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
