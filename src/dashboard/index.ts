import { createSessionCookie, type Site } from '../pages/index.js';
import type { Clock, PageTaskStore } from '../core/ports/index.js';
import { createTasks } from './tasks.js';
import { createPages, type LocalPages } from './pages/index.js';
import { createSite, type SiteParts } from './site.js';

type DashboardOptions = Omit<SiteParts, 'cookie' | 'pages'> & {
  /** The address at which browsers reach the service; over https, cookies are bound to it. */
  base_url: string;
  clock: Clock;
  page_tasks: PageTaskStore;
  local?: LocalPages | undefined;
};

export type { LocalPages } from './pages/index.js';

/** Pages for the owners of the shops: what the assistants made, and the actions available. */
export function createDashboard({ base_url, clock, page_tasks, local, ...parts }: DashboardOptions): Site {
  const cookie = createSessionCookie(base_url);
  const tasks = createTasks({ ...parts, clock, page_tasks });
  return createSite({
    ...parts,
    cookie,
    pages: createPages({ core: parts.core, cookie, tasks, clock, base_url, docs_url: parts.docs_url, local }),
  });
}
