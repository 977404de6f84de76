import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { correct } from './corrector.mjs';
import { CLI, start } from './world.mjs';

const PATIENCE_MS = 120_000;
/** The time a person needs to read a question; clients that answer on their own take less. */
const READING_MS = 2_100;
/** After this many refusals, an assistant says that it cannot do it. */
const MAX_TRIES = 6;
const SPENDING = new Set(['listing_create', 'listing_publish']);

/**
 * A real MCP client with the habits of an assistant. @param options `face`: stdio or http. `environment`:
 * settings of its server. `answers`: the seller's successive answers to questions about money, each after a
 * while; without it the client cannot ask. `dismisses`: the client declares questions and cancels each on its
 * own
 */
export async function startAssistant(
  world,
  tries,
  { face = 'stdio', environment = {}, answers, dismisses = false } = {},
) {
  const capabilities = answers || dismisses ? { elicitation: {} } : {};
  const client = new Client({ name: 'eval', version: '1.0.0' }, { capabilities });
  if (answers) {
    client.setRequestHandler(ElicitRequestSchema, async () => {
      await delay(READING_MS);
      const confirm = answers.shift() ?? false;
      return confirm ? { action: 'accept', content: { confirm } } : { action: 'decline' };
    });
  }
  if (dismisses) client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'cancel' }));
  const server = await connect(client, face, { ...world.environment, ...environment });

  /** One call. `{answer}`, `{error}`, or `{gave_up: true}` if it took longer than the assistant's patience. */
  async function send(tool, input = {}, { patience_ms = PATIENCE_MS } = {}) {
    tries.calls += 1;
    if (SPENDING.has(tool) && input.dry_run !== true) tries.tries += 1;
    try {
      const request = { name: tool, arguments: input };
      const result = await client.callTool(request, undefined, { timeout: patience_ms });
      return result.isError
        ? { error: JSON.parse(result.content[0].text).error, meta: result._meta }
        : { answer: result.structuredContent };
    } catch (cause) {
      if (cause.code === ErrorCode.RequestTimeout) return { gave_up: true };
      if (cause.code === ErrorCode.InvalidParams)
        return { error: { code: 'NO_SUCH_TOOL', message: cause.message } };
      throw cause;
    }
  }

  /** Like `send`, for a seller who has agreed to any fee that must be confirmed. */
  async function call(tool, input = {}, options = {}) {
    const answered = await send(tool, input, options);
    if (answered.answer?.status !== 'confirmation_required') return answered;
    return send(tool, { ...input, confirm: answered.answer.confirm_token }, options);
  }

  /**
   * Sends until the request is accepted, changing only what the refusals ask for, with the seller's
   * knowledge. `make`: how each call is made.
   */
  async function persist(tool, input, knowledge = {}, make = call) {
    let current = input;
    for (let attempt = 1; ; attempt += 1) {
      const { answer, error, meta } = await make(tool, current);
      if (answer) return answer;
      if (attempt === MAX_TRIES || !error) throw new Error(`given up: ${error?.message ?? 'no answer'}`);
      if (error.code.startsWith('RATE_LIMIT')) await delay(meta.retry_after_seconds * 1000);
      else current = await correct(current, error, knowledge, { call });
    }
  }

  /** The answer to a call that must be right the first time. */
  async function ask(tool, input, options) {
    const { answer, error } = await call(tool, input, options);
    if (!answer) throw new Error(`${tool}: ${error?.message ?? 'no answer'}`);
    return answer;
  }

  return {
    send,
    call,
    ask,
    persist,
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async close() {
      await client.close();
      await server?.stop();
    },
  };
}

/** The server's process over HTTP; over stdio the client ends it. */
async function connect(client, face, environment) {
  if (face === 'http') {
    const server = start(['serve'], environment);
    const [, url] = await server.findLine(/^MCP\s+(\S+)$/);
    const made = start(['keys', 'create', '--json'], environment);
    const [, key] = await made.findLine(/"key":\s*"(mls_\w+)"/);
    const headers = { 'X-Service-API-Key': key };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    return server;
  }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'stdio'],
    env: environment,
    stderr: 'ignore',
  });
  await client.connect(transport);
  return undefined;
}
