import { Dashboard } from '../layout.js';
import type { Page } from '../page.js';

export const overview: Page = {
  path: '',
  get: (visit) => (
    <Dashboard visit={visit} title="Overview" section="Overview">
      <h1>Overview</h1>
    </Dashboard>
  ),
};
