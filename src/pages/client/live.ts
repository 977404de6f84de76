/* Keeps a part of the page as it is on the server. What arrives was rendered there, with everything escaped. */
type LivePart = { html: string; sentence: string };

function follow(region: HTMLElement, href: string): void {
  const part = region.querySelector('[data-live-part]');
  const sentence = region.querySelector('[data-live-sentence]');
  const source = new EventSource(href);
  source.addEventListener('part', (event: MessageEvent<string>) => {
    const news = JSON.parse(event.data) as LivePart;
    if (part) part.innerHTML = news.html;
    // Said again only when it says something else.
    if (sentence && sentence.textContent !== news.sentence) sentence.textContent = news.sentence;
  });
  source.addEventListener('end', () => {
    source.close();
    location.reload();
  });
}

for (const region of document.querySelectorAll<HTMLElement>('[data-live]')) {
  const href = region.dataset['live'];
  if (href !== undefined) follow(region, href);
}
