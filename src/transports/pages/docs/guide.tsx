import { renderPage } from '../../../pages/index.js';
import { DocsFrame } from './frame.js';
import type { Guide } from './guides.js';
import { renderMarkdown } from './markdown.js';
import type { Place } from './place.js';

export function buildGuidePage(guide: Guide, guides: readonly Guide[], place: Place): string {
  return renderPage(
    <DocsFrame title={guide.title} place={place} current={guide.name} guides={guides}>
      <article
        class="prose"
        // Our own text, in which markup is escaped.
        dangerouslySetInnerHTML={{ __html: renderMarkdown(guide.markdown, place) }}
      />
    </DocsFrame>,
  );
}
