/** Contacts on a CardDAV server: the requests, concurrent changes, and incomplete servers. */
import type { Contact, ContactChange, ContactDraft, ContactGroup, ContactListQuery } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { EgressRequest, EgressResponse } from '@waypost/platform/egress/egress'
import type { JsonValue } from '@waypost/platform/json/guard'
import { createLog } from '@waypost/platform/log'
import { openListener } from '@waypost/testing/listener'
import { type DavServer, putObject } from '@waypost/testing/peers/dav-server'
import type { Mailbox } from '@waypost/testing/peers/mail-server'
import { radicaleBook, sharedRadicale } from '@waypost/testing/peers/radicale'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { three } from '../../../formats/test/vcard/cards.ts'
import { privateEgress } from '../../../platform/test/egress/making-egress.ts'
import type { ContactFilter, ContactRow } from '../../src/contacts/tables.ts'
import { contactGroupOperations } from '../../src/dav/carddav/contact-groups.ts'
import { contactOperations } from '../../src/dav/carddav/contacts.ts'
import { cardDavTraits, iCloudCardTraits } from '../../src/dav/carddav/traits.ts'
import type { DavSession } from '../../src/dav/session.ts'
import { davAccount } from './dav-account.ts'

const contacts = contactOperations(cardDavTraits)
const groups = contactGroupOperations(cardDavTraits)
/** The smallest PNG. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let server: DavServer
beforeAll(async () => {
  server = await sharedRadicale()
})
afterAll(() => server[Symbol.asyncDispose]())

interface Asked {
  method: string
  url: string
  body: string
}

/** Everybody in the mail of the account. */
const gathered: ContactRow[] = []
let alice: Mailbox
let session: DavSession
let requested: Asked[]
/** Offset of the service's clock in milliseconds. */
let ahead: number
/** The response instead of the server's; undefined lets the server respond. */
let instead: (request: Asked) => { status: number; body?: string } | undefined | Promise<undefined>
/** Changes a response of the server. */
let altered: (body: string) => string
let book: string

beforeEach(async () => {
  alice = await server.addDavUser()
  book = `${server.addressbookHome(alice.user)}${radicaleBook}/`
  requested = []
  ahead = 0
  gathered.length = 0
  instead = () => undefined
  altered = (body) => body
  const egress = privateEgress()
  const request = async (wanted: EgressRequest): Promise<EgressResponse> => {
    const body = typeof wanted.body === 'string' ? wanted.body : ''
    const made: Asked = { method: wanted.method, url: `${wanted.url}`, body }
    requested.push(made)
    const other = await instead(made)
    if (!other) {
      const answer = await egress.request({ ...wanted, headers: { ...wanted.headers, 'accept-encoding': 'identity' } })
      return { ...answer, body: Buffer.from(altered(answer.body.toString())) }
    }
    return { headers: {}, ...other, body: Buffer.from(other.body ?? '') } as unknown as EgressResponse
  }
  const account = davAccount({
    request: request as never,
    clock: { now: () => Date.now() + ahead },
    log: createLog('silent'),
    baseUrl: 'https://waypost.test',
    gathered: {
      list: async ({ after = '', limit, emailKey }: ContactFilter) =>
        gathered
          .filter((row) => row.id > after && (emailKey === undefined || row.emailKey === emailKey))
          .slice(0, limit),
      get: async (id: string) => gathered.find((row) => row.id === id),
    },
  })
  session = {
    grant: { id: 'grant', email: alice.user } as DavSession['grant'],
    io: account.io,
    dav: account.open({ carddavUrl: server.davUrl, auth: alice }),
  }
  return async () => account[Symbol.asyncDispose]()
})

const put = (name: string, data: string): Promise<void> => putObject(server, alice, `${book}${name}.vcf`, data)
const bytesAt = async (name: string): Promise<string> => (await server.request(alice, 'GET', `${book}${name}.vcf`)).text
const person = (uid: string, name: string, lines = ''): string =>
  three(`UID:${uid}\nN:${name};;;;\nFN:${name}${lines ? `\n${lines}` : ''}`)
