import { mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { box, u32 } from '../../media/boxes.js';
import { fixturePath, startService, type TestService } from '../../service.js';

let service: TestService;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uploads-'));
  service = await startService({ UPLOAD_ROOTS: folder });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const encode = async (name: string) => (await readFile(fixturePath(name))).toString('base64');
const send = (input: object) => service.call('file_upload', input);
async function refuse(input: object): Promise<string> {
  const { code, message } = await service.refuse('file_upload', input);
  expect(await readdir(join(service.data_dir, 'staging')).catch(() => [])).toEqual([]);
  return `${code} ${message}`;
}

describe('the name of an upload', () => {
  it.each([
    ['a path', '../../etc/mug.png', 'mug.png'],
    ['a path of Windows', 'C:\\photos\\mug.png', 'mug.png'],
    ['another script', 'マグカップ🍵.png', 'マグカップ🍵.png'],
    ['marks of its own', 'cafe\u0301.png', 'caf\u00e9.png'],
    ['control characters', 'a\u0000b\u001b[31m.png', 'ab[31m.png'],
    ['an override of direction', 'gnp\u202e.png', 'gnp.png'],
    ['half of a surrogate pair', 'a\ud83d.png', 'a.png'],
    ['nothing that can be shown', '\u202e/', 'file'],
    ['300 characters', '🍵'.repeat(300), '🍵'.repeat(200)],
  ])('made of %s becomes displayable', async (_name, filename, shown) => {
    const sent = await send({ file: await encode('mug-detail.png'), filename });
    expect(sent['filename']).toBe(shown);
    expect(decodeURIComponent(String(sent['url']).split('/').at(-1) ?? '')).toBe(shown);
  });
});

describe('bytes in base64', () => {
  it('are accepted in both alphabets, with line breaks', async () => {
    const base64 = await encode('photo-01.jpg');
    const url_safe = base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
    const wrapped = base64.replaceAll(/.{76}/g, '$&\n');
    const sizes = await Promise.all(
      [base64, url_safe, wrapped].map(async (file) => (await send({ file, filename: 'a.jpg' }))['size']),
    );
    expect(new Set(sizes).size).toBe(1);
  });
  it.each([
    [
      'a data: address',
      'data:image/png;base64,iVBORw0KGgo=',
      'VALIDATION_FAILED file: must be base64, without a data: prefix',
    ],
    ['other text', 'ひ', 'VALIDATION_FAILED file: must be base64, without a data: prefix'],
    ['empty', '', 'VALIDATION_FAILED file: must be base64, without a data: prefix'],
    ['a single letter, which is no byte', 'A', 'VALIDATION_FAILED file: is empty; send a file with content'],
    ['more than 5 MB', 'A'.repeat(6_990_512), 'FILE_TOO_LARGE file: is larger than 5 MB'],
  ])('are refused if they are %s', async (_name, file, words) => {
    expect(await refuse({ file, filename: 'a.png' })).toBe(words);
  });
  it('need a name', async () => {
    expect(await refuse({ file: 'AAAA' })).toBe(
      'VALIDATION_FAILED filename: is required when file is sent, for example mug.jpg',
    );
  });
});

const cut = async (name: string, size_bytes: number) =>
  (await readFile(fixturePath(name))).subarray(0, size_bytes).toString('base64');

describe('damaged and wrong files', () => {
  const DAMAGED = 'VALIDATION_FAILED file: is damaged or incomplete; save it again, then send the new file';
  it.each([
    ['a JPEG cut in its metadata', 'mug-front.jpg', 700],
    ['a JPEG cut in its picture', 'mug-front.jpg', 20_000],
    ['a PNG cut behind its header', 'mug-detail.png', 40],
    ['a PNG cut in its picture', 'mug-detail.png', 5_000],
    ['a GIF cut before its picture', 'animation.gif', 30],
    ['a GIF cut in its picture', 'animation.gif', 300],
  ])("are refused as the caller's error: %s", async (_name, name, size_bytes) => {
    expect(await refuse({ file: await cut(name, size_bytes), filename: name })).toBe(DAMAGED);
  });
  it.each([
    [
      'clip-long.mp4',
      'video',
      /^VALIDATION_FAILED file: is [\d.]+ seconds long; at most 15 seconds are allowed$/,
    ],
    [
      'clip-short.mp4',
      'video',
      /^VALIDATION_FAILED file: is 2 seconds long; at least 3 seconds are required$/,
    ],
    [
      'clip-small.mp4',
      'video',
      /^VALIDATION_FAILED file: is 320 × 240 pixels; the longer side must be at least 500/,
    ],
    ['clip-with-sound.mp4', 'video', /^VALIDATION_FAILED file: has an audio track; remove it$/],
    ['photo-01.jpg', 'video', /^VALIDATION_FAILED file: is image\/jpeg; send an MP4 or MOV$/],
    ['clip.mp4', 'image', /^VALIDATION_FAILED file: is video\/mp4; send a JPG, PNG, or GIF$/],
    ['fake.jpg', 'image', /^VALIDATION_FAILED file: is of an unknown type; send a JPG, PNG, or GIF$/],
  ])('are refused: %s as %s', async (name, type, words) => {
    expect(await refuse({ file: await encode(name), filename: name, type })).toMatch(words);
  });
});

describe('a file that is not a picture a listing accepts', () => {
  it.each([
    ['TIFF', Buffer.from('49492a0008000000', 'hex'), 'tiff'],
    ['BMP', latin1('BM\0\0\0\0\0\0\0\0'), 'bmp'],
  ])('is refused under any name: %s', async (_name, bytes, type) => {
    const file = Buffer.concat([bytes, Buffer.alloc(64)]).toString('base64');
    expect(await refuse({ file, filename: 'mug.jpg' })).toBe(
      `VALIDATION_FAILED file: is image/${type}; send a JPG, PNG, or GIF`,
    );
  });
  it.each([
    ['HEIC', box('ftyp', latin1('heic'), u32(0), latin1('mif1heic'))],
    ['AVIF', box('ftyp', latin1('avif'), u32(0), latin1('mif1avif'))],
    ['WebP', latin1('RIFF\x24\0\0\0WEBPVP8 ')],
  ])('is refused even if it begins like one: %s', async (_name, bytes) => {
    const file = Buffer.concat([bytes, Buffer.alloc(64)]).toString('base64');
    expect(await refuse({ file, filename: 'mug.jpg' })).toBe(
      'VALIDATION_FAILED file: is damaged, or takes too long to read; save it again, then send the new file',
    );
  });
});

const readKept = async (sent: Record<string, unknown>): Promise<Buffer> => {
  const { account_id } = await service.app.core.accounts.getDefault();
  const upload = await service.app.core.uploads.findByUrl(account_id, String(sent['url']));
  const sha256 = upload?.sha256 ?? '';
  return readFile(join(service.data_dir, 'blobs', sha256.slice(0, 2), sha256.slice(2)));
};
/** A video whose movie box is at its end, so that a location can be appended. */
const buildFilm = async () => {
  const film = await readFile(fixturePath('clip.mov'));
  const place = box('udta', box('\xa9xyz', Buffer.from([0, 8, 0x55, 0xc4]), latin1('+52.5+13')));
  const moov = film.indexOf('moov', 0, 'latin1') - 4;
  return Buffer.concat([film.subarray(0, moov), box('moov', film.subarray(moov + 8), place)]);
};

describe('the location where a file was made', () => {
  it('is removed from videos and GIFs before they are stored', async () => {
    const film = await buildFilm();
    const kept = await readKept(
      await send({ file: film.toString('base64'), filename: 'a.mov', type: 'video' }),
    );
    expect([film.includes('+52.5'), kept.includes('+52.5'), kept.length]).toEqual([true, false, film.length]);
    const gif = await readFile(fixturePath('animation.gif'));
    const comment = Buffer.concat([latin1('\x21\xfe\x04'), latin1('52.5'), Buffer.from([0])]);
    const result = Buffer.concat([gif.subarray(0, -1), comment, gif.subarray(-1)]);
    expect(await readKept(await send({ file: result.toString('base64'), filename: 'a.gif' }))).toEqual(gif);
  });

  it('stays in a digital file, which is delivered unchanged', async () => {
    const film = await buildFilm();
    const sent = await send({ file: film.toString('base64'), filename: 'a.mov', type: 'digital' });
    expect(await readKept(sent)).toEqual(film);
  });
});

const MISSING = () =>
  `VALIDATION_FAILED path: was not found in the folders that the service can read (${folder})`;
const OUTSIDE = () =>
  `VALIDATION_FAILED path: is outside the folders that the service can read (${folder}); move the file there, or send its content in file`;

it('keeps a one-time address open after a file that could not be stored', async () => {
  const { uploads, accounts } = service.app.core;
  const { account_id } = await accounts.getDefault();
  const { key_id } = await accounts.createKey(account_id, 'uploads');
  const caller = { account_id, credential: 'key', credential_id: key_id } as const;
  const { upload_url } = await uploads.create({ type: 'image' }, { caller, face: 'mcp_http' });
  const token = String(upload_url).split('/').at(-1) ?? '';
  const photo = await readFile(fixturePath('photo-02.jpg'));
  const sendTo = async () => {
    const file = await uploads.receive(Readable.from([photo]), 'p.jpg');
    try {
      return await uploads.createByLink(token, file);
    } finally {
      await uploads.discard(file);
    }
  };

  const blobs = join(service.data_dir, 'blobs');
  await rename(blobs, `${blobs}-away`);
  await writeFile(blobs, 'no folder');
  await expect(sendTo()).rejects.toMatchObject({ code: expect.stringMatching(/ENOTDIR|EEXIST/) });
  await rm(blobs);
  await rename(`${blobs}-away`, blobs);

  expect(await sendTo()).toMatchObject({ filename: 'p.jpg' });
  await expect(sendTo()).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

describe('the path of a local file', () => {
  it('inside of the folders is read', async () => {
    const path = join(folder, '写真.jpg');
    await writeFile(path, await readFile(fixturePath('photo-01.jpg')));
    expect((await send({ path }))['filename']).toBe('写真.jpg');
  });
  it('that leads out of the folder, in any way, is refused with the words for a missing file', async () => {
    const link = join(folder, 'link.jpg');
    await symlink(fixturePath('photo-01.jpg'), link);
    for (const path of [fixturePath('photo-01.jpg'), `${folder}/../x.jpg`, `${folder}-2/x`]) {
      expect(await refuse({ path })).toBe(OUTSIDE());
    }
    for (const path of [link, join(folder, 'none')]) expect(await refuse({ path })).toBe(MISSING());
  });
  it('with plain spaces finds the screenshot whose name has another kind', async () => {
    const name = 'Screenshot 2026-11-20 at 3.14.15\u202fPM.jpg';
    await writeFile(join(folder, name), await readFile(fixturePath('photo-01.jpg')));
    expect(await send({ path: join(folder, name.replace('\u202f', ' ')) })).toMatchObject({ type: 'image' });
  });
  it('must name a file, without other sources', async () => {
    expect(await refuse({ path: 'nothing.jpg' })).toBe(MISSING());
    expect(await refuse({ path: `${folder}/a\0b` })).toBe(OUTSIDE());
    expect(await refuse({ path: folder })).toMatch(/^VALIDATION_FAILED path: is a folder that contains /);
    expect(await refuse({ path: `${folder}/x`, file: 'AAAA' })).toBe(
      'VALIDATION_FAILED file: cannot be sent together with path; send only one of them',
    );
    expect(await refuse({})).toMatch(/^VALIDATION_FAILED file: is required unless path/);
  });
});
