import type { Core } from '../core/core.js';
import type { Invoke } from '../core/operations/invoke.js';
import type { Operation } from '../core/operations/operation.js';
import type { SignedMessage } from '../core/orders/message.js';
import type { WindowCountStore, Clock, Figures, Ids, Log } from '../core/ports/index.js';

/**
 * Everything that the transports get: the operations, `invoke` to call them, and a few other functions that a
 * transport needs.
 */
export type Service = {
  operations: readonly Operation[];
  /** The operations that assistants are offered over MCP. */
  tools: readonly Operation[];
  invoke: Invoke;
  accounts: Pick<Core['accounts'], 'getDefault' | 'find' | 'findKey'>;
  sessions: Pick<Core['sessions'], 'create' | 'find'>;
  grants: Core['grants'];
  uploads: Pick<Core['uploads'], 'receive' | 'discard' | 'findLink' | 'createByLink'>;
  sheets: Pick<Core['sheets'], 'readByLink'>;
  connecting: Pick<Core['connecting'], 'finish' | 'isKnown'>;
  continuations: Core['continuations'];
  suggestions: Core['suggestions'];
  /** Takes a message that the marketplace sent, unparsed. Throws ServiceError. */
  receiveMarketplaceMessage: (message: SignedMessage) => Promise<void>;
  window_counts: WindowCountStore;
  clock: Clock;
  ids: Ids;
  log: Log;
  version: string;
  /** True if the marketplace is the embedded one, so that nothing is sold and no money spent. */
  is_sandbox: boolean;
  /** True if every operation that changes something is refused. */
  is_read_only: boolean;
  /** Where a browser reaches the service, without a trailing slash. */
  base_url: string;
  /** Where error codes are explained; the code becomes the anchor. */
  docs_url: string;
  /** Calls that an account may make in any second, and in 24 hours. */
  rate_limits: { per_second: number; per_day: number };
  /** How long a call over MCP blocks before it returns `processing`. */
  mcp_wait_ms: number;
  /** Why this instance is not ready for requests, one sentence per reason; empty if it is ready. */
  listTroubles: () => Promise<string[]>;
  /** Metrics for the operator. */
  getFigures: () => Promise<Figures>;
};

export const SERVICE_NAME = 'marketplace-listing-service';
export const SERVICE_TITLE = 'Marketplace Listing Service';
/** Where the marketplace's own webhooks arrive. */
export const MARKETPLACE_MESSAGES_PATH = '/webhooks/marketplace';
