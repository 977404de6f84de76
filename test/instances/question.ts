import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { ListingJobResult } from '../../schemas/job.js';
import type { Stock } from '../crash/world.js';
import { buildMug } from '../service.js';
import type { Account } from './accounts.js';

/** A question to a person, asked by one instance. */
export type Asked = {
  /** Resolves when the person has it. */
  shown: Promise<string>;
  /** The person says yes, and the client sends that to another instance. Resolves to the answer of the call. */
  agree(): Promise<ListingJobResult>;
};

/** An assistant whose call goes to one instance, and all else that it sends to another one. */
export async function openAssistant(account: Account, stock: Stock) {
  let ports = { of_calls: '', of_others: '' };
  let show: ((message: string) => void) | undefined;
  let agreed: Promise<void> = Promise.resolve();
  const client = new Client({ name: 'assistant', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    show?.(params.message);
    await agreed;
    return { action: 'accept', content: { confirm: true } };
  });

  return {
    client,
    async connect(url: string): Promise<void> {
      ports = { of_calls: url, of_others: url };
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
          requestInit: { headers: { 'x-service-api-key': account.key } },
          fetch: (_url, init) => {
            const is_call = typeof init?.body === 'string' && init.body.includes('"tools/call"');
            return fetch(`${is_call ? ports.of_calls : ports.of_others}/mcp`, init);
          },
        }),
      );
    },
    ask(title: string, at: { of_calls: string; of_others: string }): Asked {
      ports = at;
      const shown = new Promise<string>((resolve) => (show = resolve));
      let agree: (() => void) | undefined;
      agreed = new Promise((resolve) => (agree = resolve));
      const body = buildMug(stock.targets.slice(0, 1), { state: 'active', images: [{ url: account.photo }] });
      const called = client.callTool({
        name: 'listing_create',
        arguments: { ...body, listing: { ...body.listing, title, description: `A mug: ${title}.` } },
      });
      const unasked = called.then((result) => {
        throw new Error(`answered without a question: ${JSON.stringify(result)}`);
      });
      return {
        shown: Promise.race([shown, unasked]),
        async agree() {
          agree?.();
          return (await called).structuredContent as ListingJobResult;
        },
      };
    },
  };
}
