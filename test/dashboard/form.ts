import { readFile } from 'node:fs/promises';
import { fixturePath } from '../service.js';
import type { PageAnswer, Visitor } from './visitor.js';

/** The fields of the editor's form as a browser without scripts would send them. */
export type Form = {
  set(name: string, value: string): Form;
  /** Ticks or unticks a checkbox. */
  tick(name: string, value: string, on?: boolean): Form;
  /** Changes the n-th occurrence of a repeated field. */
  setNth(name: string, place: number, value: string): Form;
  /** As from a form without the field. */
  leaveOut(name: string): Form;
  getAll(name: string): string[];
  choose(fixture: string, filename?: string, part?: string): Promise<Form>;
  /** Presses a button of the form. @param step its value */
  send(path: string, step?: string): Promise<PageAnswer>;
};

export function readForm(visitor: Visitor, { text }: Pick<PageAnswer, 'text'>): Form {
  const html = /<form[^>]*multipart[\s\S]*?<\/form>/.exec(text)?.[0] ?? '';
  const fields: [string, string][] = [];
  const files: [string, Blob, string][] = [];
  // A value may contain ">".
  const inTag = String.raw`((?:[^">]|"[^"]*")*)`;
  const pattern = new RegExp(
    String.raw`<input${inTag}>|<textarea${inTag}>\n?([\s\S]*?)<\/textarea>|<select${inTag}>([\s\S]*?)<\/select>`,
    'g',
  );
  for (const [, input, area, content = '', select, options = ''] of html.matchAll(pattern)) {
    const attributes = input ?? area ?? select ?? '';
    const name = readAttribute(attributes, 'name');
    if (name === undefined || / type="file"/.test(attributes)) continue;
    if (/ type="(?:checkbox|radio)"/.test(attributes) && !/ checked/.test(attributes)) continue;
    if (input !== undefined) fields.push([name, readAttribute(input, 'value') ?? '']);
    else if (area !== undefined) fields.push([name, decode(content).replaceAll('\n', '\r\n')]);
    else {
      const chosen = /<option([^>]* selected[^>]*)>/.exec(options) ?? /<option([^>]*)>/.exec(options);
      fields.push([name, readAttribute(chosen?.[1] ?? '', 'value') ?? '']);
    }
  }
  const form: Form = {
    set(name, value) {
      const known = fields.find((field) => field[0] === name);
      if (known) known[1] = value;
      else fields.push([name, value]);
      return form;
    },
    tick(name, value, on = true) {
      const place = fields.findIndex((field) => field[0] === name && field[1] === value);
      if (on && place === -1) fields.push([name, value]);
      if (!on && place !== -1) fields.splice(place, 1);
      return form;
    },
    setNth(name, place, value) {
      const known = fields.filter((field) => field[0] === name)[place];
      if (!known) throw new Error(`the form has no ${name} number ${place}`);
      known[1] = value;
      return form;
    },
    leaveOut(name) {
      fields.splice(0, fields.length, ...fields.filter((field) => field[0] !== name));
      return form;
    },
    getAll: (name) => fields.filter((field) => field[0] === name).map(([, value]) => value),
    async choose(fixture, filename = fixture, part = 'file') {
      files.push([part, new Blob([await readFile(fixturePath(fixture))]), filename]);
      return form;
    },
    send(path, step) {
      const body = new FormData();
      for (const [name, value] of fields) body.append(name, value);
      if (step !== undefined) body.append('step', step);
      for (const file of files) body.append(...file);
      if (files.length === 0) body.append('file', new Blob([]), '');
      return visitor.postForm(path, body);
    },
  };
  return form;
}

function readAttribute(attributes: string, name: string): string | undefined {
  const found = new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1];
  return found === undefined ? undefined : decode(found);
}

function decode(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
