/** What a provider claims to do is shown by a suite: no capability without its conformance subject. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { providers } from '../../src/providers/registry.ts'

/** The suite that shows what a resource does. */
const suites: Readonly<Record<string, string>> = {
  calendars: 'describeCalendars',
  roomResources: 'describeRooms',
  events: 'describeEvents',
  messages: 'describeMail',
  threads: 'describeMail',
  folders: 'describeMail',
  attachments: 'describeMail',
  drafts: 'describeDrafts',
  contacts: 'describeContacts',
  contactGroups: 'describeContacts',
}

const folder = new URL('./', import.meta.url)
/** What the tests of a provider hold, which are named after its folder. */
const testsOf = (name: string): string =>
  readdirSync(folder)
    .filter((file) => new RegExp(`^${name}(-[\\w-]+)?\\.test\\.ts$`).test(file))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
    .join('\n')

const claims = Object.entries(providers).flatMap(([kind, provider]) =>
  Object.keys(suites)
    .filter((resource) => Reflect.has(provider, resource))
    .map((resource) => ({ kind, resource })),
)

test('every provider claims something', () => {
  expect(new Set(claims.map(({ kind }) => kind))).toEqual(new Set(Object.keys(providers)))
})

test.each(claims)('$kind passes the suite of $resource', ({ kind, resource }) => {
  const [name = ''] = kind.split('-')
  expect(testsOf(name)).toMatch(new RegExp(`^\\s*${suites[resource]}\\(`, 'm'))
})

test.each(Object.entries(providers))('%s is asked for what it does not take', (kind) => {
  const [name = ''] = kind.split('-')
  expect(testsOf(name)).toMatch(/^\s*describeLimits\(/m)
})
