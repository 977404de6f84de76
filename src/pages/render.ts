import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** Renders a whole page from a Layout. Every value in it is escaped. */
export function renderPage(page: VNode): string {
  return `<!doctype html>${renderToString(page)}`;
}

/** Renders a part of a page that replaces the same part in an open page. */
export function renderPart(part: VNode): string {
  return renderToString(part);
}
