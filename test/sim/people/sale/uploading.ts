import { drawPhoto } from '../../world/disk.js';
import { untilEnd } from '../../world/machine.js';
import { uploadFile, type Uploaded } from '../client.js';
import type { Selling } from './selling.js';

const FIRST_OWN_PHOTO = 1000;

/**
 * Uploads a photo that nobody has uploaded before; undefined if the program stops in the meantime, or has no
 * time for it.
 */
export async function uploadPhoto({ world, planned, deeds, who }: Selling): Promise<Uploaded | undefined> {
  const life = world.machines
    .filter((machine) => !machine.isAway())
    .map((machine) => {
      machine.wake();
      return machine.getLife();
    })
    .find((one) => one !== undefined);
  if (!life) return undefined;
  const number = FIRST_OWN_PHOTO + 100 * planned.number + deeds;
  const photo = { name: `own-${number}.png`, bytes: drawPhoto(number) };
  const uploaded = await untilEnd(
    life,
    uploadFile(life, 'image', photo).catch(() => undefined),
  );
  world.journal.note(who, 'uploads a photo', uploaded === 'ended' ? 'no answer' : String(uploaded?.url));
  return uploaded === 'ended' ? undefined : uploaded;
}
