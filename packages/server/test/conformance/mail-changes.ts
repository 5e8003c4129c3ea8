/** Notifications of what changes in a mailbox, for every simulated provider. What differs is in its `MailChanges`. */
import { describe, expect, test } from 'vitest'
import { callOf, expectStatus, type Json } from './accounts.ts'
import { folderIds, type MailSubject, messageBySubject, messagePath, messagesOf } from './mail-subject.ts'
import type { Simulated } from './mail-tables.ts'
import { mimeMessage, newMessageId } from './mime-messages.ts'
import { until, type WatchedAccount, type Watching, watchedMail } from './watched-mail.ts'

export interface MailChanges<Simulator extends Simulated> extends Watching<Simulator> {
  subject: MailSubject
  /** Ways in which the provider forgets what Waypost knew last. */
  forgetting: Readonly<Record<string, (simulator: Simulator, email: string) => void>>
  /** More messages than the provider returns on one page of changes. */
  many: number
  /** Deletions of messages are notified even if these came and went between two polls. */
  tellsUnknown?: true
  /** The next requests for changes are refused, as too many. */
  throttle(simulator: Simulator): void
  /** The response to the next request that sends a message is lost. */
  lose(simulator: Simulator): void
  /** Options of accounts that differ in the Message-ID of sent mail. */
  senders: Readonly<Record<string, object>>
  /** Reports that a message bounced, if the simulator does not. */
  bounce?(account: WatchedAccount, messageId: string): Promise<unknown>
}

