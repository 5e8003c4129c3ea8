/** Changes of contacts on real servers are notified: all of them, once, from only the cursor. */
import type { Grant } from '@waypost/contract'
import { sharedCyrus } from '@waypost/testing/peers/cyrus'
import { type DavServer, putObject } from '@waypost/testing/peers/dav-server'
import type { Mailbox } from '@waypost/testing/peers/mail-server'
import { sharedRadicale } from '@waypost/testing/peers/radicale'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cardDavTraits } from '../../src/dav/carddav/traits.ts'
import { watchedContacts } from '../../src/dav/carddav/watch.ts'
import type { DavSession } from '../../src/dav/session.ts'
import type { Change } from '../../src/provider.ts'
import { watchedParts } from '../../src/shared/watched-parts.ts'
import { type DavAccount, davAccount } from './dav-account.ts'

const card = (uid: string, name = uid): string =>
  `BEGIN:VCARD\nVERSION:3.0\nUID:${uid}\nN:;${name};;;\nFN:${name}\nEND:VCARD\n`
const groupCard = (uid: string, ...members: string[]): string =>
  `BEGIN:VCARD\nVERSION:3.0\nUID:${uid}\nN:${uid};;;;\nFN:${uid}\nX-ADDRESSBOOKSERVER-KIND:group\n${members
    .map((member) => `X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:${member}\n`)
    .join('')}END:VCARD\n`
const named = ({ trigger, object }: Change): string =>
  `${trigger} ${'given_name' in object ? object.given_name : 'id' in object && object.id}`

const servers: [string, () => Promise<DavServer>, string][] = [
  ['cyrus', sharedCyrus, 'Default'],
  ['radicale', sharedRadicale, 'contacts'],
]

describe.each(servers)('changes of contacts at %s', (_, start, name) => {
  let server: DavServer
  let account: DavAccount
  let alice: Mailbox
  let home: string
  let session: DavSession
  let requests: string[]
  let cursor: string | undefined
  let now: number

  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server[Symbol.asyncDispose]())
  beforeEach(async () => {
    requests = []
    cursor = undefined
    now = Date.now()
    alice = await server.addDavUser()
    home = server.addressbookHome(alice.user)
    account = davAccount({ clock: { now: () => now }, pollSeconds: 60 })
    const { request } = account.io
    account.io.request = (requested) => {
      requests.push(requested.method)
      return request(requested)
    }
    session = {
      grant: { id: 'g', email: alice.user } as Grant,
      io: account.io,
      dav: account.open({ carddavUrl: server.davUrl, auth: alice }),
    }
    return () => account[Symbol.asyncDispose]()
  })

  const source = watchedParts<DavSession>([watchedContacts<DavSession>(cardDavTraits)])
  const poll = async (notBefore = now + 61_000): Promise<Change[]> => {
    now += 61_000
    const found = await source.since(session, cursor, { notBefore })
    ;({ cursor } = found)
    return found.more ? [...found.changes, ...(await poll())] : found.changes
  }
  const put = (file: string, data: string, book = name): Promise<void> =>
    putObject(server, alice, `${home}${book}/${file}.vcf`, data)
  const remove = (path: string) => server.request(alice, 'DELETE', `${home}${path}`)

  test('contacts created between the creation of the grant and the first poll are notified', async () => {
    await put('made', card('made'))
    expect((await poll(Date.now() - 60_000)).map(named)).toEqual(['contact.updated made'])
    expect(await poll()).toEqual([])
  })

  test('a contact is notified when created, changed and deleted, but older ones are not; an unchanged poll takes one request', async () => {
    await put('old', card('old'))
    expect(await poll()).toEqual([])
    await put('new', card('new'))
    const [made, ...others] = await poll()
    expect(made).toMatchObject({
      trigger: 'contact.updated',
      polled: true,
      object: { id: 'new', grant_id: 'g', given_name: 'new', object: 'contact', source: 'address_book' },
    })
    expect(others).toEqual([])
    const before = cursor
    requests.length = 0
    expect(await poll()).toEqual([])
    expect([requests, cursor]).toEqual([['PROPFIND'], before])
    await put('old', card('old', 'changed'))
    await put('new', `${card('new').replace('END:', 'X-SEEN:1\nEND:')}`)
    expect((await poll()).map(named)).toEqual(['contact.updated changed'])
    await remove(`${name}/new.vcf`)
    expect(await poll()).toMatchObject([
      { trigger: 'contact.deleted', object: { id: 'new', grant_id: 'g', object: 'contact' } },
    ])
    const bogus = cursor?.replaceAll(/"token":"[^"]*"/g, '"token":"http://example.test/bogus"')
    expect(bogus).not.toBe(cursor)
    cursor = bogus
    await put('late', card('late'))
    await remove(`${name}/old.vcf`)
    expect((await poll()).map(named).sort()).toEqual(['contact.deleted old', 'contact.updated late'])
    expect(await poll()).toEqual([])
  })

  test('a contact that joins or leaves a group is notified, with its groups', async () => {
    for (const each of ['ada', 'bob', 'cyd']) await put(each, card(each))
    await put('team', groupCard('team', 'ada'))
    await poll()
    await put('team', groupCard('team', 'bob'))
    const moved = await poll()
    expect(moved.map(named).sort()).toEqual(['contact.updated ada', 'contact.updated bob'])
    const groups = Object.fromEntries(
      moved.map(({ object }) => ('given_name' in object ? [object.given_name, object.groups] : [])),
    )
    expect(groups).toEqual({ ada: [], bob: [{ id: 'team' }] })
    await put('bob', card('bob', 'Bobby'))
    expect((await poll())[0]?.object).toMatchObject({ given_name: 'Bobby', groups: [{ id: 'team' }] })
    await remove(`${name}/team.vcf`)
    expect((await poll()).map(named)).toEqual(['contact.updated Bobby'])
  })

  test('an added or removed address book adds or removes its contacts', async () => {
    await put('old', card('old'))
    await poll()
    const body = `<D:mkcol xmlns:D="DAV:" xmlns:CR="urn:ietf:params:xml:ns:carddav"><D:set><D:prop><D:resourcetype><D:collection/><CR:addressbook/></D:resourcetype></D:prop></D:set></D:mkcol>`
    await server.request(alice, 'MKCOL', `${home}work/`, { body })
    await put('colleague', card('colleague'), 'work')
    const [came, ...others] = await poll()
    expect(came).toMatchObject({ trigger: 'contact.updated', object: { given_name: 'colleague' } })
    expect(others).toEqual([])
    await remove('work/')
    const id = came && 'id' in came.object ? came.object.id : ''
    expect(await poll()).toMatchObject([{ trigger: 'contact.deleted', object: { id } }])
    expect(await poll()).toEqual([])
  })
})
