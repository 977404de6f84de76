import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeSize } from '../../src/dashboard/components/size.js';
import { buildMug, fixturePath, TARGETS, upload } from '../service.js';
import { startDashboard, toText, type PageAnswer, type TestDashboard, type Visitor } from './visitor.js';

const PAGE = '/dashboard/uploads';

let dashboard: TestDashboard;
let visitor: Visitor;
beforeAll(async () => {
  dashboard = await startDashboard();
  visitor = await dashboard.signIn();
});
afterAll(() => dashboard.close());

async function send(fixture: string, type: string, filename = fixture): Promise<PageAnswer> {
  const form = new FormData();
  form.set('csrf_token', visitor.getToken());
  form.set('type', type);
  form.set('file', new Blob([await readFile(fixturePath(fixture))]), filename);
  return visitor.postForm(PAGE, form);
}

describe('an upload in the dashboard', () => {
  it('returns the URL that a listing takes', async () => {
    expect(toText((await visitor.get(PAGE)).text)).toContain('No unused uploads');
    const { status, location } = await send('mug-front.jpg', 'image');
    expect(status).toBe(303);
    const page = await visitor.get(location);
    const url = /<code>(service-upload:\/\/[^<]+)<\/code>/.exec(page.text)?.[1] ?? '';
    expect(toText(page.text)).toContain('mug-front.jpg is here. Give this address to your assistant:');
    const { uploads } = dashboard.service.app.core;
    expect(await uploads.findByUrl(dashboard.account_id, url)).toMatchObject({ filename: 'mug-front.jpg' });
    expect(toText(page.text)).toMatch(/\d+ kB, image\/jpeg, uploaded .* Kept until \d+ \w+ \d{4}/);
    const src = /<img class="photo" src="([^"]+)"/.exec(page.text)?.[1] ?? '';
    expect((await visitor.get(src)).headers.get('content-type')).toMatch(/^image\//);
  });

  it('of another type has a drawing in place of its picture', async () => {
    const { location } = await send('pattern.pdf', 'digital');
    const { text } = await visitor.get(location);
    const src = /<img class="photo" src="([^"]+)"/.exec(text)?.[1] ?? '';
    expect((await visitor.get(src)).headers.get('content-type')).toBe('image/svg+xml');
  });

  it('whose content does not match its type is refused on the page', async () => {
    const { status, text } = await send('notes.txt', 'image');
    expect(status).toBe(400);
    expect(toText(text)).toContain(
      'notes.txt was not kept. This file is of an unknown type. Use a JPG, PNG, or GIF',
    );
    expect(toText(text)).toContain('What is it?');
    const { total } = await dashboard.service.app.core.uploads.list(dashboard.account_id, {
      limit: 1,
      offset: 0,
    });
    expect(total).toBe(2);
  });

  it("of another type is refused in a seller's words, with what to do", async () => {
    const film = toText((await send('clip.mp4', 'image')).text);
    expect(film).toContain(
      'clip.mp4 was not kept. This file is a video. Use a JPG, PNG, or GIF. If it is meant to be something else, choose that under “What is it?” and send it again.',
    );
    const picture = toText((await send('animation.gif', 'video')).text);
    expect(picture).toContain(
      'animation.gif was not kept. This file is a photo. Use an MP4 or MOV. If it is meant',
    );
    const unnamed = toText((await send('pattern.pdf', 'digital', 'pattern')).text);
    expect(unnamed).toContain('pattern was not kept. This file must have one of these extensions: .bmp');
    for (const text of [film, picture, unnamed])
      expect(text).not.toMatch(/video\/mp4|image\/gif|\btype \w+ takes/);
  });

  it('of several files has a result for each, also without scripts', async () => {
    const form = new FormData();
    form.set('csrf_token', visitor.getToken());
    form.set('type', 'image');
    for (const name of ['phone.heic', 'notes.txt', 'photo-02.jpg']) {
      form.append('file', new Blob([await readFile(fixturePath(name))]), name);
    }
    form.append('file', new Blob([]), 'nothing.jpg');
    const { status, text } = await visitor.postForm(PAGE, form);
    expect(status).toBe(400);
    const words = toText(text);
    expect(words).toContain('phone.jpg is here.');
    expect(words).toContain('it was converted to a JPEG');
    expect(words).toContain('photo-02.jpg is here.');
    expect(words).toContain(
      'notes.txt was not kept. This file is of an unknown type. Use a JPG, PNG, or GIF',
    );
    expect(words).toContain('nothing.jpg was not kept. This file is empty.');
  });

  it('accepts ten files at a time', async () => {
    const form = new FormData();
    form.set('csrf_token', visitor.getToken());
    for (let index = 0; index < 11; index += 1) form.append('file', new Blob(['GIF89a']), `${index}.gif`);
    const { status, text } = await visitor.postForm(PAGE, form);
    expect([status, toText(text)]).toEqual([
      400,
      expect.stringContaining('Choose at most 10 files at a time'),
    ]);
  });

  it('is listed apart from the others once a listing uses it', async () => {
    const { service } = dashboard;
    const images = [{ url: await upload(service, 'photo-07.jpg') }];
    expect(toText((await visitor.get(PAGE)).text)).toContain('photo-07.jpg');
    await service.call('listing_create', buildMug([TARGETS.clay], { state: 'draft', images }));
    const unused = toText((await visitor.get(PAGE)).text);
    expect(unused).toContain('Not used yet Used by listings');
    expect(unused).not.toContain('photo-07.jpg');
    const used = toText((await visitor.get(`${PAGE}?used=1`)).text);
    expect(used).toContain('photo-07.jpg');
    expect(used).not.toContain('pattern.pdf');
  });

  it('replaced by a change is kept while the change can be undone', async () => {
    const { service } = dashboard;
    const [before, after] = [await upload(service, 'photo-05.jpg'), await upload(service, 'photo-06.jpg')];
    const upload_id = /^service-upload:\/\/(\w+)/.exec(before)?.[1] ?? '';
    const mug = buildMug([TARGETS.clay], { state: 'publish', images: [{ url: before }] });
    const { listing_pk } = await service.call<{ listing_pk: number }>('listing_create', mug);
    await service.call('listing_update', { listing_pk, changes: { images: [{ url: after }] } });
    const kept = await visitor.post(`${PAGE}/${upload_id}/delete`);
    expect([kept.status, toText(kept.text)]).toEqual([
      400,
      expect.stringContaining('undoing a recent change would need it'),
    ]);
    await service.call('listing_undo', { listing_pk });
    expect((await visitor.get(`${PAGE}/${upload_id}/preview`)).status).toBe(200);
  });

  it('that no listing uses can be deleted; for one in use, the page says so', async () => {
    const { location } = await send('photo-03.jpg', 'image', 'unused.jpg');
    const unused = new URLSearchParams(location.split('?')[1]).get('new') ?? '';
    const used = await upload(dashboard.service, 'photo-04.jpg');
    await dashboard.service.call('listing_create', buildMug([TARGETS.clay], { images: [{ url: used }] }));
    const listed = await visitor.get(PAGE);
    const used_id = /^service-upload:\/\/(\w+)/.exec(used)?.[1] ?? '';
    expect(listed.text).toContain(`${PAGE}/${unused}/delete`);
    const inUse = await visitor.get(`${PAGE}?used=1`);
    expect(inUse.text).not.toContain(`${PAGE}/${used_id}/delete`);
    expect(toText(inUse.text)).toContain('A saved listing uses it, so it cannot be deleted.');

    const gone = await visitor.post(`${PAGE}/${unused}/delete`);
    const { text } = await visitor.get(gone.location);
    expect(toText(text)).toContain('Upload deleted.');
    expect(text).not.toContain('unused.jpg');
    expect((await visitor.get(`${PAGE}/${unused}/preview`)).status).toBe(404);
    const kept = await visitor.post(`${PAGE}/${used_id}/delete`);
    expect([kept.status, toText(kept.text)]).toEqual([
      400,
      expect.stringContaining('a saved listing uses it'),
    ]);
    expect(await dashboard.service.app.core.uploads.findByUrl(dashboard.account_id, used)).toBeDefined();
  });

  it("without a file or without the session's token is refused", async () => {
    const without = await visitor.post(PAGE, { type: 'image' });
    expect([without.status, toText(without.text)]).toEqual([400, expect.stringContaining('Choose a file')]);
    const form = new FormData();
    form.set('file', new Blob(['x']), 'x.jpg');
    expect((await visitor.postForm(PAGE, form)).status).toBe(400);
  });

  it.each(['/dashboard/sign-in', '/dashboard/webhooks/test'])(
    'is not accepted anywhere else: %s',
    async (path) => {
      const form = new FormData();
      form.set('csrf_token', visitor.getToken());
      form.set('file', new Blob([await readFile(fixturePath('mug-front.jpg'))]), 'mug-front.jpg');
      const { status, text } = await visitor.postForm(path, form);
      expect(status).toBe(400);
      expect(toText(text)).toContain('Your browser sent a request that this service cannot read.');
    },
  );

  it('shows a hostile file name as text', async () => {
    const { location } = await send('mug-side.jpg', 'image', '<img src=x>\u202egpj.exe');
    const { text } = await visitor.get(location);
    expect(text).not.toContain('<img src=x');
    expect(text).toContain('&lt;img src=x>');
  });

  it('has a preview only for its own account', async () => {
    expect((await visitor.get(`${PAGE}/upl_unknown/preview`)).status).toBe(404);
  });
});

it('sizes are shown in readable units', () => {
  expect([840, 12_400, 3_440_000].map(describeSize)).toEqual(['840 B', '12 kB', '3.4 MB']);
});
