/* Adds a button next to a text to be copied. If the browser has no clipboard for the page, the button
   selects the text instead. */
function addButton(place: HTMLElement): void {
  const text = place.querySelector('code');
  if (!text) return;
  const label = place.dataset['copy'] ?? 'Copy';
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet';
  button.textContent = label;
  const about = place.dataset['copyAbout'];
  if (about !== undefined) button.ariaLabel = `${label} ${about}`;
  const said = document.createElement('span');
  said.className = 'visually-hidden';
  said.role = 'status';
  const copyAndReport = async (): Promise<void> => {
    getSelection()?.selectAllChildren(text);
    said.textContent = (await copy(text.textContent ?? '')) ? 'Copied' : 'Selected';
    button.textContent = said.textContent;
    setTimeout(() => (button.textContent = label), 2_000);
  };
  button.addEventListener('click', () => void copyAndReport());
  place.append(button, said);
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Adds a button to each marked element once, and removes the mark. */
function addButtons(): void {
  for (const place of document.querySelectorAll<HTMLElement>('[data-copy]')) {
    addButton(place);
    delete place.dataset['copy'];
  }
}

addButtons();
// Also handles elements that are added later.
new MutationObserver(addButtons).observe(document.body, { childList: true, subtree: true });
