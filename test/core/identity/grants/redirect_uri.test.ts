import { describe, expect, it } from 'vitest';
import {
  describeReceiver,
  isAcceptableRedirectUri,
  isOneOf,
} from '../../../../src/core/identity/grants/redirect_uri.js';

describe('a redirect URI', () => {
  it.each([
    'https://claude.ai/api/mcp/auth_callback',
    'https://app.example:8443/cb?tenant=1',
    'http://localhost:3118/callback',
    'http://127.0.0.1/',
    'http://[::1]:9999/cb?x=1',
    'http://localhost',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'vscode://publisher.extension/callback',
    'vscode-insiders://publisher.extension/callback',
    'claude://oauth/callback',
    'windsurf://publisher.extension/callback',
  ])('may be %s', (uri) => {
    expect(isAcceptableRedirectUri(uri)).toBe(true);
  });

  it.each([
    'http://example.com/cb',
    'http://localhost.example.com/cb',
    'http://localhost@example.com/',
    'http://127.0.0.1.example.com/',
    'http://127.0.0.2/cb',
    'https://user@example.com/cb',
    'https://example.com/cb#fragment',
    'https:example.com/cb',
    'https://exa mple.com/',
    'https://example.com/\\@evil.example',
    'https://example.com/ü',
    'javascript:alert(1)//',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'blob:https://example.com/1',
    'file:///etc/passwd',
    'vbscript:x',
    'view-source:https://example.com/',
    'com.example.app:/oauth',
    'example-app://callback',
    'ms-msdt:/id',
    'ssh://example.com/',
    'cursor-evil://callback',
    '/callback',
    '',
    `https://example.com/${'a'.repeat(2048)}`,
  ])('may not be %s', (uri) => {
    expect(isAcceptableRedirectUri(uri)).toBe(false);
  });

  it('is compared character by character, except for the port of a loopback address', () => {
    const own = ['https://example.com/cb', 'http://localhost:3000/cb', 'http://127.0.0.1/cb'];
    expect(isOneOf('https://example.com/cb', own)).toBe(true);
    expect(isOneOf('http://localhost:50123/cb', own)).toBe(true);
    expect(isOneOf('http://localhost/cb', own)).toBe(true);
    expect(isOneOf('http://127.0.0.1:1/cb', own)).toBe(true);
    for (const other of [
      'https://example.com/cb/',
      'https://example.com/cb?x=1',
      'https://example.com:8443/cb',
      'https://example.com:443/cb',
      'https://EXAMPLE.com/cb',
      'https://example.com/CB',
      'https://example.com/cb/../cb',
      'https://example.com/%63b',
      'https://example.com.evil.example/cb',
      'http://example.com/cb',
      'https://localhost:3000/cb',
      'http://localhost:3000/cb?x',
      'http://localhost:3000/cb#x',
      'http://localhost:3000/other',
      'http://localhost:99999/cb',
      'http://localhost:3000@evil.example/cb',
      'http://[::1]:3000/cb',
    ]) {
      expect([other, isOneOf(other, own)]).toEqual([other, false]);
    }
  });

  it('is refused if it was registered under older rules', () => {
    for (const old of ['com.example.app:/oauth', 'http://example.com/cb']) {
      expect(isOneOf(old, [old])).toBe(false);
    }
  });

  it('names the receiver of the code for a person', () => {
    expect(describeReceiver('https://claude.ai/cb')).toEqual({ kind: 'site', name: 'claude.ai' });
    expect(describeReceiver('https://xn--clude-7oa.ai/cb').name).toBe('xn--clude-7oa.ai');
    expect(describeReceiver('http://localhost:1/cb').kind).toBe('computer');
    expect(describeReceiver('cursor://x/cb')).toEqual({ kind: 'application', name: 'cursor' });
  });
});
