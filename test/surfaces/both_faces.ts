import { startDashboard, type TestDashboard } from '../dashboard/visitor.js';
import type { TestService } from '../service.js';
import { openMcpStateless, openRest, type Face, type Output } from './faces.js';

export const BOTH = ['rest', 'mcp'] as const;

/** Calls operations over one face the way a test service does without one. */
export type Caller = Pick<TestService, 'call' | 'refuse'>;

type Callers = Record<(typeof BOTH)[number], Caller>;

/** The whole service in this process, callable over REST and over MCP. */
export async function startBoth(
  ...options: Parameters<typeof startDashboard>
): Promise<TestDashboard & Callers> {
  const dashboard = await startDashboard(...options);
  const { url, service, account_id } = dashboard;
  const { key } = await service.app.core.accounts.createKey(account_id, 'test');
  return { ...dashboard, ...toCallers(url, key) };
}

/** The service at this address, with a key of an account. */
export function toCallers(url: string, key: string): Callers {
  return { rest: toCaller(openRest(url, key)), mcp: toCaller(openMcpStateless(url, key)) };
}

function toCaller(face: Face): Caller {
  const ask = (id: string, input: unknown) => face.call(id, input as Output);
  return {
    async call<Result>(id: string, input?: unknown) {
      const answer = await ask(id, input);
      if (!answer.ok) throw new Error(JSON.stringify(answer.error));
      return answer.output as Result;
    },
    async refuse(id, input) {
      const answer = await ask(id, input);
      if (answer.ok) throw new Error(`not refused: ${JSON.stringify(answer.output)}`);
      return answer.error;
    },
  };
}
