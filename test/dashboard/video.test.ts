import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBatches } from '../core/batches/rig.js';
import { makeListing } from '../core/listings/update/rig.js';
import { CLAY, MUGS, upload } from '../service.js';
import { readForm, type Form } from './form.js';
import { startDashboard, toText, type TestDashboard, type Visitor } from './visitor.js';

/* A listing's video is added, replaced and removed in forms that need no scripts. */

const PATH = '/dashboard/listings/new';

let dashboard: TestDashboard;
let seller: Visitor;
beforeAll(async () => {
  dashboard = await startDashboard();
  seller = await dashboard.signIn();
});
afterAll(() => dashboard.close());

async function fill(title: string): Promise<Form> {
  const form = readForm(seller, await seller.get(PATH))
    .set('title', title)
    .set('description', 'Thrown on the wheel.')
    .set('category_id', String(MUGS))
    .tick('shop', String(CLAY.shop_id))
    .set(`shipping_${CLAY.shop_id}`, '211740301')
    .set(`returns_${CLAY.shop_id}`, '1142500101')
    .set('price_USD', '24.50')
    .set('quantity', '4');
  return readForm(seller, await (await form.choose('mug-front.jpg')).send(PATH, 'photos'));
}

const readVideos = async (location: string) => {
  const listing_pk = Number(location.split('/').at(-1));
  const { request } = await dashboard.service.call<{ request: { videos?: { url: string }[] } }>(
    'listing_get',
    { listing_pk },
  );
  return (request.videos ?? []).map(({ url }) => url.replace(/^.*\//, ''));
};

it('a new listing is published with its video, which the review names', async () => {
  const form = await (await fill('Mug with a video')).choose('clip.mp4', 'glaze <i>.mp4', 'video_file');
  const shown = await form.send(PATH, 'video');
  expect(toText(shown.text)).toContain('glaze &lt;i>.mp4');
  expect(shown.text).not.toContain('<i>.mp4');
  const review = await readForm(seller, shown).send(`${PATH}/review`);
  expect(toText(review.text)).toContain('1 photo Video: glaze &lt;i>.mp4');
  const published = await readForm(seller, review).set('state', 'active').send(`${PATH}/publish`);
  expect(await readVideos(published.location)).toHaveLength(1);
  type World = { listings: { fields: { title: string }; videos: unknown[]; state: string }[] };
  const { listings } = await dashboard.service.control<World>('GET', '/state');
  const own = listings.find(({ fields }) => fields.title === 'Mug with a video');
  expect([own?.state, own?.videos.length]).toEqual(['active', 1]);
});

it('a file that Etsy would refuse is named next to the field, and the earlier video stays', async () => {
  let form = await (await fill('Mug with wrong files')).choose('clip.mp4', 'clip.mp4', 'video_file');
  form = readForm(seller, await form.send(PATH, 'video'));
  for (const [fixture, reason] of [
    ['mug-side.jpg', 'This file is a photo. Use an MP4 or MOV.'],
    ['clip-long.mp4', 'At most 15 seconds are allowed.'],
    ['clip-with-sound.mp4', 'Remove the audio track.'],
  ] as const) {
    const { status, text } = await (
      await readForm(seller, await form.send(PATH, 'refresh')).choose(fixture, fixture, 'video_file')
    ).send(PATH, 'video');
    expect(status).toBe(400);
    const [, problem = ''] = /<p class="problem" id="video-part-problem">(.*?)<\/p>/.exec(text) ?? [];
    expect(toText(problem)).toContain(`${fixture} was not added.`);
    expect(toText(problem)).toContain(reason);
    expect(readForm(seller, { text }).getAll('video')).toEqual([expect.stringMatching(/clip\.mp4$/)]);
  }
});

it('keeps the video of a draft through an autosave, and replaces it with another', async () => {
  const form = await (await fill('Draft with a video')).choose('clip.mp4', 'first.mp4', 'video_file');
  const saved = await readForm(seller, await form.send(PATH, 'video')).send(PATH, 'autosave');
  expect(toText(saved.text)).toContain('Saved as a draft.');
  const [, edit = ''] = /<form[^>]* action="([^"]*\/edit)"/.exec(saved.text) ?? [];
  const path = edit.replace(/\/edit$/, '');
  expect(await readVideos(path)).toEqual(['first.mp4']);

  const other = await readForm(seller, saved).choose('clip.mov', 'second.mov', 'video_file');
  const replaced = await readForm(seller, await other.send(edit, 'video')).send(edit);
  expect([replaced.status, replaced.location]).toEqual([303, path]);
  expect(await readVideos(path)).toEqual(['second.mov']);
});

it('the video of a published listing is removed after a review', async () => {
  const url = await upload(dashboard.service, 'clip.mp4', 'video');
  const made = await makeListing(dashboard.service, { photos: 1, more: { videos: [{ url }] } });
  const path = `/dashboard/listings/${made.listing_pk}`;
  const form = readForm(seller, await seller.get(`${path}/edit`));
  const without = await form.send(`${path}/edit`, `video-remove ${url}`);
  expect(toText(without.text)).toContain('1 change in 2 shops · free');
  const planned = await readForm(seller, without).send(`${path}/edit`);
  expect(toText((await seller.get(planned.location)).text)).toMatch(/Videos Removed: \d+\.mp4/);
  await seller.post(`${planned.location}/start`, { sum: '0.00', shops: '' });
  const batch_id = planned.location.split('/').at(-1) ?? '';
  await openBatches(dashboard.service).follow({ batch_id }, 'completed');
  expect(await readVideos(path)).toEqual([]);
});
