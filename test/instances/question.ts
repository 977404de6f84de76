import type { ListingJobResult } from '../answers.js';
import type { Stock } from '../crash/world.js';
import { buildMug } from '../service.js';
import { createStatelessClient } from '../transports/mcp/stateless_client.js';
import type { Account } from './accounts.js';

/**
 * A question to a person, asked by one instance. The person says yes, and the client sends that to another
 * instance.
 */
export type Asked = { agree(url: string): Promise<ListingJobResult> };

/** Calls an instance, which asks before it spends money. */
export async function ask(title: string, url: string, account: Account, stock: Stock): Promise<Asked> {
  const headers = { 'x-service-api-key': account.key };
  const body = buildMug(stock.targets.slice(0, 1), { state: 'active', images: [{ url: account.photo }] });
  const input = { ...body, listing: { ...body.listing, title, description: `A mug: ${title}.` } };
  const call = (at: string, more: Record<string, unknown> = {}) =>
    createStatelessClient(at, headers, { elicitation: {} }).callTool('listing_create', input, more);

  const { answer } = await call(url);
  if (answer.result?.['resultType'] !== 'input_required') {
    throw new Error(`answered without a question: ${JSON.stringify(answer)}`);
  }
  const { requestState } = answer.result;
  return {
    async agree(other_url) {
      const inputResponses = { consent: { action: 'accept', content: { confirm: true } } };
      const agreed = await call(other_url, { requestState, inputResponses });
      return agreed.answer.result?.['structuredContent'] as ListingJobResult;
    },
  };
}
