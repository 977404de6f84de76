import type { Question } from '../../src/transports/mcp/method.js';
import { ProtocolError } from '../../src/transports/mcp/protocol_error.js';
import { toText, type FixtureTool } from './tool.js';

/*
 * Tools that ask their client something. Each is written once: the revision decides whether a question is
 * sent on the stream or in the answer.
 */

const form = (
  message: string,
  properties: Record<string, object>,
  required = Object.keys(properties),
): Question => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties, required } },
});
const sample = (text: string, maxTokens: number): Question => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens },
});
/** An error code of 2026-07-28. */
const MISSING_CAPABILITY = -32_021;

const ROOTS: Question = { method: 'roots/list', params: {} };
const NAME = { name: { type: 'string' } };

/** Asks one thing and returns the answer. */
const asking = (key: string, question: Question): FixtureTool => ({
  run: async (_input, { ask }) => toText(`Answered: ${JSON.stringify((await ask(key, question)).value)}`),
});

const choice = (value: string, title: string) => ({ const: value, title });
const choices = (word: string) =>
  ['First', 'Second', 'Third'].map((nth, at) => choice(`value${at + 1}`, `${nth} ${word}`));
const OPTIONS = ['option1', 'option2', 'option3'];

export const QUESTION_TOOLS: Readonly<Record<string, FixtureTool>> = {
  test_sampling: {
    inputSchema: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
    async run({ prompt }, { ask }) {
      const answer = (await ask('sampling', sample(String(prompt), 100))).value as {
        content: { text: string };
      };
      return toText(`LLM response: ${answer.content.text}`);
    },
  },
  test_elicitation: {
    inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    async run({ message }, { ask }) {
      const fields = {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      };
      return toText(
        `User response: ${JSON.stringify((await ask('user', form(String(message), fields))).value)}`,
      );
    },
  },
  test_elicitation_sep1034_defaults: asking(
    'defaults',
    form(
      'Please review the defaults',
      {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      },
      [],
    ),
  ),
  test_elicitation_sep1330_enums: asking(
    'enums',
    form(
      'Please choose',
      {
        untitledSingle: { type: 'string', enum: OPTIONS },
        titledSingle: { type: 'string', oneOf: choices('Option') },
        legacyEnum: {
          type: 'string',
          enum: ['opt1', 'opt2', 'opt3'],
          enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
        titledMulti: { type: 'array', items: { anyOf: choices('Choice') } },
      },
      [],
    ),
  ),
  test_streaming_elicitation: asking('user_name', form('What is your name?', NAME)),
  test_input_required_result_elicitation: asking('user_name', form('What is your name?', NAME)),
  test_input_required_result_tampered_state: asking(
    'confirm',
    form('Please confirm', { ok: { type: 'boolean' } }),
  ),
  test_input_required_result_sampling: asking(
    'capital_question',
    sample('What is the capital of France?', 100),
  ),
  test_input_required_result_list_roots: asking('client_roots', ROOTS),
  test_input_required_result_request_state: {
    async run(_input, { ask }) {
      await ask('confirm', form('Please confirm', { ok: { type: 'boolean' } }));
      return toText('state-ok');
    },
  },
  test_input_required_result_multiple_inputs: {
    async run(_input, { ask }) {
      const answers = await Promise.allSettled([
        ask('user_name', form('What is your name?', NAME)),
        ask('greeting', sample('Generate a greeting', 50)),
        ask('client_roots', ROOTS),
      ]);
      return toText(JSON.stringify(answers));
    },
  },
  test_input_required_result_multi_round: {
    async run(_input, { ask }) {
      const first = await ask('step1', form('Step 1: What is your name?', NAME));
      const color = { color: { type: 'string' } };
      const second = await ask('step2', form('Step 2: What is your favorite color?', color));
      return toText(JSON.stringify([first, second]));
    },
  },
  test_input_required_result_capabilities: {
    async run(_input, { ask, client_capabilities }) {
      const asked = [
        ...(client_capabilities.elicitation ? [ask('name', form('What is your name?', NAME))] : []),
        ...(client_capabilities.sampling ? [ask('greeting', sample('Generate a greeting', 50))] : []),
      ];
      return toText(JSON.stringify(await Promise.allSettled(asked)));
    },
  },
  test_missing_capability: {
    run(_input, { client_capabilities }) {
      if (client_capabilities.sampling) return toText('done');
      const data = { requiredCapabilities: { sampling: {} } };
      throw new ProtocolError(MISSING_CAPABILITY, 'This tool needs sampling.', { data });
    },
  },
};
