import { EVENTS } from '../../events.js';
import { listContents } from './contents.js';
import { buildEventsPage } from './events.js';
import { buildGuidePage } from './guide.js';
import { readGuides } from './guides.js';
import { buildOperationPage } from './operation.js';
import { buildDocsPage, type Documented } from './page.js';
import { nameOperationPage, type Place } from './place.js';

/** Every page of the documentation by its name, as linkTo takes it. Each is rendered when it is called for. */
export function listPages(service: Documented, place: Place): Map<string, () => string> {
  const { operations, base_url } = service;
  const guides = readGuides();
  const contents = listContents(operations, guides);
  return new Map([
    ['reference', () => buildDocsPage(service, contents, place)],
    ['events', () => buildEventsPage(EVENTS, contents, place)],
    ...guides.map((guide) => [guide.name, () => buildGuidePage(guide, contents, place)] as const),
    ...operations.map(
      (operation) =>
        [
          nameOperationPage(operation.id),
          () => buildOperationPage(operation, base_url, contents, place),
        ] as const,
    ),
  ]);
}
