/** The allowed targets of the sign-in of an account's owner. */
import { expect, test } from 'vitest'
import { internalPath } from '../../src/agents/owner-session.ts'

test.each([
  ['another site', 'https://evil.test/account'],
  ['another host', '//evil.test/account'],
  ['another host, with a backslash', '/\\evil.test/account'],
  ['the dashboard', '/dashboard'],
  ['a path that leaves the pages', '/account/../v3/grants'],
  ['a path that only begins alike', '/accounts'],
  ['a relative path', 'account'],
  ['a line break', '/account\r\nset-cookie: a=b'],
  ['a path that is too long for a cookie', `/account?${'x'.repeat(2_000)}`],
])('a sign-in never ends at %s', (_what, target) => {
  expect(() => internalPath(target)).toThrow('the page to return to is unknown')
})

test.each(['/account', '/account?client_id=x', '/account/approvals/1', '/oauth/authorize?a=b%20c'])(
  'a sign-in may end at %s',
  (target) => {
    expect(internalPath(target)).toBe(target)
  },
)
