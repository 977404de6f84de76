import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serveSample } from './sample.js';

/** The smallest valid picture: one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mM4oaEBAALUARk7rVwIAAAAAElFTkSuQmCC',
  'base64',
);

function buildForm(parts: Record<string, string | Blob>, name = 'mug.png'): FormData {
  const form = new FormData();
  for (const [key, value] of Object.entries(parts)) {
    if (typeof value === 'string') form.set(key, value);
    else form.set(key, value, name);
  }
  return form;
}

const picture = () => new Blob([PNG], { type: 'image/png' });

async function send(url: string, init: RequestInit) {
  const response = await fetch(url, { method: 'POST', ...init });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** A file that was refused leaves nothing behind. */
async function countStaged(data_dir: string): Promise<number> {
  const names = await readdir(join(data_dir, 'staging')).catch(() => []);
  return names.length;
}

describe('POST /api/v1/uploads', () => {
  it('stores a file, with the parts in any order', async () => {
    const { url, headers, data_dir } = await serveSample();
    const orders: Record<string, string | Blob>[] = [
      { type: 'image', file: picture() },
      { file: picture(), type: 'image' },
      { file: picture() },
    ];
    for (const parts of orders) {
      const { status, body } = await send(`${url}/api/v1/uploads`, { headers, body: buildForm(parts) });
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          url: expect.stringMatching(/^service-upload:\/\/upl_\w+\/mug\.png$/),
          filename: 'mug.png',
          size: PNG.length,
          content_type: 'image/png',
          type: 'image',
          note: expect.any(String),
        },
      });
    }
    expect(await countStaged(data_dir)).toBe(0);
  });

  it.each([
    ['without a file', buildForm({ type: 'image' }), 'VALIDATION_FAILED', 'file: is required'],
    [
      'of an unknown type',
      buildForm({ type: 'song', file: picture() }),
      'VALIDATION_FAILED',
      'type: must be one of',
    ],
    [
      'whose bytes are something else',
      buildForm({ file: new Blob(['text']) }),
      'VALIDATION_FAILED',
      'file: is',
    ],
    ['that is empty', buildForm({ file: new Blob([]) }), 'VALIDATION_FAILED', 'file: is empty'],
    ['in another part', buildForm({ photo: picture() }), 'VALIDATION_FAILED', 'photo: must not be a file'],
    ['that names a local path', buildForm({ path: '/etc/passwd' }), 'VALIDATION_FAILED', 'file: is required'],
  ])('refuses a form %s', async (_name, body, code, message) => {
    const { url, headers, data_dir } = await serveSample();
    const answered = await send(`${url}/api/v1/uploads`, { headers, body });
    expect(answered).toMatchObject({ status: 400, body: { error: { code } } });
    expect((answered.body['error'] as { message: string }).message).toContain(message);
    await expect.poll(() => countStaged(data_dir)).toBe(0);
  });

  it.each([
    ['JSON', 'application/json', '{}', 'UNSUPPORTED_CONTENT'],
    ['no boundary', 'multipart/form-data', 'x', 'UNSUPPORTED_CONTENT'],
    ['a long boundary', `multipart/form-data; boundary=${'b'.repeat(71)}`, 'x', 'UNSUPPORTED_CONTENT'],
    ['no parts', 'multipart/form-data; boundary=b', 'nothing here', 'VALIDATION_FAILED'],
    [
      'half a part',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nPNG',
      'VALIDATION_FAILED',
    ],
  ])('refuses %s', async (_name, type, body, code) => {
    const { url, headers, data_dir } = await serveSample();
    const answered = await send(`${url}/api/v1/uploads`, {
      headers: { ...headers, 'content-type': type },
      body,
    });
    expect(answered).toMatchObject({ status: 400, body: { error: { code } } });
    await expect.poll(() => countStaged(data_dir)).toBe(0);
  });

  it.each([
    ['a field twice', ['type', 'image', 'type', 'digital'], 'type: appears more than once; send it once'],
    ['a value that is too long', ['filename', 'x'.repeat(1_025)], 'filename: is larger than 1024 bytes'],
    ['a NUL character', ['filename', 'a\0b'], 'filename: has a NUL character'],
    [
      'a percent sign in what is wrong',
      ['50%25%s', 'a', '50%25%s', 'b'],
      '50%25%s: appears more than once; send it once',
    ],
    ['a percent sign before a NUL character', ['filename', '50%001\0'], 'filename: has a NUL character'],
  ])('refuses a form with %s', async (_name, fields, message) => {
    const { url, headers, data_dir } = await serveSample();
    const body = buildForm({ file: picture() });
    for (let at = 0; at < fields.length; at += 2) body.append(fields[at] ?? '', fields[at + 1] ?? '');
    const answered = await send(`${url}/api/v1/uploads`, { headers, body });
    expect(answered).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_FAILED', message } } });
    await expect.poll(() => countStaged(data_dir)).toBe(0);
  });

  it('keeps a percent sign in a field unchanged', async () => {
    const { url, headers } = await serveSample();
    const body = buildForm({ file: picture() });
    body.append('filename', 'sale-50%001.jpg');
    expect(await send(`${url}/api/v1/uploads`, { headers, body })).toMatchObject({
      status: 200,
      body: { type: 'image' },
    });
  });

  it('refuses more parts than it needs', async () => {
    const { url, headers } = await serveSample();
    const many = Object.fromEntries(Array.from({ length: 20 }, (_item, index) => [`f${index}`, 'x']));
    const { status, body } = await send(`${url}/api/v1/uploads`, {
      headers,
      body: buildForm({ ...many, file: picture() }),
    });
    expect([status, (body['error'] as { code: string }).code]).toEqual([400, 'VALIDATION_FAILED']);
  });

  it('stores nothing from an upload that is cut off', async () => {
    const { port, key, data_dir, url } = await serveSample();
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      `POST /api/v1/uploads HTTP/1.1\r\nHost: localhost\r\nX-Service-API-Key: ${key}\r\nContent-Length: 100000\r\n` +
        'Content-Type: multipart/form-data; boundary=b\r\n\r\n' +
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nPNG',
    );
    await expect.poll(() => countStaged(data_dir)).toBe(1);
    socket.destroy();
    await expect.poll(() => countStaged(data_dir)).toBe(0);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });
});

