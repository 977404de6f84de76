/* Sends a form's files with progress bars. For one file, the response is a page that replaces this one;
   several files are sent in sequence, each with a result of its own. */
const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent' });

type Sending = { showStatus(sentence: string): void; bar: HTMLProgressElement | null };
type Answer = { html: string; href: string };

/** Undefined if the connection broke. */
function post(
  form: HTMLFormElement,
  body: FormData,
  { showStatus, bar }: Sending,
): Promise<Answer | undefined> {
  const request = new XMLHttpRequest();
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    if (bar) bar.value = loaded / total;
    if (bar) bar.title = PERCENT.format(loaded / total);
    if (loaded === total) showStatus('Uploaded. Checking it now.');
  });
  return new Promise((resolve) => {
    request.addEventListener('load', () =>
      resolve({ html: request.responseText, href: request.responseURL }),
    );
    request.addEventListener('error', () => resolve(undefined));
    request.open('POST', form.action);
    request.setRequestHeader('accept', 'text/html');
    request.send(body);
    if (bar) {
      bar.value = 0;
      bar.hidden = false;
    }
  });
}

async function sendOne(form: HTMLFormElement, file: File): Promise<void> {
  const bar = form.querySelector<HTMLProgressElement>('[data-upload-bar]');
  const status = form.querySelector('[data-upload-status]');
  const showStatus = (sentence: string) => status && (status.textContent = sentence);
  const too_large = describeTooLarge(form, file);
  if (too_large !== undefined) {
    showStatus(too_large);
    return;
  }
  const body = new FormData(form);
  showStatus(`${file.name} is being sent.`);
  const answer = await hold(form, () => post(form, body, { showStatus, bar }));
  if (answer) showPage(answer);
  else showStatus(BROKEN);
  if (bar) bar.hidden = true;
}

async function sendAll(form: HTMLFormElement, files: readonly File[]): Promise<void> {
  const list = form.querySelector<HTMLElement>('[data-upload-files]');
  const rows = files.map((file) => buildRow(file));
  list?.replaceChildren(...rows.map(({ row }) => row));
  if (list) list.hidden = false;
  let last: Document | undefined;
  const broken = new DataTransfer();
  await hold(form, async () => {
    for (const [index, file] of files.entries()) {
      const row = rows[index];
      const outcome = row && (await sendRow(form, file, row));
      if (outcome === 'elsewhere') break;
      if (outcome === 'broken') broken.items.add(file);
      if (outcome instanceof Document) last = outcome;
    }
  });
  const fresh = last?.querySelector(LIST);
  if (fresh) document.querySelector(LIST)?.replaceWith(fresh);
  const input = form.querySelector<HTMLInputElement>('input[type="file"]');
  // Files that did not arrive stay selected, so that only they are sent again.
  if (input) input.files = broken.files;
}

/**
 * The page in the response, or why there is none; `elsewhere`: the browser is leaving for another page, such
 * as to sign in again.
 */
type Outcome = Document | 'too_large' | 'broken' | 'elsewhere';

async function sendRow(form: HTMLFormElement, file: File, sending: Sending): Promise<Outcome> {
  const too_large = describeTooLarge(form, file);
  if (too_large !== undefined) {
    sending.showStatus(too_large);
    return 'too_large';
  }
  const body = new FormData(form);
  body.set('file', file);
  sending.showStatus('Being sent.');
  const answer = await post(form, body, sending);
  if (sending.bar) sending.bar.hidden = true;
  if (!answer) {
    sending.showStatus(BROKEN);
    return 'broken';
  }
  const page = parse(answer.html);
  const problem = page.querySelector('[data-upload-problem], .notice[data-tone="bad"] p');
  // Neither refused nor listed: for example, the page asks to sign in again.
  if (!problem && !page.querySelector(LIST)) {
    sending.showStatus('It was not kept.');
    location.assign(answer.href);
    return 'elsewhere';
  }
  const changed = page.querySelector('[data-upload-changed]')?.textContent ?? '';
  sending.showStatus(problem?.textContent ?? `Uploaded. ${changed}`.trim());
  return page;
}

function buildRow(file: File): Sending & { row: HTMLElement } {
  const row = document.createElement('li');
  const name = document.createElement('strong');
  name.textContent = file.name;
  const bar = document.createElement('progress');
  bar.max = 1;
  bar.value = 0;
  bar.ariaLabel = `${file.name}, sent`;
  const status = document.createElement('span');
  status.className = 'note';
  status.role = 'status';
  status.textContent = 'Waits for the others.';
  row.append(name, bar, status);
  return { row, bar, showStatus: (sentence) => (status.textContent = sentence) };
}

/** Disables the form's button in the meantime. */
async function hold<Result>(form: HTMLFormElement, run: () => Promise<Result>): Promise<Result> {
  const button = form.querySelector('button');
  if (button) button.disabled = true;
  try {
    return await run();
  } finally {
    if (button) button.disabled = false;
  }
}

function describeTooLarge(form: HTMLFormElement, file: File): string | undefined {
  const max_bytes = Number(form.dataset['upload']);
  if (file.size <= max_bytes) return undefined;
  return `${file.name} has more than ${Math.round(max_bytes / 1024 / 1024)} MB.`;
}

/** The server rendered it, with everything escaped. */
function showPage({ html, href }: Answer): void {
  const main = parse(html).querySelector('main');
  if (!main) return location.assign(href);
  history.replaceState(null, '', href);
  document.querySelector('main')?.replaceWith(main);
  main.focus();
}

function parse(html: string): Document {
  return new DOMParser().parseFromString(html, 'text/html');
}

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.dataset['upload'] === undefined) return;
  const input = form.querySelector<HTMLInputElement>('input[type="file"]');
  const files = [...(input?.files ?? [])];
  const [first] = files;
  if (!first) return;
  event.preventDefault();
  const most = Number(input?.dataset['maxFiles']);
  const status = form.querySelector('[data-upload-status]');
  if (files.length > most && status) status.textContent = `Choose at most ${most} files at a time.`;
  else if (files.length === 1) void sendOne(form, first);
  else void sendAll(form, files);
});

const BROKEN = 'The connection broke. Send it again.';
const LIST = '[data-upload-list]';
