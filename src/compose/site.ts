import type { App } from '../compose.js';
import type { LocalPages } from '../dashboard/index.js';
import type { Site } from '../pages/index.js';

/** The site, loaded only if it is served. */
export async function createSite({ core, service, store, config }: App, local?: LocalPages): Promise<Site> {
  const { createDashboard } = await import('../dashboard/index.js');
  const { operations, invoke, clock, log, docs_url, base_url, is_read_only, window_counts } = service;
  const isSandbox = config.marketplace === 'sandbox';
  return createDashboard({
    core,
    page_tasks: store.page_tasks,
    operations,
    invoke,
    clock,
    log,
    docs_url,
    base_url,
    is_read_only,
    is_sandbox: isSandbox,
    window_counts,
    local,
  });
}
