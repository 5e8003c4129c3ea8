/** Every capability that a provider claims is tested by a conformance suite. */
import { readdirSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { conferencingKinds } from '@waypost/contract'
import { expect, test } from 'vitest'
import type { Provider } from '../../src/providers/provider.ts'
import { namedAdapters, providers } from '../../src/providers/registry.ts'

/** Vendors of IMAP use the IMAP adapter, and run only the suites that depend on the vendor. */
const mail = 'describeMail(OfVendor)?'

/** The suite that tests a resource, as a pattern. */
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
/** The source of a provider's tests, which are named after its folder. */
const testsOf = (name: string): string =>
  readdirSync(folder)
    .filter((file) => new RegExp(`^${name}(-[\\w-]+)?\\.test\\.ts$`).test(file))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
    .join('\n')

const adapters = namedAdapters(providers)

/** Whether a variant of a kind has a part that an earlier adapter has too, and tests. */
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

/** The base name of an adapter's tests: its kind; for a variant the kind, and `dav`. */
const nameOf = (kind: string): string =>
  kind.includes(' + ') ? `${kind.split(' + ')[0]}-dav` : (kind.split('-')[0] ?? '')

test('every provider claims something', () => {
  const kinds = new Set(claims.map(({ kind }) => kind))
  const others = Object.keys(providers).filter((kind) => !conferencingKinds.has(kind))
  expect(kinds.isSupersetOf(new Set([...others, 'imap + CalDAV', 'imap + CardDAV']))).toBe(true)
})

test.each(claims)('$kind passes the suite of $resource', ({ kind, resource }) => {
  expect(testsOf(nameOf(kind))).toMatch(new RegExp(`^\\s*${suites[resource]}\\(`, 'm'))
})

test.each(adapters.filter(([name, adapter]) => adapter.limits && !isShown(name, adapter, 'limits')))(
  '%s is tested with unsupported requests',
  (kind) => {
    expect(testsOf(nameOf(kind))).toMatch(/^\s*describeLimits\(/m)
  },
)