const group = (uid: string, name: string, members: string[]): string =>
  person(
    uid,
    name,
    ['X-ADDRESSBOOKSERVER-KIND:group', ...members.map((each) => `X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:${each}`)].join(
      '\n',
    ),
  )

const page = async (query: Partial<ContactListQuery>, position?: JsonValue) => {
  const { items, next } = await contacts.list(session, { limit: 50, ...query } as ContactListQuery, position)
  return { items: items as readonly Contact[], next }
}
const list = async (query: Partial<ContactListQuery> = {}): Promise<readonly Contact[]> => (await page(query)).items
const ids = async (query: Partial<ContactListQuery> = {}): Promise<string[]> => (await list(query)).map(({ id }) => id)
const create = (draft: Partial<ContactDraft>, once?: { name: string; again: boolean }) =>
  contacts.create(session, draft as ContactDraft, { once })
const change = (id: string, fields: ContactChange) => contacts.update(session, { contact_id: id }, fields)
const get = (id: string, profile_picture = false) => contacts.get(session, { contact_id: id, profile_picture })
const groupQuery = { limit: 50, select: undefined }
const groupNames = async (): Promise<readonly ContactGroup[]> =>
  (await groups.list(session, groupQuery, undefined)).items as readonly ContactGroup[]
const failure = async (work: Promise<unknown>): Promise<ApiError> => {
  const error = await work.then(
    () => undefined,
    (caught: unknown) => caught,
  )
  if (error instanceof ApiError) return error
  throw error ?? new Error('nothing was refused')
}
const methods = (): string[] =>
  requested.map(({ method, body }) => (method === 'REPORT' ? (/(multiget|query|sync)/.exec(body)?.[1] ?? '') : method))

