/** Redirect URIs of agents, and the scopes that they request. */
import { expect, test } from 'vitest'
import { hasRedirectUri, redirectUriProblem } from '../../src/agents/oauth/redirect-uris.ts'
import { agentScopes, offeredScopes } from '../../src/agents/oauth/scopes.ts'

test.each([
  'https://client.test/callback',
  'https://client.test',
  'https://client.test:8443/callback?tenant=one',
  'https://[2001:db8::1]/callback',
  'http://127.0.0.1/callback',
  'http://127.0.0.1:49152/callback?a=b',
  'http://[::1]:8123/',
  'http://localhost:8123',
  'com.example.app:/callback',
  'com.example.app://callback',
  'COM.Example.app-2:callback',
])('%s is a redirect URI', (uri) => {
  expect(redirectUriProblem(uri)).toBeUndefined()
})

test.each([
  ...['javascript:alert(1)', 'JavaScript://client.test/%0aalert(1)', 'data:text/html,x', 'file:///etc/passwd'],
  ...[
    'vbscript:x',
    'blob:https://client.test/1',
    'about:blank',
    'view-source:https://client.test',
    'ftp://client.test/',
  ],
  ...['ws://127.0.0.1/', 'intent://x#Intent;end', 'app://callback', 'myapp:/callback', 'cursor://a.b/callback'],
  ...['mailto:ann@client.test', 'urn:ietf:wg:oauth:2.0:oob', 'tel:1', '.app:/x', 'com.:/x', 'com..example:/x'],
  ...['http://client.test/callback', 'http://127.0.0.1.client.test/', 'http://localhost.client.test/'],
  ...['http://127.1/', 'http://2130706433/', 'http://0x7f.0.0.1/', 'http://127.0.0.2/', 'http://0.0.0.0/'],
  ...['http://[::ffff:127.0.0.1]/', 'http://[::]/', 'http://localhost./', 'http://127.0.0.1@client.test/'],
  ...['http:127.0.0.1/', 'http:/127.0.0.1/', 'http:\\\\127.0.0.1\\x', 'https:client.test', 'https:\\\\client.test'],
  ...['https:///client.test', 'https://client.test\\@evil.test/'],
  ...['https://client.test/#', 'https://client.test/#x', 'com.example.app:/x#y'],
  ...['https://user@client.test/', 'https://:x@client.test/', 'https://@client.test/', 'com.example.app://a@b/'],
  ...['https://*.client.test/', 'https://client.test/*', 'http://localhost:*/', 'com.example.*:/x'],
  ...['', '/callback', '//client.test/', 'client.test', ' https://client.test', 'https://client.test/\n', 'https://'],
  `https://client.test/${'x'.repeat(1000)}`,
])('%j is not a redirect URI', (uri) => {
  expect(redirectUriProblem(uri)).toEqual(expect.any(String))
  // An earlier version may have registered it.
  expect(hasRedirectUri([uri], uri)).toBe(false)
})

test('an address on this machine matches at any port, others match exactly', () => {
  const registered = ['http://127.0.0.1/callback', 'https://client.test/callback', 'com.example.app:/callback']
  const has = (uri: string): boolean => hasRedirectUri(registered, uri)
  expect(['http://127.0.0.1:1/callback', ...registered].map(has)).toEqual([true, true, true, true])
  for (const other of ['http://localhost/callback', 'http://127.0.0.1/other', 'https://client.test:444/callback']) {
    expect(has(other)).toBe(false)
  }
})

test('a misspelled scope is refused, and those of other services are ignored', () => {
  expect(offeredScopes('mail.read mcp openid')).toEqual(['mail.read'])
  expect(offeredScopes('openid offline_access email profile')).toEqual(agentScopes)
  expect(offeredScopes(agentScopes.join(' '))).toEqual(agentScopes)
  for (const scope of ['mail.raed', 'Mail.Read', 'mail:read', 'calendars.read', 'mail.read contact.read']) {
    expect(() => offeredScopes(scope)).toThrow(/Did you mean/)
  }
})
