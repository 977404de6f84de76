import { readFile } from 'node:fs/promises';
import { DomUtils, parseDocument } from 'htmlparser2';
import { fixturePath } from '../service.js';
import type { PageAnswer, Visitor } from './visitor.js';

const { getElementsByTagName, textContent } = DomUtils;
type Element = ReturnType<typeof getElementsByTagName>[number];

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
  const forms = getElementsByTagName('form', parseDocument(text));
  const own = forms.find(({ attribs }) => attribs['enctype'] === 'multipart/form-data');
  const fields = own ? listFields(own) : [];
  const files: [string, Blob, string][] = [];
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

function listFields(form: Element): [string, string][] {
  const fields = getElementsByTagName((name) => /^(input|textarea|select)$/.test(name), form);
  return fields.flatMap((field): [string, string][] => {
    const { name, type = '', value = '', checked } = field.attribs;
    if (name === undefined || type === 'file') return [];
    if (/^(checkbox|radio)$/.test(type) && checked === undefined) return [];
    if (field.name === 'input') return [[name, value]];
    if (field.name === 'textarea') {
      return [[name, textContent(field).replace(/^\n/, '').replaceAll('\n', '\r\n')]];
    }
    const options = getElementsByTagName('option', field);
    const chosen = options.find(({ attribs }) => 'selected' in attribs) ?? options[0];
    return [[name, chosen?.attribs['value'] ?? '']];
  });
}
