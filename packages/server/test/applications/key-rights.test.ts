/** The rules of restricted credentials, without a service. */
import { contract, type KeyRights, routesOf } from '@waypost/contract'
import { isRange } from '@waypost/platform/networks'
import { describe, expect, test } from 'vitest'
import {
  type Credential,
  hasOperation,
  isAllowedRecipient,
  isInNetworks,
  isLimited,
  judgeOperation,
  mayUseGrant,
  readRights,
  rightOf,
  scopeOf,
} from '../../src/applications/key-rights.ts'

const rightsOf = (rights: Partial<KeyRights>): KeyRights => ({
  ...{ operations: ['mail.read'], approval: [], elicitation: true },
  ...rights,
})
const credentialOf = (rights: Partial<KeyRights>, grantIds?: string[]): Credential => ({
  ...{ type: 'api_key', id: 'key', name: 'Key' },
  ...{ rights: rightsOf(rights), grantIds },
})
const routes = new Map(routesOf(contract).map((named) => [named.id, named]))
const routeOf = (id: string) => {
  const named = routes.get(id)
  if (!named) throw new Error(`no route ${id}`)
  return named
}

/** The first word of a path below the application or the grant, which says what a route is about. */
const wordOf = (path: string): string =>
  path
    .replace(/^\/v3\/(?:grants\/:grant_id\/)?/, '')
    .split('/')
    .at(0) ?? ''
const families: Readonly<Record<string, readonly string[]>> = {
  mail: ['messages', 'threads', 'drafts', 'folders', 'attachments', 'attachment-uploads'],
  calendar: ['calendars', 'events', 'resources'],
  contacts: ['contacts'],
  scheduling: ['scheduling'],
  webhooks: ['webhooks', 'channels'],
}
/** Routes that need a body to read something. */
const readsWithBody = new Set(['calendars.freeBusy', 'availability.find', 'messages.clean'])

describe('the right of a route', () => {
  const keyed = [...routes.values()].filter(({ route }) => route.right !== undefined)

  test('belongs to the object of its path', () => {
    for (const [family, words] of Object.entries(families)) {
      const ofFamily = keyed.filter(({ route }) => words.includes(wordOf(route.path)))
      expect(ofFamily.length).toBeGreaterThan(0)
      for (const { id, route } of ofFamily) {
        const rights = [route.right].flat().map((right) => right?.split('.')[0])
        expect({ id, rights: [...new Set(rights)] }).toEqual({ id, rights: [family] })
      }
    }
  })

  test('is a read right for a route that reads, and never for one that changes', () => {
    const read = /^(?:mail|calendar|contacts)\.read$/
    for (const { id, route } of keyed.filter(({ route }) => String(route.right).includes('.'))) {
      const isReading = route.method === 'GET' || readsWithBody.has(id)
      const all = [route.right].flat().filter((right) => right?.includes('.'))
      expect({ id, isReading: all.every((right) => read.test(right ?? '')) }).toEqual({ id, isReading })
    }
  })

  test('is administration, or none, for everything else', () => {
    const known = new Set(Object.values(families).flat())
    const others = keyed.filter(({ route }) => !known.has(wordOf(route.path)) && route.right !== 'administration')
    const open = others.filter(({ route }) => route.right !== 'never').map(({ id }) => id)
    expect(open.toSorted()).toEqual([
      ...['approvals.get', 'approvals.list', 'grants.get', 'grants.list', 'notifications.get', 'notifications.list'],
      ...['signatures.get', 'signatures.list'],
    ])
    // Nobody decides about their own approvals, and no agent changes agents.
    for (const { id, route } of keyed.filter(({ resource }) => resource === 'agents' || resource === 'approvals')) {
      expect({ id, right: route.right }).toEqual({
        id,
        right: /^approvals\.(?:list|get)$/.test(id) ? 'every' : 'never',
      })
    }
  })
})

describe('operations', () => {
  test('administrators, clients and the public have no rule: no restricted credential calls their routes', () => {
    for (const named of routes.values()) {
      if (['administrator', 'client', 'public'].includes(named.route.audience)) expect(rightOf(named)).toBe('never')
    }
  })

  test('an operation of the whole application is refused to a credential that is limited to grants', () => {
    const whole = credentialOf({ operations: ['administration', 'webhooks'] })
    expect(hasOperation(whole, 'administration')).toBe(true)
    expect(judgeOperation(whole, routeOf('webhooks.list'))).toEqual({ allowed: true })
    const agent = credentialOf({ operations: ['administration', 'webhooks', 'mail.read'] }, ['a'])
    expect(hasOperation(agent, 'administration')).toBe(false)
    expect(judgeOperation(agent, routeOf('webhooks.list'))).toEqual({ allowed: false, missing: ['webhooks'] })
    expect(judgeOperation(agent, routeOf('messages.list'))).toEqual({ allowed: true })
  })
})