describe('requests to the server', () => {
  test('are one for unchanged address books, and only changed cards are read', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await put(name, person(name, name))
    expect(await ids()).toEqual(['a', 'b', 'c', 'd'])
    // The first poll does not request the tag, so that a server need not read all cards twice.
    expect(await ids()).toEqual(['a', 'b', 'c', 'd'])
    requested.length = 0
    const first = await page({ limit: 2 })
    const second = await page({ limit: 2 }, first.next)
    expect([...first.items, ...second.items]).toHaveLength(4)
    expect(second.next).toBeUndefined()
    // The second page uses the same poll.
    expect(methods()).toEqual(['PROPFIND'])
    await put('b', person('b', 'Changed'))
    await server.request(alice, 'DELETE', `${book}c.vcf`)
    requested.length = 0
    expect(await list()).toMatchObject([{ id: 'a' }, { id: 'b', display_name: 'Changed' }, { id: 'd' }])
    expect(methods()).toEqual(['PROPFIND', 'sync', 'multiget'])
    expect(requested.at(-1)?.body.match(/<D:href>/g)).toHaveLength(1)
  })

  test('pages keep their position while contacts are added and removed', async () => {
    for (const name of ['b', 'd', 'f']) await put(name, person(name, name))
    const first = await page({ limit: 2 })
    await put('a', person('a', 'a'))
    await put('e', person('e', 'e'))
    await server.request(alice, 'DELETE', `${book}d.vcf`)
    // Immediately after the first, a page uses the same poll; later it uses another, from the same position.
    expect((await page({ limit: 2 }, first.next)).items).toMatchObject([{ id: 'f' }])
    ahead = 10_000
    expect((await page({ limit: 2 }, first.next)).items).toMatchObject([{ id: 'e' }, { id: 'f' }])
    await change('e', { notes: 'ours' })
    expect((await page({ limit: 1 }, first.next)).items).toMatchObject([{ id: 'e', notes: 'ours' }])
  })

  test.each([500, 403])(
    'a server that answers %i to a query, without sync tokens, is read by addresses',
    async (status) => {
      instead = ({ body }) => (/addressbook-query|sync-collection/.test(body) ? { status } : undefined)
      for (const name of ['a', 'b']) await put(name, person(name, name))
      expect(await ids()).toEqual(['a', 'b'])
      await put('b', person('b', 'Changed'))
      await put('c', person('c', 'c'))
      requested.length = 0
      expect(await list()).toMatchObject([{ id: 'a' }, { display_name: 'Changed' }, { id: 'c' }])
      expect(requested.at(-1)?.body.match(/<D:href>/g)).toHaveLength(2)
    },
  )

  test('a server with tags in seconds does not count as unchanged within a second', async () => {
    const second = Math.floor(Date.now() / 1000)
    altered = (body) => body.replace(/(<(?:CS:getctag|D:sync-token|sync-token|getctag)[^>]*>)[^<]*/g, `$1${second}`)
    await put('a', person('a', 'a'))
    expect(await ids()).toEqual(['a'])
    await put('b', person('b', 'b'))
    expect(await ids()).toEqual(['a', 'b'])
    const { id } = await groups.create(session, { name: 'Club' })
    expect((await change('b', { groups: [{ id }] })).groups).toEqual([{ id }])
    // Long after, an equal tag means unchanged.
    ahead = 3_600_000
    await ids()
    requested.length = 0
    await ids()
    expect(methods()).toEqual(['PROPFIND'])
  })

  test('a server that refuses the password, or is busy, gets no other kind of request', async () => {
    instead = ({ body }) => (body.includes('addressbook-query') ? { status: 401 } : undefined)
    expect((await failure(list())).code).toBe('grant_invalid')
    expect(methods().filter((method) => method === 'multiget')).toEqual([])
  })

  test('concurrent requests read the address book once', async () => {
    for (const name of ['a', 'b']) await put(name, person(name, name))
    await Promise.all([ids(), ids(), get('a')])
    expect(methods().filter((method) => method === 'query')).toHaveLength(1)
  })

  test('an invalid card is skipped, and the others are returned', async () => {
    await put('a', person('a', 'a'))
    instead = ({ body }) =>
      body.includes('addressbook-query')
        ? {
            status: 207,
            body: `<D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav">${[
              ['a', person('a', 'a')],
              ['b', 'no card at all'],
            ]
              .map(
                ([name, data]) =>
                  `<D:response><D:href>${new URL(book).pathname}${name}.vcf</D:href><D:propstat><D:prop><D:getetag>"1"</D:getetag><C:address-data>${data}</C:address-data></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>`,
              )
              .join('')}</D:multistatus>`,
          }
        : undefined
    expect(await ids()).toEqual(['a'])
  })
})

