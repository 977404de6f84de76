import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { LASTING, type Method } from './method.js';
import { ProtocolError, RPC } from './protocol_error.js';

/** A way of working for assistants, in the Agent Skills format. */
export type Skill = {
  uri: string;
  name: string;
  description: string;
  compatibility: string;
  /** The text after the front matter. */
  body: string;
  /** The whole file. */
  text: string;
};

/** The capability of a server that serves skills. */
export const SKILLS_EXTENSION = { 'io.modelcontextprotocol/skills': {} };

/**
 * By folder in src/skills: the operations that the skill needs. If one of them is missing, the skill is not
 * offered.
 */
export const NEEDS: Readonly<Record<string, readonly string[]>> = {
  'list-a-product': [
    'file_upload',
    'stores_list',
    'store_sync',
    'categories_search',
    'listing_schema',
    'listing_create',
  ],
  'bring-a-shop-in': ['stores_list', 'store_listings', 'listing_import', 'listing_create_status'],
  'change-many': ['listings_list', 'batch_create', 'batches_list', 'batch_start', 'batch_undo'],
  'copy-to-other-shops': ['listings_list', 'listing_get', 'stores_list', 'listing_copy'],
  'why-did-it-fail': [
    'listing_create_status',
    'listings_list',
    'listing_get',
    'listing_publish',
    'store_details_cached',
  ],
  'prepare-gpsr': [
    'stores_list',
    'listings_list',
    'listing_get',
    'batch_create',
    'batch_start',
    'batch_undo',
  ],
};

const FOLDER = new URL('../../skills/', import.meta.url);
const FRONT_MATTER = /^---\nname: (.+)\ndescription: (.+)\ncompatibility: (.+)\n---\n\n/;
const MIME = 'text/markdown';

/** The skills whose operations are all among `names`. */
export function listOfferedSkills(names: ReadonlySet<string>): Skill[] {
  return Object.entries(NEEDS)
    .filter(([, needs]) => needs.every((name) => names.has(name)))
    .map(([folder]) => readSkill(folder));
}

/** Throws if a file does not begin with the front matter of its folder. */
export function readSkill(folder: string): Skill {
  const text = readFileSync(new URL(`${folder}/SKILL.md`, FOLDER), 'utf8');
  const [front = '', name, description = '', compatibility = ''] = FRONT_MATTER.exec(text) ?? [];
  if (name !== folder) throw new Error(`src/skills/${folder}/SKILL.md does not begin with its name`);
  const uri = `skill://${name}/SKILL.md`;
  return { uri, name, description, compatibility, text, body: text.slice(front.length) };
}

/** The result of skills/list. */
export function listSkillEntries(skills: readonly Skill[]) {
  return { ...LASTING, skills: skills.map(describeSkill) };
}

function describeSkill({ uri, name, description, compatibility, text }: Skill) {
  const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  return {
    uri,
    frontmatter: { name, description, compatibility },
    resources: [{ uri, digest, size: Buffer.byteLength(text) }],
  };
}

/** A skill as one of the server's resources. */
export function toSkillResource({ uri, name, description }: Skill) {
  return { uri, name, title: name, description, mimeType: MIME };
}

/** The result of resources/read; undefined if the URI is not a skill's. */
export function readSkillResource(skills: readonly Skill[], uri: string) {
  const skill = skills.find((one) => one.uri === uri);
  return skill && { ...LASTING, contents: [{ uri, mimeType: MIME, text: skill.text }] };
}

/** skills/get */
export function createSkillGetter(skills: readonly Skill[]): Method {
  return ({ uri }) => {
    const skill = skills.find((one) => one.uri === uri);
    if (skill) return { ...LASTING, skill: describeSkill(skill) };
    throw new ProtocolError(
      RPC.invalid_params,
      'No skill has this URI. Call skills/list for the available ones.',
      { data: { uri } },
    );
  };
}
