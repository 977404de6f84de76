import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** A whole page, made of a Layout. Every value in it is escaped. */
export function renderPage(page: VNode): string {
  return `<!doctype html>${renderToString(page)}`;
}

/** A part of a page, to replace the same part in a page that is open. */
export function renderPart(part: VNode): string {
  return renderToString(part);
}
