import { STYLE } from '../../../pages/index.js';
import { EVENTS } from '../../events.js';
import { buildOpenApi } from '../../openapi/document.js';
import { buildGuidePage } from './guide.js';
import { readGuides } from './guides.js';
import { buildDocsPage, type Documented } from './page.js';
import { PACKAGED_STYLE } from './place.js';

/** The documentation as files by name, to be opened without a server; index.html is the reference. */
export function buildPackagedDocs(service: Documented): Map<string, string | Buffer> {
  const guides = readGuides();
  return new Map<string, string | Buffer>([
    ['index.html', buildDocsPage(service, guides, 'packaged')],
    ...guides.map((guide) => [`${guide.name}.html`, buildGuidePage(guide, guides, 'packaged')] as const),
    [PACKAGED_STYLE, STYLE.body],
    [
      'openapi.json',
      JSON.stringify(buildOpenApi(service.operations, EVENTS, service.base_url), undefined, 2),
    ],
  ]);
}
