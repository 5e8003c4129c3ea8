/** What a provider claims to do is shown by a suite: no capability without its conformance subject. */
import { readdirSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import type { Provider } from '../../src/providers/provider.ts'
import { namedAdapters, providers } from '../../src/providers/registry.ts'

/** Vendors of IMAP run the adapter of IMAP, and only the suites that depend on the vendor. */
const mail = 'describeMail(OfVendor)?'

/** The suite that shows what a resource does, as a pattern. */
const suites: Readonly<Record<string, string>> = {
  calendars: 'describeCalendars',
  roomResources: 'describeRooms',
  events: 'describeEvents',
  messages: mail,
  threads: mail,
  folders: mail,
  attachments: mail,
  drafts: 'describe(Drafts|MailOfVendor)',
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

const adapters = namedAdapters(providers)

/** Whether a variant of a kind has a part that an adapter before it has as well, and shows. */
const isShown = (name: string, adapter: Provider, part: string): boolean => {
  const before = adapters.slice(
    0,
    adapters.findIndex(([each]) => each === name),
  )
  const own: unknown = Reflect.get(adapter, part)
  return name !== adapter.kind && before.some(([, other]) => isDeepStrictEqual(Reflect.get(other, part), own))
}

const claims = adapters.flatMap(([kind, provider]) =>
  Object.keys(suites)
    .filter((resource) => Reflect.has(provider, resource) && !isShown(kind, provider, resource))
    .map((resource) => ({ kind, resource })),
)

/** What the tests of an adapter are named after: its kind; of a variant the kind, and `dav`. */
const nameOf = (kind: string): string =>
  kind.includes(' + ') ? `${kind.split(' + ')[0]}-dav` : (kind.split('-')[0] ?? '')

test('every provider claims something', () => {
  const kinds = new Set(claims.map(({ kind }) => kind))
  expect(kinds.isSupersetOf(new Set([...Object.keys(providers), 'imap + CalDAV', 'imap + CardDAV']))).toBe(true)
})

test.each(claims)('$kind passes the suite of $resource', ({ kind, resource }) => {
  expect(testsOf(nameOf(kind))).toMatch(new RegExp(`^\\s*${suites[resource]}\\(`, 'm'))
})

test.each(adapters.filter(([name, adapter]) => !isShown(name, adapter, 'limits')))(
  '%s is asked for what it does not take',
  (kind) => {
    expect(testsOf(nameOf(kind))).toMatch(/^\s*describeLimits\(/m)
  },
)
