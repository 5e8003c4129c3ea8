/** Every change in a mailbox is notified once, also after connections break and servers restart. */
import { randomUUID } from 'node:crypto'
import { createEgress } from '@waypost/platform/egress/egress'
import { isFull } from '@waypost/testing/level'
import { startCyrus } from '@waypost/testing/peers/cyrus'
import { modernCapabilities, startDovecot } from '@waypost/testing/peers/dovecot'
import type { DeliverOptions, OwnMailServer } from '@waypost/testing/peers/mail-server'
import type { ImapFlow } from 'imapflow'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Json } from '../../conformance/accounts.ts'
import { openService, type TestService } from '../../harness.ts'
import { openSubscriber, type Subscriber } from '../subscriber.ts'

const until = <T>(check: () => T | Promise<T>, timeout = 30_000): Promise<T> =>
  vi.waitFor(check, { timeout, interval: 50 })

const servers = [
  ['dovecot', () => startDovecot()],
  ['dovecot without extensions', () => startDovecot({ without: modernCapabilities })],
  ['cyrus', () => startCyrus()],
] as const

interface Told {
  type: string
  source: string
  // biome-ignore lint/suspicious/noExplicitAny: objects of every trigger
  data: { object: any }
}

interface Account {
  user: string
  password: string
  grantId: string
  key: string
  client: ImapFlow
  /** Delivers a message with this subject. */
  deliver(subject: string, options?: DeliverOptions & { headers?: string }): Promise<void>
  /** All notifications about the account's mail so far, oldest first. */
  reported(): Promise<Told[]>
  /** The subjects of the notifications of a trigger. */
  subjects(trigger: string): Promise<string[]>
}

