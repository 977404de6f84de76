import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * The records of a name: addresses, an alias of another name, `nothing` (no such name), or no answer at all.
 */
export type Zone = Record<string, readonly string[] | { cname: string } | 'nothing' | 'silence'>;

export type NameServer = {
  /** In the form a resolver takes. */
  address: string;
  /** All queries: `A a.example`. */
  asked: string[];
};

const TYPES: Record<number, string> = { 1: 'A', 28: 'AAAA' };
const CODES = { A: 1, AAAA: 28, CNAME: 5 };

/**
 * A name server on loopback until the test ends. @param find the records of a name, by name or by rule; a
 * missing name does not exist
 */
export async function startNameServer(find: Zone | ((name: string) => Zone[string])): Promise<NameServer> {
  const { server, ...known } = await openNameServer(find);
  onTestFinished(() => void server.close());
  return known;
}

/** The same, to be closed by the caller. */
export async function openNameServer(find: Zone | ((name: string) => Zone[string])) {
  const lookUp = typeof find === 'function' ? find : (name: string): Zone[string] => find[name] ?? 'nothing';
  const asked: string[] = [];
  const server = createSocket('udp4');
  server.on('message', (query, from) => answer(query, from));
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, address: `127.0.0.1:${server.address().port}`, asked };

  function answer(query: Buffer, from: RemoteInfo): void {
    const { name, type, question } = readQuestion(query);
    asked.push(`${type} ${name}`);
    const records = listRecords(name, type);
    if (records === 'silence') return;
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    // A response, recursion desired and available; 3: no such name.
    head.writeUInt16BE(records === 'nothing' ? 0x8183 : 0x8180, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records === 'nothing' ? 0 : records.length, 6);
    const body = records === 'nothing' ? [] : records;
    server.send(Buffer.concat([head, question, ...body]), from.port, from.address);
  }

  function listRecords(name: string, type: string): Buffer[] | 'nothing' | 'silence' {
    const found = lookUp(name);
    if (found === 'nothing' || found === 'silence') return found;
    if ('cname' in found) {
      const rest = listRecords(found.cname, type);
      const own = buildRecord(name, CODES.CNAME, writeName(found.cname));
      return typeof rest === 'string' ? rest : [own, ...rest];
    }
    return found
      .filter((address) => isIPv6(address) === (type === 'AAAA'))
      .map((address) => buildRecord(name, isIPv6(address) ? CODES.AAAA : CODES.A, writeAddress(address)));
  }
}

function readQuestion(query: Buffer): { name: string; type: string; question: Buffer } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = query.readUInt16BE(at + 1);
  return {
    name: labels.join('.').toLowerCase(),
    type: TYPES[type] ?? String(type),
    question: query.subarray(12, at + 5),
  };
}

function buildRecord(name: string, code: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(code, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(60, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([writeName(name), fixed, data]);
}

function writeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function writeAddress(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number));
  const [before = '', after] = address.split('::');
  const [head, tail] = [toGroups(before), toGroups(after ?? '')];
  const middle = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return Buffer.from([...head, ...middle, ...tail].map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function toGroups(text: string): string[] {
  return text === '' ? [] : text.split(':');
}
