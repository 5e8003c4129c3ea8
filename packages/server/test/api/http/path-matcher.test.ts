import { expect, test } from 'vitest'
import { PathMatcher } from '../../../src/api/http/path-matcher.ts'

const matcher = new PathMatcher<string>()
matcher.add(undefined, '/old/*', 'gone')
matcher.add('GET', '/things/all', 'all')
matcher.add('GET', '/things/:id', 'one')
matcher.add('PUT', '/things/:thing_id', 'change')
matcher.add('GET', '/things/:id/parts/:part', 'part')
matcher.add('GET', '/:kind/all/parts/:part', 'of any kind')
matcher.add('OPTIONS', '/*', 'asked')

const values = (method: string, path: string): string[] => matcher.match(method, path).map(({ value }) => value)

test.each([
  ['GET', '/things/all', ['all', 'one']],
  ['GET', '/things/x', ['one']],
  ['PUT', '/things/x', ['change']],
  ['GET', '/things/all/parts/1', ['part', 'of any kind']],
  ['GET', '/others/all/parts/1', ['of any kind']],
  ['OPTIONS', '/things/x', ['asked']],
  ['OPTIONS', '/', ['asked']],
  ['GET', '/', []],
  ['GET', '/things', []],
  ['GET', '/things/', []],
  ['GET', '/things//parts/1', []],
  ['GET', '/things/x/parts/1/2', []],
  ['DELETE', '/old', ['gone']],
  ['GET', '/old/x/y', ['gone']],
  ['GET', '/older', []],
])('%s %s is matched in the order of the table', (method, path, found) => {
  expect(values(method, path)).toEqual(found)
})

test.each([
  ['a%20b', 'a b'],
  ['%C3%A9%2F', 'é/'],
  ['100%', '100%'],
  ['%zz%41', '%zzA'],
  ['%ff%41', '%ff%41'],
  ['x%00', '\uFFFD'],
])('the segment %s is the text %j', (segment, id) => {
  expect(matcher.match('GET', `/things/${segment}`)[0]?.params).toEqual({ id })
})

test('each path has its own parameter names', () => {
  expect(matcher.match('PUT', '/things/x')[0]?.params).toEqual({ thing_id: 'x' })
  expect(matcher.match('GET', '/things/x/parts/y')[0]?.params).toEqual({ id: 'x', part: 'y' })
})
