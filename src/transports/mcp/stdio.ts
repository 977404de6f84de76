import type { Service } from '../service.js';
import { createMethods } from './methods.js';
import { speakStdio, type StdioOptions } from './stdio_lines.js';

/** Speaks MCP over stdin and stdout for the default account, with a service that runs. */
export async function runStdio(service: Service, options: StdioOptions): Promise<void> {
  const { account_id } = await service.accounts.getDefault();
  const caller = { account_id, credential: 'local' } as const;
  await speakStdio({ methods: createMethods(service), service, caller }, options);
}