async function openLink() {
  const sample = await serveSample();
  const token = 'token-for-this-test-0123456789';
  await sample.store.uploads.createUploadLink(createHash('sha256').update(token).digest('hex'), {
    account_id: sample.account_id,
    type: 'image',
    filename: null,
    life_ms: 60_000,
  });
  return { ...sample, address: `${sample.url}/upload/${token}` };
}

describe('a one-time upload address', () => {
  it('shows a person a form, and takes the file once', async () => {
    const { address } = await openLink();
    const html = { headers: { accept: 'text/html' } };
    const page = await fetch(address, html);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const form = await page.text();
    expect(form).toContain('type="file"');
    // A script converts it to the browser's local time.
    expect(form).toMatch(/until <time datetime="[^"]+Z" data-local>\d+ \w+ \d{4}, \d\d:\d\d UTC<\/time>/);
    // Otherwise the browser would send the form with a null Origin, which is refused.
    expect(page.headers.get('referrer-policy')).toBe('same-origin');

    const wrong = await fetch(address, {
      method: 'POST',
      ...html,
      body: buildForm({ file: new Blob(['text']) }),
    });
    const refused = await wrong.text();
    expect([wrong.status, refused]).toEqual([400, expect.stringContaining('Not uploaded')]);
    expect(refused).toContain('type="file"');
    expect(refused).toContain('This file is of an unknown type. Use a JPG, PNG, or GIF.');
    expect(refused).toContain('To send something else, ask your assistant for another address.');
    expect(refused).not.toMatch(/set type to|file: |type image takes/);
    expect(wrong.headers.get('referrer-policy')).toBe('same-origin');
    const done = await fetch(address, { method: 'POST', ...html, body: buildForm({ file: picture() }) });
    expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('service-upload://upl_')]);
    const used = await fetch(address, html);
    expect([used.status, await used.text()]).toEqual([
      404,
      expect.stringContaining('Ask your assistant for a new one.'),
    ]);
  });

  it('takes a raw body from a program', async () => {
    const { address, data_dir } = await openLink();
    const { status, body } = await send(`${address}?filename=mug.png`, { body: PNG });
    expect([status, body['filename'], body['size']]).toEqual([200, 'mug.png', PNG.length]);
    expect(await countStaged(data_dir)).toBe(0);
    expect(await send(address, { body: PNG })).toMatchObject({
      status: 404,
      body: { error: { code: 'NOT_FOUND' } },
    });
  });

  it.each(['', 'unknown-token'])('that does not exist (%s) is not found', async (token) => {
    const { url } = await serveSample();
    expect(await send(`${url}/upload/${token}`, { body: PNG })).toMatchObject({ status: 404 });
  });

  it('reports that a file is too large before it closes the connection', async () => {
    const { address, data_dir } = await openLink();
    const { status, body } = await send(address, { body: Buffer.alloc(100 * 1024 * 1024 + 1) });
    expect([status, (body['error'] as { code: string }).code]).toEqual([400, 'FILE_TOO_LARGE']);
    await expect.poll(() => countStaged(data_dir)).toBe(0);
  });
});
