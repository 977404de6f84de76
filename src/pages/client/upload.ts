/* Sends a form's file with a bar that tells how far it is. What comes back is a page, and takes the place of this one. */
const NUMBER = new Intl.NumberFormat(undefined, { style: 'percent' });

function send(form: HTMLFormElement, file: File): void {
  const bar = form.querySelector<HTMLProgressElement>('[data-upload-bar]');
  const status = form.querySelector('[data-upload-status]');
  const button = form.querySelector('button');
  const tell = (sentence: string) => status && (status.textContent = sentence);
  const max_bytes = Number(form.dataset['upload']);
  if (file.size > max_bytes) {
    tell(`${file.name} has more than ${Math.round(max_bytes / 1024 / 1024)} MB.`);
    return;
  }
  const stop = (sentence: string) => {
    tell(sentence);
    if (bar) bar.hidden = true;
    if (button) button.disabled = false;
  };
  const request = new XMLHttpRequest();
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    if (bar) bar.value = loaded / total;
    if (bar) bar.title = NUMBER.format(loaded / total);
    if (loaded === total) tell('It is here, and being checked.');
  });
  request.addEventListener('load', () => showPage(request.responseText, request.responseURL));
  request.addEventListener('error', () => stop('The connection broke. Send it again.'));
  request.open('POST', form.action);
  request.setRequestHeader('accept', 'text/html');
  request.send(new FormData(form));
  tell(`${file.name} is being sent.`);
  if (button) button.disabled = true;
  if (bar) {
    bar.value = 0;
    bar.hidden = false;
  }
}

/** The server rendered it, with everything escaped. */
function showPage(html: string, href: string): void {
  const main = new DOMParser().parseFromString(html, 'text/html').querySelector('main');
  if (!main) return location.assign(href);
  history.replaceState(null, '', href);
  document.querySelector('main')?.replaceWith(main);
  main.focus();
}

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.dataset['upload'] === undefined) return;
  const file = form.querySelector<HTMLInputElement>('input[type="file"]')?.files?.[0];
  if (!file) return;
  event.preventDefault();
  send(form, file);
});
