import { describe, expect, it } from 'vitest';
import { createGuardedDispatcher } from '../../src/media/index.js';
import { toFailure } from './sample.js';

const guarded = createGuardedDispatcher({ egress_allow_cidrs: [] });
const freed = createGuardedDispatcher({ egress_allow_cidrs: ['127.0.0.0/8'] });

function judge(text: string, purpose: 'media' | 'webhook' = 'media', dispatcher = guarded): string {
  try {
    return dispatcher.checkUrl(text, purpose).href;
  } catch (error) {
    return toFailure(error);
  }
}

const BLOCKED = [
  // Every way to write loopback and other inner addresses
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.0.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://0177.1/',
  'http://127.0.0.1./',
  'http://①②⑦.⓪.⓪.①/',
  'http://１２７.０.０.１/',
  'http://127。0。0。1/',
  'http://0/',
  'http://0.0.0.0/',
  'http://%31%32%37.0.0.1/',
  'http://10.0.0.1/',
  'http://192.168.1.1/',
  'http://3232235777/',
  'http://172.16.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://0xa9fea9fe/',
  'http://2852039166/',
  'http://168.63.129.16/',
  'http://100.64.0.1/',
  'http://100.100.100.200/',
  'http://192.0.0.192/',
  'http://255.255.255.255/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::]/',
  'http://[::7f00:1]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[4000::1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b::169.254.169.254]/',
  'http://[2002:7f00:1::]/',
  'http://[2001::1]/',
  'http://[fe80::1]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[ff02::1]/',
  'http://[2001:db8::1]/',
  // Names in one's own network
  'http://localhost/',
  'https://LOCALHOST/',
  'http://ｌocalhost/',
  'http://intranet/',
  'http://a.localhost/',
  'http://printer.local/',
  'http://metadata.google.internal/',
  'http://db.internal/',
  'http://nas.lan/',
  'http://router.home/',
  'http://router.home.arpa/',
  'http://wiki.corp/',
  'http://host.docker.internal/',
  'http://x.localdomain/',
  'http://x.private/',
  'http://x.intranet/',
  'http://com/',
  'http:///a',
  // Ports of other services
  'http://example.com:22/',
  'http://example.com:25/',
  'https://example.com:6379/',
  'http://example.com:5432/',
  'http://example.com:8081/',
  'http://example.com:1/',
  'http://example.com:65535/',
  'http://93.184.216.34:9200/',
  'http://[2606:4700::1]:3306/',
  'http://example.com:0/',
];

const INVALID = [
  '',
  'x',
  '/photo.jpg',
  '//example.com/a',
  'example.com/a.jpg',
  'http:',
  'http://',
  'https://?x',
  'ftp://example.com/a',
  'file:///etc/passwd',
  'data:image/png;base64,AA',
  'javascript:alert(1)',
  'gopher://example.com/',
  'blob:https://example.com/1',
  'ws://example.com/',
  'unix:/run/docker.sock',
  'dict://example.com:11211/',
  'http://user@example.com/',
  'http://user:secret@example.com/',
  'http://:secret@example.com/',
  'http://example.com@127.0.0.1/',
  'https://127.0.0.1:80@example.com/',
  'http://exa mple.com/',
  ' http://example.com/',
  'http://example.com/ ',
  'http://example.com/\n',
  'http://exam\tple.com/',
  'http://example.com/\u0000',
  'http://example.com\\@127.0.0.1/',
  'http:\\\\example.com/',
  'http://example.com/a\u0085b',
  'http://example.com/\u2028',
  'http://example.com./',
  'http://localhost./',
  'http://example..com/',
  'http://.example.com/',
  'http://exam!ple.com/',
  'http://a*.example.com/',
  'http://-a.example.com/',
  'http://a-.example.com/',
  'http://256.256.256.256/',
  'http://1.2.3.4.5/',
  'http://[::1',
  'http://[::1%25eth0]/',
  'http://[v1.x]/',
  'http://example.com:99999/',
  'http://example.com:80a/',
  `http://${'a'.repeat(64)}.com/`,
  `http://${'abcdefgh.'.repeat(30)}com/`,
  `http://example.com/${'a'.repeat(2040)}`,
  'http://xn--/',
  'http://exa%00mple.com/',
  'http://%/',
];

