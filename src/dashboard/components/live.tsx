import type { ComponentChildren } from 'preact';

/** For the head of a page that updates itself: without scripts, the page reloads every three seconds. */
export function ReloadWithoutScripts() {
  return (
    <noscript>
      <meta http-equiv="refresh" content="3" />
    </noscript>
  );
}

/**
 * A part of a page that the script `live` keeps in sync with the server, using events from this address:
 * `part` has the new content and the sentence to be read out, `end` tells the browser to reload the page.
 */
export function Live({
  href,
  sentence,
  children,
}: {
  href: string;
  sentence: string;
  children: ComponentChildren;
}) {
  return (
    <div data-live={href}>
      <p class="visually-hidden" role="status" data-live-sentence>
        {sentence}
      </p>
      <div data-live-part>{children}</div>
    </div>
  );
}

/** Data of the event `part`. */
export type LivePart = { html: string; sentence: string };