describe('a concurrent change by others', () => {
  /** Somebody changes a card before each of our writes, this many times. */
  const meddle = (name: string, times: number): void => {
    let left = times
    instead = async ({ method, url }) => {
      if (method !== 'PUT' || !url.endsWith(`${name}.vcf`) || left === 0) return undefined
      left -= 1
      await put(name, (await bytesAt(name)).replace(/TITLE:.*/, `TITLE:theirs ${left}`))
      return undefined
    }
  }

  test('is preserved: our change is applied to the new version', async () => {
    await put('a', person('a', 'a', 'TITLE:old'))
    meddle('a', 1)
    expect(await change('a', { notes: 'ours' })).toMatchObject({ job_title: 'theirs 0', notes: 'ours' })
    const text = await bytesAt('a')
    expect([text.includes('TITLE:theirs 0\r\n'), text.includes('NOTE:ours\r\n')]).toEqual([true, true])
  })

  test('that repeats is a conflict, and nothing is overwritten', async () => {
    await put('a', person('a', 'a', 'TITLE:old'))
    meddle('a', 9)
    const error = await failure(change('a', { notes: 'ours' }))
    expect([error.code, error.message]).toEqual(['conflict', expect.stringContaining('nothing was overwritten')])
    expect(await bytesAt('a')).not.toContain('ours')
  })

  test('prevents deleting a card', async () => {
    await put('a', person('a', 'a', 'TITLE:old'))
    await ids()
    instead = async ({ method }) => {
      if (method === 'DELETE') await put('a', person('a', 'a', 'TITLE:new'))
      return undefined
    }
    expect((await failure(contacts.delete(session, { contact_id: 'a' }))).code).toBe('conflict')
    expect(await bytesAt('a')).toContain('TITLE:new')
  })

  test('is not assumed for an ETag that became weak on the way', async () => {
    await put('a', person('a', 'a'))
    const etag = (await server.request(alice, 'GET', `${book}a.vcf`)).headers.get('etag')
    instead = ({ method }) =>
      method === 'GET' ? ({ status: 200, headers: { etag: `W/${etag}` }, body: person('a', 'a') } as never) : undefined
    await change('a', { notes: 'ours' })
    instead = () => undefined
    expect(await bytesAt('a')).toContain('NOTE:ours')
  })

  test('an empty change writes nothing', async () => {
    await put('a', person('a', 'a', 'EMAIL;TYPE=WORK:a@mail.test\nX-OTHER:kept'))
    await change('a', { surname: 'a', emails: [{ email: 'a@mail.test', type: 'work' }] })
    expect(methods()).not.toContain('PUT')
  })

  test('a card that is not in UTF-8 is not written', async () => {
    await put('a', person('a', 'a'))
    await ids()
    instead = ({ method }) => (method === 'GET' ? { status: 200, body: person('a', 'a', 'NOTE:caf\ufffd') } : undefined)
    expect((await failure(change('a', { notes: 'x' }))).message).toContain('UTF-8')
  })
})