describe.each(servers)('changes at %s', (name, start) => {
  let server: OwnMailServer
  let service: TestService
  let subscriber: Subscriber
  beforeAll(async () => {
    server = await start()
    const egress = createEgress({ mode: 'private', ca: [server.ca] })
    service = await openService({ env: { WAYPOST_POLL_SECONDS: '1' }, overrides: { egress, serving: true } })
    await service.listen()
    subscriber = await openSubscriber(service)
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await subscriber[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  /** The grants of the current test. They are deleted after it, so that they are not polled every second. */
  const grants: { key: string; id: string }[] = []
  afterEach(async () => {
    for (const { key, id } of grants.splice(0)) await service.call('DELETE', `/v3/grants/${id}`, { key })
  })

  const connect = async (key: string, user: string, password: string, settings: object = {}) => {
    const body = {
      provider: 'imap',
      settings: {
        imap_username: user,
        imap_password: password,
        imap_host: 'localhost',
        imap_port: server.imapsPort,
        ...settings,
      },
    }
    const made = await service.call('POST', '/v3/connect/custom', { key, body })
    expect(made.body).toMatchObject({ data: { grant_status: 'valid' } })
    grants.push({ key, id: made.body.data.id })
    return made.body.data.id as string
  }

  async function newAccount(
    options: { before?: string[]; beforeOptions?: DeliverOptions; settings?: object; triggers?: string[] } = {},
  ): Promise<Account> {
    const { key } = await service.createApplication()
    if (options.triggers) await subscriber.subscribe(key, ...options.triggers)
    await service.call('POST', '/v3/connectors', { key, body: { provider: 'imap' } })
    const { user, password } = await server.addUser()
    const deliver: Account['deliver'] = (subject, { headers = '', ...rest } = {}) =>
      server.deliver(
        user,
        `From: Sender <sender@example.com>\r\nTo: ${user}\r\nSubject: ${subject}\r\nDate: ${new Date().toUTCString()}\r\nMessage-ID: <${randomUUID()}@example.com>\r\n${headers}\r\nText of ${subject}\r\n`,
        rest,
      )
    for (const subject of options.before ?? []) await deliver(subject, options.beforeOptions)
    const grantId = await connect(key, user, password, options.settings)
    const reported = async (): Promise<Told[]> => {
      const { body } = await service.call('GET', '/v3/notifications?limit=200', { key })
      return body.data.filter(({ type }: Told) => !/^(grant|contact)\./.test(type))
    }
    return {
      user,
      password,
      grantId,
      key,
      client: await server.client(user),
      deliver,
      reported,
      subjects: async (trigger) =>
        (await reported()).filter(({ type }) => type === trigger).map(({ data }) => data.object.subject),
    }
  }

  /**
   * What Cyrus shares with dovecot is tested there below `check:full`. Folders and deletions differ, because Cyrus has
   * other extensions (OBJECTID, QRESYNC).
   */
  const testUnlessAlike = test.skipIf(name === 'cyrus' && !isFull)
  /** Longer than the interval at which a watcher polls without notice from the server. */
  const patience = { timeout: 40_000 }

  test('a new message is notified once, as the API returns it; older messages are not notified', patience, async () => {
    const account = await newAccount({ before: ['old'] })
    await account.deliver('new')
    await until(async () => expect(await account.subjects('message.created')).toEqual(['new']))
    const [reported] = await account.reported()
    const { id } = reported?.data.object ?? {}
    const answer = await service.call('GET', `/v3/grants/${account.grantId}/messages/${id}`, { key: account.key })
    expect(reported?.data.object).toEqual(answer.body.data)
    expect(answer.body.data).toMatchObject({ snippet: 'Text of new', unread: true, folders: ['INBOX'] })
    await account.deliver('told')
    await until(async () => expect(await account.subjects('message.created')).toEqual(['new', 'told']))
    const idles = name !== 'dovecot without extensions'
    expect((await account.reported()).at(-1)?.source).toBe(`/imap/emails/${idles ? 'realtime' : 'incremental'}`)
    account.client.close()
  })

  testUnlessAlike('messages that only look alike are reported separately', patience, async () => {
    const account = await newAccount()
    const head = `From: a@example.com\r\nSubject: Same\r\nDate: Mon, 16 Nov 2026 12:00:00 +0000\r\nMessage-ID: <${randomUUID()}@example.com>\r\n`
    const created = async () =>
      (await account.reported()).filter(({ type }) => type === 'message.created').map(({ data }) => data.object)
    const texts = ['Text A', 'Text B', 'A longer text']
    for (const [place, text] of texts.entries()) {
      await server.deliver(account.user, `${head}\r\n${text}\r\n`)
      await until(async () =>
        expect((await created()).map(({ snippet }) => snippet)).toEqual(texts.slice(0, place + 1)),
      )
    }
    expect(new Set((await created()).map(({ id }) => id)).size).toBe(3)
    await account.client.mailboxOpen('INBOX')
    await account.client.messageFlagsAdd('2', ['\\Flagged'])
    await until(async () => {
      const changes = (await account.reported()).filter(({ type }) => type === 'message.updated')
      expect(changes.map(({ data }) => data.object)).toMatchObject([{ snippet: 'Text B', starred: true }])
    })
    account.client.close()
  })

  testUnlessAlike('flags and moves are reported as changes of the same message', patience, async () => {
    const account = await newAccount()
    await account.deliver('moving')
    await until(async () => expect(await account.subjects('message.created')).toEqual(['moving']))
    await account.client.mailboxOpen('INBOX')
    await account.client.messageFlagsAdd('1:*', ['\\Seen'])
    const changes = async () =>
      (await account.reported()).filter(({ type }) => type === 'message.updated').map(({ data }) => data.object)
    await until(
      async () => expect((await changes()).at(-1)).toMatchObject({ subject: 'moving', unread: false }),
      30_000,
    )
    await account.client.messageMove('1:*', 'Archive')
    await until(async () => expect((await changes()).at(-1)).toMatchObject({ folders: ['Archive'] }))
    const ids = new Set((await account.reported()).map(({ data }) => data.object.id))
    expect(ids.size).toBe(1)
    expect(await account.subjects('message.created')).toEqual(['moving'])
    account.client.close()
  })

  test('a permanent deletion is reported once; moves, drafts and older mail are not deletions', async () => {
    const triggers = ['message.deleted', 'message.created.cleaned', 'grant.imap_sync_completed']
    const account = await newAccount({ before: ['old'], triggers })
    const { key, client } = account
    const deleted = (): Promise<Json[]> => subscriber.objects(key, 'message.deleted')
    const synced = (): Promise<Json[]> => subscriber.objects(key, 'grant.imap_sync_completed')
    for (const subject of ['gone', 'moved', 'kept']) {
      await account.deliver(subject)
      await until(async () => expect(await account.subjects('message.created')).toContain(subject))
    }
    expect(await subscriber.objects(key, 'message.created.cleaned')).toMatchObject([
      { subject: 'gone', body: 'Text of gone', cleaning_status: 'success' },
      { subject: 'moved', body: 'Text of moved', cleaning_status: 'success' },
      { subject: 'kept', body: 'Text of kept', cleaning_status: 'success' },
    ])
    const ids = (await subscriber.objects(key, 'message.created')).map(({ id }) => id)
    await until(async () => expect(await synced()).toMatchObject([{ grant_id: account.grantId, provider: 'imap' }]))
    const draft = { to: [{ email: 'ann@example.com' }], subject: 'drafted' }
    const path = `/v3/grants/${account.grantId}/drafts`
    const made = await service.call('POST', path, { key, body: draft })
    expect((await service.call('DELETE', `${path}/${made.body.data.id}`, { key })).status).toBe(200)
    await client.mailboxOpen('INBOX')
    await client.messageMove('3', 'Archive')
    await client.messageDelete('1:2')
    await until(async () =>
      expect(await deleted()).toEqual([{ id: ids[0], grant_id: account.grantId, object: 'message' }]),
    )
    await service.call('PATCH', '/v3/applications', { key, body: { allow_hard_delete: true } })
    const hard = `/v3/grants/${account.grantId}/messages/${ids[1]}?hard_delete=true`
    expect((await service.call('DELETE', hard, { key })).status).toBe(200)
    await until(async () => expect((await deleted()).map(({ id }) => id)).toEqual(ids.slice(0, 2)))
    await account.deliver('last')
    await until(async () => expect(await account.subjects('message.created')).toContain('last'))
    expect([(await deleted()).length, (await synced()).length]).toEqual([2, 1])
    client.close()
  })

  testUnlessAlike('changes of mail older than the grant are not reported', patience, async () => {
    const account = await newAccount({ before: ['old'] })
    await account.client.mailboxOpen('INBOX')
    await account.client.messageFlagsAdd('1', ['\\Seen', '\\Flagged'])
    await account.deliver('new')
    await until(async () => expect(await account.subjects('message.created')).toEqual(['new']))
    await account.client.messageFlagsRemove('1', ['\\Flagged'])
    await account.deliver('newer')
    await until(async () => expect(await account.subjects('message.created')).toEqual(['new', 'newer']))
    expect(await account.subjects('message.updated')).not.toContain('old')
    account.client.close()
  })

  const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000)

  testUnlessAlike('mail added with an old date is reported once as new', patience, async () => {
    const account = await newAccount({ before: ['was there'], beforeOptions: { date: daysAgo(2) } })
    await account.deliver('of last year', { date: daysAgo(400) })
    await until(async () => expect(await account.subjects('message.created')).toEqual(['of last year']))
    await account.deliver('of yesterday', { date: daysAgo(1), folder: 'Archive' })
    await until(async () => expect(await account.subjects('message.created')).toEqual(['of last year', 'of yesterday']))
    const [reported] = await account.reported()
    const { id } = reported?.data.object ?? {}
    const answer = await service.call('GET', `/v3/grants/${account.grantId}/messages/${id}`, { key: account.key })
    expect(reported?.data.object).toEqual(answer.body.data)
    // A deleted message does not keep later mail from being new.
    await account.client.mailboxOpen('INBOX')
    await account.client.messageDelete('1')
    await account.deliver('in between')
    await until(async () => expect(await account.subjects('message.created')).toContain('in between'))
    await account.deliver('of last week', { date: daysAgo(7) })
    await until(async () => expect(await account.subjects('message.created')).toContain('of last week'))
    expect(await account.subjects('message.created')).toHaveLength(4)
    account.client.close()
  })

  test('old mail that is moved, copied or saved again is not new', patience, async () => {
    const subjects = ['moved', 'copied', 'there and back', 'saved again']
    const account = await newAccount({ before: subjects, beforeOptions: { date: daysAgo(30) } })
    const { client } = account
    await client.mailboxOpen('INBOX')
    const [saved] = await client.fetchAll('4', { source: true })
    await client.messageCopy('2', 'Archive')
    await account.deliver('first')
    await until(async () => expect(await account.subjects('message.created')).toEqual(['first']))
    await client.messageMove('1', 'Archive')
    await client.messageMove('2', 'Sent')
    await account.deliver('second')
    await until(async () => expect(await account.subjects('message.created')).toEqual(['first', 'second']))
    await client.mailboxOpen('Sent')
    await client.messageMove('1', 'INBOX')
    // Clients save drafts in this way: the same message with other bytes, with the former version deleted later or
    // earlier.
    for (const text of ['longer', 'longer still']) {
      await client.append('INBOX', `${saved?.source}${text}\r\n`, [], daysAgo(30))
      await client.mailboxOpen('INBOX')
      const found = (await client.search({ subject: 'saved again' })) || []
      await client.messageDelete(String(found[0]))
    }
    await account.deliver('third')
    await until(async () => expect(await account.subjects('message.created')).toContain('third'))
    expect(await account.subjects('message.created')).toEqual(['first', 'second', 'third'])
    expect((await account.subjects('message.updated')).filter((subject) => subjects.includes(subject))).toEqual([])
    account.client.close()
  })

  test('created and deleted folders are reported', patience, async () => {
    const account = await newAccount()
    const names = async (trigger: string) =>
      (await account.reported()).filter(({ type }) => type === trigger).map(({ data }) => data.object.name)
    // The first notification shows that the watcher runs.
    await account.deliver('first')
    await until(async () => expect(await account.subjects('message.created')).toEqual(['first']))
    await account.client.mailboxCreate('Projects')
    await account.deliver('wakes')
    await until(async () => expect(await names('folder.created')).toEqual(['Projects']))
    await account.client.mailboxDelete('Projects')
    await account.deliver('wakes again')
    await until(async () => expect(await names('folder.deleted')).toEqual(['Projects']))
    account.client.close()
  })

  test('a renamed folder and its content are reported as changed', patience, async () => {
    const account = await newAccount()
    const folders = async () => (await account.reported()).filter(({ type }) => type.startsWith('folder.'))
    const separator = account.client.namespace?.delimiter ?? '/'
    const [before, after] = [['Before', 'In Größe'].join(separator), ['After', 'In Größe'].join(separator)]
    for (const path of ['Before', before]) await account.client.mailboxCreate(path)
    await account.deliver('outside', { folder: 'Before' })
    await account.deliver('inside', { folder: before })
    await until(async () => expect(await account.subjects('message.created')).toHaveLength(2))
    const earlier = (await folders()).map(({ data }) => data.object)
    await account.client.mailboxRename('Before', 'After')
    await account.deliver('wakes')
    await until(async () => expect((await folders()).length).toBeGreaterThanOrEqual(earlier.length + 2))
    const reported = (await folders()).slice(earlier.length)
    expect(reported.map(({ type, data }) => [type, data.object.name]).toSorted()).toEqual([
      ['folder.updated', 'After'],
      ['folder.updated', after],
    ])
    for (const { data } of reported) {
      const { id, name, former_id } = data.object
      expect(former_id).toBe(earlier.find((each) => each.name === name.replace('After', 'Before'))?.id)
      const read = await service.call('GET', `/v3/grants/${account.grantId}/folders/${id}`, { key: account.key })
      expect(read.body.data).toMatchObject({ id, name })
    }
    await until(async () => expect(await account.subjects('message.updated')).toContain('inside'))
    await until(async () => expect(await account.subjects('message.created')).toContain('wakes'))
    expect((await account.subjects('message.created')).toSorted()).toEqual(['inside', 'outside', 'wakes'])
    account.client.close()
  })

  test('equally empty folders are distinguished when renamed', patience, async () => {
    const account = await newAccount()
    const { client } = account
    // Other servers identify folders by their messages, and by numbers that several folders may share.
    if (!client.capabilities.has('OBJECTID')) return client.close()
    const folders = async () => (await account.reported()).filter(({ type }) => type.startsWith('folder.'))
    for (const path of ['One', 'Two', 'Three']) await client.mailboxCreate(path)
    await account.deliver('wakes')
    await until(async () => expect(await folders()).toHaveLength(3))
    const ids = new Map((await folders()).map(({ data: { object } }) => [object.name, object.id]))
    const renamed = [
      ['One', 'Drei'],
      ['Two', 'Eins'],
      ['Three', 'Größe'],
    ] as const
    for (const [from, to] of renamed) await client.mailboxRename(from, to)
    await account.deliver('wakes again')
    await until(async () => expect((await folders()).length).toBeGreaterThanOrEqual(6))
    const reported = (await folders()).slice(3)
    expect(reported.map(({ type, data: { object } }) => [type, object.former_id, object.name]).toSorted()).toEqual(
      renamed.map(([from, to]) => ['folder.updated', ids.get(from), to]).toSorted(),
    )
    client.close()
  })

  testUnlessAlike('an account that was connected with `watch: false` is not watched', patience, async () => {
    const silent = await newAccount({ settings: { watch: false } })
    const watched = await newAccount()
    await silent.deliver('unheard')
    await watched.deliver('heard')
    await until(async () => expect(await watched.subjects('message.created')).toEqual(['heard']))
    expect(await silent.reported()).toEqual([])
    for (const { client } of [silent, watched]) client.close()
  })

  testUnlessAlike('no change is lost or reported twice while connections break and the server restarts', async () => {
    const account = await newAccount({ before: ['old 1', 'old 2'] })
    const expected: string[] = []
    for (let round = 0; round < 6; round++) {
      for (let number = 0; number < 3; number++) {
        const subject = `round ${round} message ${number}`
        expected.push(subject)
        await account.deliver(subject, { folder: number === 2 ? 'Sent' : 'INBOX' })
      }
      if (round === 2) {
        await server.stop()
        await server.start()
      } else await server.kick(account.user)
    }
    await until(
      async () => expect((await account.subjects('message.created')).toSorted()).toEqual(expected.toSorted()),
      90_000,
    )
    // A duplicate would have been notified before this message.
    await account.deliver('last')
    await until(async () => expect(await account.subjects('message.created')).toContain('last'), 60_000)
    expect((await account.subjects('message.created')).toSorted()).toEqual([...expected, 'last'].toSorted())
    account.client.close()
  })

  test('a folder with a new UIDVALIDITY reports only mail that arrived in the meantime', async () => {
    const account = await newAccount()
    await account.deliver('before')
    await until(async () => expect(await account.subjects('message.created')).toEqual(['before']))
    const archive = 'Renewed'
    await account.client.mailboxCreate(archive)
    await account.deliver('in the folder', { folder: archive })
    await until(async () => expect(await account.subjects('message.created')).toContain('in the folder'), 60_000)
    const moved = await account.client.mailboxOpen(archive)
    const [held] = await account.client.fetchAll('1:*', { source: true })
    // A server may refuse while another client has the folder open.
    await until(() => account.client.mailboxDelete(archive))
    await until(() => account.client.mailboxCreate(archive))
    expect((await account.client.status(archive, { uidValidity: true })) || {}).not.toMatchObject({
      uidValidity: moved.uidValidity,
    })
    await account.client.append(archive, held?.source ?? '')
    await account.deliver('after', { folder: archive })
    await until(async () => expect(await account.subjects('message.created')).toContain('after'), 60_000)
    expect((await account.subjects('message.created')).toSorted()).toEqual(['after', 'before', 'in the folder'])
    account.client.close()
  })

  testUnlessAlike(
    'a password that stops working is reported once, and mail since then after the next sign-in',
    async () => {
      const account = await newAccount()
      await account.deliver('first')
      await until(async () => expect(await account.subjects('message.created')).toEqual(['first']))
      await server.changePassword(account.user, 'another-secret')
      await server.kick(account.user)
      const grants = async () =>
        (await service.call('GET', `/v3/grants/${account.grantId}`, { key: account.key })).body.data.grant_status
      await until(async () => expect(await grants()).toBe('invalid'), 60_000)
      await account.deliver('while invalid')
      // A message that is delivered later to another mailbox is reported first.
      const other = await newAccount()
      await other.deliver('later')
      await until(async () => expect(await other.subjects('message.created')).toEqual(['later']))
      other.client.close()
      expect(await account.subjects('message.created')).toEqual(['first'])
      expect(await connect(account.key, account.user, 'another-secret')).toBe(account.grantId)
      await until(
        async () => expect(await account.subjects('message.created')).toEqual(['first', 'while invalid']),
        60_000,
      )
      const { body } = await service.call('GET', '/v3/notifications?limit=200', { key: account.key })
      expect(body.data.filter(({ type }: Told) => type === 'grant.expired')).toHaveLength(1)
      account.client.close()
    },
  )
})
