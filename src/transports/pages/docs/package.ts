import { STYLE } from '../../../pages/index.js';
import { EVENTS } from '../../events.js';
import { buildOpenApi } from '../../openapi/document.js';
import { BOARD, readBoard, readGuides } from './guides.js';
import { buildLlmsText, LLMS } from './llms.js';
import type { Documented } from './page.js';
import { listPages } from './pages.js';
import { nameFile, PACKAGED_STYLE } from './place.js';

/** The documentation as files, by name, to open without a server; it begins with index.html. */
export function buildPackagedDocs(service: Documented): Map<string, string | Buffer> {
  const pages = [...listPages(service, 'packaged')].map(
    ([name, build]) => [nameFile(name), build()] as const,
  );
  return new Map<string, string | Buffer>([
    ...pages,
    [PACKAGED_STYLE, STYLE.body],
    [BOARD, readBoard()],
    [LLMS, buildLlmsText(service.operations, readGuides(), 'packaged')],
    [
      'openapi.json',
      JSON.stringify(buildOpenApi(service.operations, EVENTS, service.base_url), undefined, 2),
    ],
  ]);
}
