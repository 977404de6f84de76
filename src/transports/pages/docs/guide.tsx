import { renderPage } from '../../../pages/index.js';
import type { Contents } from './contents.js';
import { DocsFrame } from './frame.js';
import type { Guide } from './guides.js';
import { renderMarkdown } from './markdown.js';
import type { Place } from './place.js';

export function buildGuidePage(guide: Guide, contents: Contents, place: Place): string {
  return renderPage(
    <DocsFrame title={guide.title} place={place} current={guide.name} contents={contents}>
      <article
        class="prose"
        // Our own text, in which markup is escaped.
        dangerouslySetInnerHTML={{ __html: renderMarkdown(guide.markdown, place) }}
      />
    </DocsFrame>,
  );
}
