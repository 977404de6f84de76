/* Keeps a part of the page up to date with the server, which renders the updates with everything escaped. */
const RELOAD_MS = 3_000;

type LivePart = { html: string; sentence: string };

function follow(region: HTMLElement, href: string): void {
  const part = region.querySelector('[data-live-part]');
  const sentence = region.querySelector('[data-live-sentence]');
  let source: EventSource | undefined;

  const listen = (): void => {
    source = new EventSource(href);
    source.addEventListener('part', showPart);
    source.addEventListener('end', end);
    // A stream that is closed for good, as after signing out, needs a reload, which shows why. After other
    // errors, the browser reconnects by itself.
    source.addEventListener('error', () => {
      if (source?.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), RELOAD_MS);
    });
  };
  const showPart = (event: MessageEvent<string>): void => {
    const news = JSON.parse(event.data) as LivePart;
    if (part) part.innerHTML = news.html;
    // The sentence is set only if it has changed, since screen readers announce each change.
    if (sentence && sentence.textContent !== news.sentence) sentence.textContent = news.sentence;
  };
  const end = (): void => {
    source?.close();
    location.reload();
  };
  // A browser allows few connections to one service, and hidden windows would use them all up.
  document.addEventListener('visibilitychange', () => {
    source?.close();
    if (!document.hidden) listen();
  });
  if (!document.hidden) listen();
}

for (const region of document.querySelectorAll<HTMLElement>('[data-live]')) {
  const href = region.dataset['live'];
  if (href !== undefined) follow(region, href);
}