describe('groups', () => {
  test('are cards with members, or categories', async () => {
    await put('a', person('a', 'a', 'CATEGORIES:Chess,Work\\, hard'))
    await put('b', person('b', 'b', 'CATEGORIES:Chess'))
    await put('c', person('c', 'c'))
    await put('g', group('g', 'Outer', ['A', 'h', 'gone']))
    await put('h', group('h', 'Inner', ['c']))
    const all = await groupNames()
    expect(all.map(({ name }) => name).toSorted()).toEqual(['Chess', 'Inner', 'Outer', 'Work, hard'])
    const idOf = (name: string): string => all.find((each) => each.name === name)?.id ?? ''
    expect(await ids({ group: 'g' })).toEqual(['a'])
    expect(await ids({ group: 'g', recurse: true })).toEqual(['a', 'c'])
    expect(await ids({ group: idOf('Chess') })).toEqual(['a', 'b'])
    expect((await list())[0]?.groups.map(({ id }) => id).toSorted()).toEqual(
      ['g', idOf('Chess'), idOf('Work, hard')].toSorted(),
    )
    // A group is not a contact, and a contact is not a group.
    expect((await failure(get('g'))).code).toBe('not_found')
    expect((await failure(groups.get(session, { group_id: 'a' }))).code).toBe('not_found')
    await groups.update(session, { group_id: idOf('Chess') }, { name: 'Go' })
    expect(await bytesAt('a')).toContain('CATEGORIES:Go,Work\\, hard')
    expect(await bytesAt('b')).toContain('CATEGORIES:Go')
    await groups.delete(session, { group_id: (await groupNames()).find(({ name }) => name === 'Go')?.id ?? '' })
    expect(await bytesAt('a')).toContain('CATEGORIES:Work\\, hard\r\n')
    expect(await bytesAt('b')).not.toContain('CATEGORIES')
  })

  test('add and remove contacts, whatever their form', async () => {
    await put('a', person('x', 'a', 'CATEGORIES:Chess'))
    await put('g', group('g', 'Cards', []))
    const chess = (await groupNames()).find(({ name }) => name === 'Chess')?.id ?? ''
    const both = await change('a', { groups: [{ id: 'g' }, { id: chess }] })
    expect(both.groups.map(({ id }) => id)).toEqual(['g', chess])
    expect(await get('a')).toEqual(both)
    expect(await bytesAt('g')).toContain('X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:x')
    expect((await change('a', { groups: [{ id: 'g' }] })).groups).toEqual([{ id: 'g' }])
    expect(await bytesAt('a')).not.toContain('CATEGORIES')
    expect((await change('a', { groups: [] })).groups).toEqual([])
    expect(await bytesAt('g')).not.toContain('MEMBER')
    expect((await failure(change('a', { groups: [{ id: 'nobody' }] }))).message).toContain('groups')
  })

  test('refer to a contact by its UID, which is added if it is missing', async () => {
    await put('a', person('x', 'a'))
    await put('g', group('g', 'Cards', []))
    const { text } = await server.request(alice, 'GET', `${book}a.vcf`)
    // Radicale stores no card without one.
    let written = ''
    instead = ({ method, url, body }) => {
      if (!url.endsWith('/a.vcf')) return undefined
      if (method === 'PUT') written = body
      return { status: 200, headers: { etag: '"1"' }, body: text.replace('UID:x\r\n', '') } as never
    }
    await change('a', { groups: [{ id: 'g' }] })
    const [, uid] = /\r\nUID:([0-9a-f-]{36})\r\n/.exec(written) ?? []
    expect(await bytesAt('g')).toContain(`urn:uuid:${uid}\r\n`)
  })

  test('at iCloud are only cards', async () => {
    await put('a', person('a', 'a', 'CATEGORIES:Chess'))
    const apple = contactGroupOperations(iCloudCardTraits)
    expect((await apple.list(session, groupQuery, undefined)).items).toEqual([])
    await contactOperations(iCloudCardTraits).update(session, { contact_id: 'a' }, { groups: [], notes: 'n' })
    expect(await bytesAt('a')).toContain('CATEGORIES:Chess')
  })
})

describe('a request with a key', () => {
  test('creates one contact and one group, however often it is repeated', async () => {
    const once = { name: '0123456789abcdef'.repeat(4), again: false }
    const made = await create({ given_name: 'Once' }, once)
    expect(await create({ given_name: 'Once' }, { ...once, again: true })).toEqual(made)
    expect(await ids()).toEqual([made.id])
    const key = { ...once, name: 'fedcba9876543210'.repeat(4) }
    const club = await groups.create(session, { name: 'Club' }, { once: key })
    expect(await groups.create(session, { name: 'Club' }, { once: { ...key, again: true } })).toEqual(club)
    expect(await groupNames()).toHaveLength(1)
    expect((await failure(groups.create(session, { name: 'Club' }))).code).toBe('conflict')
  })
})

describe('several address books', () => {
  test('or none: the list is empty, and the first contact creates one', async () => {
    await server.request(alice, 'DELETE', book)
    expect([await ids(), await groupNames()]).toEqual([[], []])
    expect((await failure(get('a'))).code).toBe('not_found')
    const { id } = await create({ given_name: 'First' })
    expect(await ids()).toEqual([id])
    expect(await bytesAt(id)).toContain('FN:First')
  })

  test('form one list, and each contact stays in its own', async () => {
    const other = `${server.addressbookHome(alice.user)}work/`
    const body = `<D:mkcol xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"><D:set><D:prop><D:resourcetype><D:collection/><C:addressbook/></D:resourcetype></D:prop></D:set></D:mkcol>`
    expect((await server.request(alice, 'MKCOL', other, { body })).status).toBe(201)
    await put('same', person('one', 'One'))
    await putObject(server, alice, `${other}same.vcf`, person('two', 'Two'))
    const both = await list()
    expect(both).toMatchObject([
      { id: 'same', display_name: 'One' },
      { id: expect.stringMatching(/^h_/), display_name: 'Two' },
    ])
    const far = both[1]?.id ?? ''
    await change(far, { notes: 'far' })
    expect((await server.request(alice, 'GET', `${other}same.vcf`)).text).toContain('NOTE:far')
    expect(await bytesAt('same')).not.toContain('NOTE')
    await contacts.delete(session, { contact_id: far })
    expect(await ids()).toEqual(['same'])
    const { id } = await create({ given_name: 'New' })
    expect(await bytesAt(id)).toContain('FN:New')
  })
})