describe('checkUrl', () => {
  it.each(BLOCKED)('blocks %s', (url) => {
    expect(judge(url)).toBe('blocked_address');
  });

  it.each(INVALID)('refuses %j as invalid', (url) => {
    expect(judge(url)).toBe('invalid_url');
  });

  it.each([
    ['https://example.com/a.jpg', 'https://example.com/a.jpg'],
    ['HTTP://Example.COM:80/A', 'http://example.com/A'],
    ['http://example.com:8080/a?b=c#d', 'http://example.com:8080/a?b=c#d'],
    ['https://example.com:8443/', 'https://example.com:8443/'],
    ['http://example.com:443/', 'http://example.com:443/'],
    ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
    ['https://my_bucket.s3.amazonaws.com/', 'https://my_bucket.s3.amazonaws.com/'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
    ['https://localhost.example.com/', 'https://localhost.example.com/'],
  ])('lets %s pass', (url, href) => {
    expect(judge(url)).toBe(href);
  });

  it('accepts an address with non-ASCII letters, however many it has checked', () => {
    const outcomes = new Set(Array.from({ length: 100_000 }, () => judge('https://bücher.example/ä')));
    expect([...outcomes]).toEqual(['https://xn--bcher-kva.example/%C3%A4']);
  });

  it('allows http for media, and for webhooks only if configured', () => {
    const with_http = createGuardedDispatcher({ egress_allow_cidrs: [], allow_http_webhooks: true });
    expect(judge('http://example.com/', 'media')).toBe('http://example.com/');
    expect(judge('http://example.com/', 'webhook')).toBe('invalid_url');
    expect(judge('https://example.com/', 'webhook')).toBe('https://example.com/');
    expect(judge('http://example.com/', 'webhook', with_http)).toBe('http://example.com/');
    expect(judge('http://127.0.0.1/', 'webhook', with_http)).toBe('blocked_address');
  });

  it('exempts literals inside the CIDRs from the port rule, and leaves names to the connect', () => {
    expect(judge('http://127.0.0.1:5432/', 'media', freed)).toBe('http://127.0.0.1:5432/');
    expect(judge('http://[::ffff:127.0.0.1]:81/', 'media', freed)).toBe('http://[::ffff:7f00:1]:81/');
    expect(judge('http://localhost:3000/', 'media', freed)).toBe('http://localhost:3000/');
    expect(judge('http://8.8.8.8:5432/', 'media', freed)).toBe('blocked_address');
    expect(judge('http://10.0.0.1/', 'media', freed)).toBe('blocked_address');
    expect(judge('http://169.254.169.254/', 'media', freed)).toBe('blocked_address');
  });

  it.each([
    ['http://10.0.0.1/', 'The URL is not on the public internet.'],
    [
      'ftp://u@127.0.0.1:9/',
      'The URL must start with https:// or http://. The URL must not contain a user name or password. The URL names a port that is not allowed; use 80, 443, 8080 or 8443. The URL is not on the public internet.',
    ],
    ['http://example.com:22/', 'The URL names a port that is not allowed; use 80, 443, 8080 or 8443.'],
    ['ftp://example.com/', 'The URL must start with https:// or http://.'],
    ['http://a@example.com/', 'The URL must not contain a user name or password.'],
    ['nothing', 'The URL is not valid; write it in full, starting with https://.'],
    [`http://e.com/${'a'.repeat(2048)}`, 'The URL must have at most 2048 characters.'],
  ])('says what is wrong with %s', (url, message) => {
    expect(() => guarded.checkUrl(url, 'media')).toThrow(message);
  });
});

describe('checkRedirect', () => {
  const from = new URL('https://shop.example.com/a/b?c');
  const follow = (location: string, page = from): string => {
    try {
      return guarded.checkRedirect(location, page).href;
    } catch (error) {
      return toFailure(error);
    }
  };

  it.each([
    ['/x', 'https://shop.example.com/x'],
    ['../y?z', 'https://shop.example.com/y?z'],
    ['//cdn.example.com/x', 'https://cdn.example.com/x'],
    ['https://cdn.example.com/x', 'https://cdn.example.com/x'],
    ['http://cdn.example.com/x', 'invalid_url'],
    ['//127.0.0.1/x', 'blocked_address'],
    ['https://localhost/', 'blocked_address'],
    ['https://u:p@example.com/', 'invalid_url'],
    ['file:///etc/passwd', 'invalid_url'],
    ['https://example.com:6379/', 'blocked_address'],
    ['\\\\127.0.0.1\\x', 'invalid_url'],
  ])('checks %s again', (location, outcome) => {
    expect(follow(location)).toBe(outcome);
  });

  it('allows http to https, and http to http', () => {
    const plain = new URL('http://shop.example.com/');
    expect(follow('https://shop.example.com/', plain)).toBe('https://shop.example.com/');
    expect(follow('/x', plain)).toBe('http://shop.example.com/x');
  });
});