describe('grants', () => {
  const grant = (id: string, metadata = {}) => ({ id, metadata })

  test('a list and a pair limit each other', () => {
    expect(mayUseGrant(credentialOf({}), grant('a'))).toBe(true)
    const listed = credentialOf({ grants: { ids: ['a', 'b'] } }, ['b', 'c'])
    expect(['a', 'b', 'c'].map((id) => mayUseGrant(listed, grant(id)))).toEqual([false, true, false])
    expect(scopeOf(listed)).toEqual({ ids: ['b'] })
    const paired = credentialOf({ grants: { metadata: { team: 'one' } } }, ['a', 'b'])
    expect(mayUseGrant(paired, grant('a', { team: 'one' }))).toBe(true)
    expect(mayUseGrant(paired, grant('b', { team: 'two' }))).toBe(false)
    expect(mayUseGrant(paired, grant('c', { team: 'one' }))).toBe(false)
    expect(scopeOf(paired)).toEqual({ ids: ['a', 'b'], pair: { key: 'team', value: 'one' } })
    expect(scopeOf(credentialOf({}))).toBeUndefined()
    // An agent without any grant may use none, not all.
    const empty = credentialOf({}, [])
    expect([isLimited(empty), mayUseGrant(empty, grant('a')), scopeOf(empty)]).toEqual([true, false, { ids: [] }])
  })
})

describe('recipients', () => {
  const allowed = (email: string) => isAllowedRecipient({ recipients: ['Example.com', 'ann@partner.example'] }, email)

  test('addresses and domains match in any letter case, and subdomains and look-alikes do not match', () => {
    for (const email of ['ada@example.com', 'ADA@EXAMPLE.COM', ' ada@example.com ', 'Ann@Partner.example']) {
      expect([email, allowed(email)]).toEqual([email, true])
    }
    for (const email of [
      ...['ada@mail.example.com', 'ada@notexample.com', 'ben@partner.example', 'example.com', '@example.com', ''],
      ...[
        'ada@evil.test,x@example.com',
        'ada@evil.test <x@example.com>',
        'ada@evil.test@example.com',
        '"a b"@example.com',
      ],
      ...['ada@example.com\nbcc: eve@evil.test', 'ada@example.com.evil.test', 'ada@evil.test;x@example.com'],
    ]) {
      expect([email, allowed(email)]).toEqual([email, false])
    }
    expect(isAllowedRecipient({}, 'anybody@anywhere.test')).toBe(true)
  })
})

describe('networks', () => {
  test('an address must be in one of the ranges', () => {
    const inside = (address: string) =>
      isInNetworks({ networks: ['10.0.0.0/8', '203.0.113.7', '2001:db8::/32'] }, address)
    expect(['10.1.2.3', '203.0.113.7', '2001:db8::1', '::ffff:10.1.2.3'].map(inside)).toEqual([true, true, true, true])
    expect(['11.0.0.1', '203.0.113.8', '2001:db9::1', 'local', ''].map(inside)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ])
    expect(isInNetworks({}, 'local')).toBe(true)
  })

  test('ranges are recognized', () => {
    expect(['1.2.3.4', '1.2.3.0/24', '::1', '2001:db8::/128'].every(isRange)).toBe(true)
    expect(['1.2.3', '1.2.3.4/33', '::1/129', 'fe80::1%eth0', 'host', '', '1.2.3.4/'].some(isRange)).toBe(false)
  })
})

test('stored rights with a field of a later version are not understood, at any depth, so that no limit is ignored', () => {
  expect(readRights(JSON.stringify(rightsOf({})))).toEqual(rightsOf({}))
  for (const later of [
    { weekdays: ['monday'] },
    { operations: ['mail.forge'] },
    { approval: ['send', 'think'] },
    { grants: { ids: ['a'], folders: ['inbox'] } },
    { grants: { ids: ['a'], metadata: { team: 'one' } } },
    { grants: { workspace: 'a' } },
  ]) {
    expect(() => readRights(JSON.stringify({ ...rightsOf({}), ...later }))).toThrow(/does not understand the rights/)
  }
})