describe('pictures', () => {
  test('at a URL are fetched only from hosts of the account', async () => {
    await using foreign = await openListener()
    await put('own', person('own', 'own', `PHOTO;VALUE=uri:${book}picture`))
    await put('far', person('far', 'far', `PHOTO;VALUE=uri:${foreign.url.replace('127.0.0.1', 'localhost')}/picture`))
    const shown = await get('own')
    expect(shown).toMatchObject({ picture_url: `${book}picture` })
    expect(shown).not.toHaveProperty('picture')
    instead = ({ url }) =>
      url.endsWith('/picture') ? ({ status: 200, body: Buffer.from(png, 'base64') } as never) : undefined
    expect((await get('own', true)).picture).toBe(`data:image/png;base64,${png}`)
    instead = () => undefined
    expect(await get('far', true)).not.toHaveProperty('picture')
    expect(foreign.heard).toEqual([])
    // A missing picture is left out.
    expect(await get('own', true)).not.toHaveProperty('picture')
  })

  test('have a maximum size at iCloud, and so have cards', async () => {
    const apple = contactOperations(iCloudCardTraits)
    const large = Buffer.concat([Buffer.from(png, 'base64'), Buffer.alloc(225 * 1024)]).toString('base64')
    const draft = { given_name: 'Large', picture: large } as ContactDraft
    expect((await failure(apple.create(session, draft))).message).toContain('224 KB')
    const full = { given_name: 'Full', notes: 'n'.repeat(65_535), picture: large.slice(0, 200_000) } as ContactDraft
    expect((await failure(apple.create(session, full))).message).toContain('256 KB')
    expect(methods()).not.toContain('PUT')
  })
})

describe('contacts gathered from mail', () => {
  test('follow the address book, in one list if both are requested', async () => {
    for (const name of ['a', 'b']) await put(name, person(name, name))
    for (const id of ['m1', 'm2', 'm3']) {
      const fields = { given_name: id, emails: [{ email: `${id}@mail.test` }] }
      gathered.push({
        id,
        source: 'inbox',
        fields,
        emailKey: `${id}@mail.test`,
        phoneKey: null,
        groupId: null,
        metAt: 1,
        namedAt: 1,
      })
    }
    expect(await ids()).toEqual(['a', 'b'])
    expect(await ids({ source: ['inbox'] })).toEqual(['m1', 'm2', 'm3'])
    const pages: string[][] = []
    let position: JsonValue | undefined
    do {
      const { items, next } = await page({ limit: 2, source: ['address_book', 'inbox'] }, position)
      pages.push(items.map(({ id }) => id))
      position = next
    } while (position !== undefined)
    expect(pages).toEqual([['a', 'b'], ['m1', 'm2'], ['m3']])
    expect(await ids({ source: ['address_book', 'inbox'], email: 'M2@mail.test' })).toEqual(['m2'])
    expect(await get('m1')).toMatchObject({ id: 'm1', source: 'inbox' })
    expect((await failure(change('m1', { notes: 'x' }))).message).toContain('address book')
    expect((await failure(contacts.delete(session, { contact_id: 'm1' }))).message).toContain('address book')
    expect((await failure(list({ source: ['inbox'], group: 'g' }))).message).toContain('group')
  })
})