export function describeMailChanges<Simulator extends Simulated>(changes: MailChanges<Simulator>): void {
  const { subject } = changes
  const stable = !subject.lacks?.includes('stable-ids')
  const to = [{ email: 'somebody@elsewhere.test' }]

  // Each test waits for what its own account is notified of.
  describe.concurrent(`changes of mail at ${subject.name}`, () => {
    const { open, subscriber, watched } = watchedMail(changes)
    const allowHardDelete = ({ key }: WatchedAccount) =>
      callOf(open().service, key)('PATCH', '/v3/applications', { body: { allow_hard_delete: true } })

    test('a new message is notified once, as the API returns it, but older ones are not', async () => {
      await using account = await watched({ before: ['old'] })
      const [first] = await account.objects('message.created')
      expect(first).toEqual(await account.readPlain(first.id))
      await account.arrive({ subject: 'second' })
      await account.createdAs('second')
      expect(await account.objects('message.updated')).toEqual([])
      expect((await account.created()).toSorted()).toEqual(['first', 'second'])
    })

    test('flags and moves are changes of the same message, and one that arrives and changes is notified once', async () => {
      await using account = await watched()
      const [{ id }] = await account.objects('message.created')
      const { archive } = await folderIds(account)
      const last = async (): Promise<Json> => (await account.objects('message.updated')).at(-1)
      await account.other.mark(account.firstMessageId, 'inbox', { seen: true, starred: false })
      await until(async () => expect(await last()).toMatchObject({ id, unread: false, starred: false }))
      expectStatus(await account.put(messagePath(id), { starred: true }), 200)
      await until(async () => expect(await last()).toMatchObject({ id, unread: false, starred: true }))
      for (const folder of ['archive', 'Elsewhere']) {
        const before = (await last()).folders
        await account.other.move(account.firstMessageId, folder === 'archive' ? 'inbox' : 'archive', folder)
        await until(async () => expect((await last()).folders).not.toEqual(before))
        expect((await last()).folders.includes(archive)).toBe(folder === 'archive')
      }
      // The previous id finds it.
      const moved = await account.readPlain(id)
      expect([moved, moved.id === id]).toEqual([await last(), stable])
      const quick = await account.arrive({ subject: 'quick' })
      await account.other.mark(quick, 'inbox', { seen: true, starred: false })
      await account.createdAs('quick')
      expect((await account.created()).toSorted()).toEqual(['first', 'quick'])
    })

    test('sent messages are notified, and drafts only once they are sent', async () => {
      await using account = await watched()
      const draft = expectStatus(await account.post('/drafts', { to, subject: 'drafted' }), 200).body.data
      const again = expectStatus(await account.put(`/drafts/${draft.id}`, { subject: 'drafted again' }), 200).body.data
      expectStatus(await account.post('/messages/send', { to, subject: 'sent' }), 200)
      await account.createdAs('sent')
      expectStatus(await account.post(`/drafts/${again.id}`, {}), 200)
      await account.createdAs('drafted again')
      expect((await account.created()).toSorted()).toEqual(['drafted again', 'first', 'sent'])
    })

    test('a deletion for good is notified once; moves, the trash, drafts and unknown messages are no deletions', async () => {
      await using account = await watched()
      await subscriber().subscribe(account.key, 'message.deleted')
      const deleted = (): Promise<Json[]> => account.objects('message.deleted')
      // The poll that notices the next message began after the subscription: from then on, places are stored.
      await account.arrive({ subject: 'earlier' })
      await account.createdAs('earlier')
      const purged = await account.arrive({ subject: 'purged' })
      const { id } = await account.createdAs('purged')
      expectStatus(await account.put(messagePath(id), { metadata: { case: '7' } }), 200)
      const draft = expectStatus(await account.post('/drafts', { subject: 'drafted' }), 200).body.data
      const again = expectStatus(await account.put(`/drafts/${draft.id}`, { subject: 'drafted again' }), 200).body.data
      await account.other.move(account.firstMessageId, 'inbox', 'archive')
      const [first] = await account.objects('message.created')
      const trashed = await account.readPlain(first.id)
      expectStatus(await account.delete(messagePath(trashed.id)), 200)
      const { trash } = await folderIds(account)
      await until(async () =>
        expect((await account.objects('message.updated')).at(-1)?.folders).toEqual(expect.arrayContaining([trash])),
      )
      expectStatus(await account.delete(`/drafts/${again.id}`), 200)
      const { mail } = open().simulator.account(account.email)
      if (!changes.tellsUnknown) mail.remove(mail.deliver(mimeMessage({ subject: 'brief' })).id)
      expect(await deleted()).toEqual([])
      await account.other.erase(purged, 'inbox')
      const object = { grant_id: account.grantId, object: 'message' }
      await until(async () => expect(await deleted()).toEqual([{ ...object, id, metadata: { case: '7' } }]))
      await allowHardDelete(account)
      const retained = await account.readPlain(trashed.id)
      expectStatus(await account.delete(messagePath(retained.id), { hard_delete: true }), 200)
      await until(async () => expect((await deleted()).slice(1)).toEqual([{ ...object, id: retained.id }]))
      expectStatus(await account.get(messagePath(retained.id)), 404)
    })

    test('folders that are created, renamed and deleted are notified', async () => {
      await using account = await watched()
      const { id } = expectStatus(await account.post('/folders', { name: 'One' }), 200).body.data
      const reported = (type: string, expected: object): Promise<void> =>
        until(async () => expect(await account.objects(type)).toMatchObject([{ id, ...expected }]))
      await reported('folder.created', { name: 'One' })
      expectStatus(await account.put(`/folders/${id}`, { name: 'Two' }), 200)
      await reported('folder.updated', { name: 'Two' })
      await account.arrive({ subject: 'filed' }, 'Two')
      await account.createdAs('filed')
      expectStatus(await account.delete(`/folders/${id}`), 200)
      await reported('folder.deleted', {})
      expect(await account.objects('folder.updated')).toHaveLength(1)
    })

    test('many messages at once are all notified', async () => {
      await using account = await watched()
      const names = Array.from({ length: changes.many }, (_, index) => `bulk ${index}`)
      for (const [index, name] of names.entries()) await account.arrive({ subject: name }, index % 3 ? 'inbox' : 'junk')
      const bulk = async (): Promise<string[]> => (await account.created()).filter((each) => each?.startsWith('bulk'))
      await until(async () => expect((await bulk()).toSorted()).toEqual(names.toSorted()))
      expect(await account.objects('message.updated')).toEqual([])
    })

    test.each(Object.keys(changes.senders))(
      'a reply to a tracked message and a bounce are notified (%s)',
      async (sender) => {
        await using account = await watched({ seed: changes.senders[sender] ?? {} })
        const sent = await account.post('/messages/send', {
          to: [{ email: 'nobody@people.test' }],
          subject: 'Tracked',
          body: '<p>Hello</p>',
          tracking_options: { thread_replies: true, label: 'spring' },
        })
        const { id } = expectStatus(sent, 200).body.data
        const { data } = expectStatus(await account.get(messagePath(id), { fields: 'include_headers' }), 200).body
        const header = (wanted: string): string | undefined =>
          data.headers.find((each: Json) => each.name.toLowerCase() === wanted)?.value.slice(1, -1)
        const name = header('message-id') ?? ''
        const renamed = sender !== 'keeping the Message-ID'
        expect(name !== (header('x-waypost-message-id') ?? name)).toBe(renamed)
        await changes.bounce?.(account, name)
        await until(async () => expect(await account.objects('message.bounce_detected')).toHaveLength(1))
        const [bounce] = await account.objects('message.bounce_detected')
        expect(bounce).toMatchObject({ bounced_addresses: 'nobody@people.test' })
        await account.arrive({
          subject: 'Re: Tracked',
          from: 'nobody@people.test',
          inReplyTo: name,
          references: [name],
        })
        await until(async () => expect(await account.objects('thread.replied')).toHaveLength(1))
        const [reply] = await account.objects('thread.replied')
        expect(reply).toMatchObject({ label: 'spring', ...(stable && { root_message_id: id }) })
      },
    )

    // These affect the other accounts too.
    describe('after a failure', { concurrent: false }, () => {
      test.each(Object.keys(changes.forgetting))(
        'messages that arrived meanwhile are notified once each (%s)',
        async (way) => {
          await using account = await watched()
          for (const name of ['a', 'b', 'c']) await account.arrive({ subject: name })
          changes.forgetting[way]?.(open().simulator, account.email)
          await until(async () => expect((await account.created()).toSorted()).toEqual(['a', 'b', 'c', 'first']))
          await account.arrive({ subject: 'later' })
          await account.createdAs('later')
          expect(await account.created()).toHaveLength(5)
          expect(await account.reported('folder')).toEqual([])
        },
      )

      test('messages of a throttled mailbox are notified later, and the grant stays valid', async () => {
        await using account = await watched()
        changes.throttle(open().simulator)
        await account.arrive({ subject: 'patient' })
        await account.createdAs('patient')
        const { body } = await callOf(open().service, account.key)('GET', `/v3/grants/${account.grantId}`)
        expect(body.data.grant_status).toBe('valid')
      })

      test('a sent message whose response was lost is found in the account, and none is sent twice', async () => {
        await using account = await watched()
        const grace = await open().newAccount()
        const wish = { to: [{ email: grace.email }], subject: 'Lost and found', body: newMessageId() }
        const attempt = () => account.post('/messages/send', wish, {}, { 'Idempotency-Key': 'lost' })
        changes.lose(open().simulator)
        const first = await attempt()
        expect([200, 504], JSON.stringify(first.body)).toContain(first.status)
        const { id } = (await until(async () => expectStatus(await attempt(), 200))).body.data
        expect(await messageBySubject(account, 'Lost and found')).toMatchObject({ id })
        expect(await messagesOf(grace)).toMatchObject([{ subject: 'Lost and found' }])
      })
    })
  })
}
