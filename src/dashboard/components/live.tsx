import type { ComponentChildren } from 'preact';

/** For the head of a page that changes by itself: without scripts it is loaded anew every three seconds. */
export function ReloadWithoutScripts() {
  return (
    <noscript>
      <meta http-equiv="refresh" content="3" />
    </noscript>
  );
}

/**
 * A part of a page that the script `live` keeps as it is on the server, by events of this address: `part` has the new
 * content and the sentence to be read out, `end` says to load the page anew.
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
