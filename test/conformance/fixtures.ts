import { setTimeout as pause } from 'node:timers/promises';
import type { Result, ServerCapabilities } from '@modelcontextprotocol/server';
import type { Methods } from '../../src/transports/mcp/methods.js';
import type { Method, Params, RequestContext } from '../../src/transports/mcp/method.js';
import { ProtocolError, RPC } from '../../src/transports/mcp/protocol_error.js';
import { QUESTION_TOOLS } from './question_tools.js';
import { CONTENT_TOOLS, PIXEL } from './content_tools.js';
import type { FixtureTool } from './tool.js';

/*
 * Fixtures that the conformance suite looks for by name, added to the product's own: other methods in the
 * same table, so everything that carries them is the product's code.
 */

const TOOLS: Readonly<Record<string, FixtureTool>> = { ...CONTENT_TOOLS, ...QUESTION_TOOLS };

/**
 * @param revision features of the older revision that the newer one dropped are left out there, as the suite
 * checks
 */
export function addFixtures(product: Methods, revision: string): Methods {
  const isOld = revision < '2026';
  const capabilities: ServerCapabilities = {
    ...product.capabilities,
    prompts: {},
    resources: isOld ? { subscribe: true } : {},
    completions: {},
    ...(isOld ? { logging: {} } : {}),
  };
  const own: Record<string, Method> = {
    'tools/list': () => listTools(product),
    'tools/call': (params, context) => callTool(product, params, context),
    'prompts/list': () => ({
      prompts: Object.entries(PROMPTS).map(([name, { about }]) => ({ name, ...about })),
    }),
    'prompts/get': getPrompt,
    'resources/list': () => ({ resources: RESOURCES.map(({ resource }) => resource) }),
    'resources/templates/list': () => ({
      resourceTemplates: [
        { uriTemplate: 'test://template/{id}/data', name: 'template', description: 'By id.' },
      ],
    }),
    'resources/read': ({ uri }) => ({ contents: [readResource(String(uri))] }),
    'completion/complete': () => ({
      completion: { values: ['paris', 'park', 'party'], total: 3, hasMore: false },
    }),
    ...(isOld
      ? {
          'resources/subscribe': () => ({}),
          'resources/unsubscribe': () => ({}),
          'logging/setLevel': () => ({}),
        }
      : {}),
  };
  return {
    ...product,
    capabilities,
    fixedResults: new Map(),
    byName: new Map([...product.byName, ...Object.entries(own)]),
  };
}

function listTools(product: Methods): Result {
  const { tools } = product.fixedResults.get('tools/list') ?? {};
  const fixtures = Object.entries(TOOLS).map(([name, { inputSchema }]) => ({
    name,
    description: 'For the conformance suite.',
    inputSchema: inputSchema ?? { type: 'object' },
  }));
  return { tools: [...(tools as object[]), ...fixtures] };
}

async function callTool(product: Methods, params: Params, context: RequestContext): Promise<Result> {
  const tool = TOOLS[String(params['name'])];
  if (tool) return tool.run((params['arguments'] ?? {}) as Params, context, params);
  const result = await product.byName.get('tools/call')?.(params, context);
  return result ?? {};
}

type Message = { role: 'user'; content: Params };
type Prompt = {
  about: { description: string; arguments?: { name: string; required: boolean }[] };
  build(args: Record<string, string>, context: RequestContext): Message[] | Promise<Message[]>;
};

const text = (words: string): Message => ({ role: 'user', content: { type: 'text', text: words } });
const takes = (...names: string[]) => names.map((name) => ({ name, required: true }));

const PROMPTS: Readonly<Record<string, Prompt>> = {
  test_simple_prompt: {
    about: { description: 'Simple.' },
    build: () => [text('This is a simple prompt for testing.')],
  },
  test_prompt_with_arguments: {
    about: { description: 'With arguments.', arguments: takes('arg1', 'arg2') },
    build: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    about: { description: 'With a resource.', arguments: takes('resourceUri') },
    build: ({ resourceUri }) => {
      const resource = {
        uri: resourceUri,
        mimeType: 'text/plain',
        text: 'Embedded resource content for testing.',
      };
      return [
        { role: 'user', content: { type: 'resource', resource } },
        text('Please process the embedded resource above.'),
      ];
    },
  },
  test_prompt_with_image: {
    about: { description: 'With a picture.' },
    build: () => [
      { role: 'user', content: { type: 'image', data: PIXEL, mimeType: 'image/png' } },
      text('Please analyze the image above.'),
    ],
  },
  test_input_required_result_prompt: {
    about: { description: 'Asks first.' },
    async build(_args, { ask }) {
      const requestedSchema = {
        type: 'object',
        properties: { context: { type: 'string' } },
        required: ['context'],
      };
      const params = { message: 'What context should the prompt use?', requestedSchema };
      const { value: answer } = await ask('user_context', { method: 'elicitation/create', params });
      return [text(`The context is ${JSON.stringify(answer)}`)];
    },
  },
};

async function getPrompt(params: Params, context: RequestContext): Promise<Result> {
  const prompt = PROMPTS[String(params['name'])];
  if (!prompt) throw new ProtocolError(RPC.invalid_params, 'Unknown prompt');
  await pause(1);
  return { messages: await prompt.build((params['arguments'] ?? {}) as Record<string, string>, context) };
}

const RESOURCES = [
  {
    resource: { uri: 'test://static-text', name: 'text', description: 'Text.', mimeType: 'text/plain' },
    contents: { text: 'This is the content of the static text resource.' },
  },
  {
    resource: {
      uri: 'test://static-binary',
      name: 'binary',
      description: 'A picture.',
      mimeType: 'image/png',
    },
    contents: { blob: PIXEL },
  },
];

function readResource(uri: string): Params {
  const found = RESOURCES.find(({ resource }) => resource.uri === uri);
  if (found) return { uri, mimeType: found.resource.mimeType, ...found.contents };
  const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1];
  if (id === undefined) throw new ProtocolError(RPC.invalid_params, 'Resource not found', { data: { uri } });
  const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
  return { uri, mimeType: 'application/json', text: data };
}
