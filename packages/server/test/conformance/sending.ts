/** Sending, shared mailboxes, errors of the provider, and the calls that requests take, for every simulated provider. */
import { describe, expect, test } from 'vitest'
import type { Answer } from '../harness.ts'
import { type Account, expectRefusal, expectStatus, type Json, pagesOf } from './accounts.ts'
import {
  folderIds,
  type MailAccount,
  type MailSubject,
  messagePath,
  messagesOf,
  noon,
  type OpenMail,
  readMessage,
  threadPath,
  withNewAccounts,
} from './mail-subject.ts'
import { expectedCalls, type Fault, type MailTable, type Simulated } from './mail-tables.ts'
import { newMessageId } from './mime-messages.ts'

const send = async (account: Account, body: object): Promise<Json> =>
  expectStatus(await account.post('/messages/send', body), 200).body.data
const headersOf = async (account: Account, id: string): Promise<Map<string, string>> => {
  const { headers } = await readMessage(account, id, { fields: 'include_headers' })
  return new Map(headers.map(({ name, value }: Json) => [name.toLowerCase(), value]))
}

/** Gives each test an account at the simulator. */
function withSimulator(subject: MailSubject, table: MailTable) {
  let mail: OpenMail & { simulator: Simulated }
  let account: MailAccount
  withNewAccounts(subject, (fresh, open) => {
    account = fresh
    if (!open.simulator) throw new Error(`${subject.name} is not simulated`)
    mail = { ...open, simulator: open.simulator }
  })
  return {
    account: () => account,
    newAccount: (scopes?: readonly string[]) => mail.newAccount(scopes ? { scopes } : {}),
    fail: (fault: Fault) => mail.simulator.fail(...fault),
    clear: () => mail.simulator.clearCalls(),
    /** The calls since then, with each batch as one call, and with each call of a batch instead. */
    calls(): { batches: string[]; each: string[] } {
      const made = mail.simulator.calls.flatMap((call) => {
        const name = table.nameOf(call)
        return name === undefined ? [] : [{ name, batched: call.batched }]
      })
      return {
        batches: made.flatMap(({ name, batched }) => (batched ? [] : [name])),
        each: made.flatMap(({ name }) => (name === 'batch' ? [] : [name])),
      }
    },
    simulated: ({ email }: Account) => mail.simulator.account(email),
  }
}

export function describeSending(subject: MailSubject): void {
  const { table } = subject
  if (!table) return
  const { scopes } = table

  describe(`sending at ${subject.name}`, () => {
    const { account, newAccount, fail, clear, calls, simulated } = withSimulator(subject, table)

    test('delivers a message once to all recipients, and returns it as stored in the account', async () => {
      const [grace, hidden] = [await newAccount(), await newAccount()]
      const picture = { filename: 'logo.png', content_type: 'image/png', content: 'UE5H', content_id: 'logo1' }
      const metadata = { key1: 'spring' }
      clear()
      const sent = await send(account(), {
        to: [{ name: 'Grace', email: grace.email }],
        bcc: [{ email: hidden.email }],
        subject: 'Grüße',
        body: '<p>Hallo <img src="cid:logo1"></p>',
        attachments: [picture],
        custom_headers: [{ name: 'X-Own', value: 'yes' }],
        metadata,
      })
      expect(calls().batches.filter((name) => name === table.sends)).toHaveLength(1)
      const { sent: folder } = await folderIds(account())
      expect(sent).toMatchObject({ thread_id: expect.stringMatching(/./), folders: [folder] })
      expect(await readMessage(account(), sent.id)).toMatchObject({
        subject: 'Grüße',
        bcc: [{ email: hidden.email }],
        to: [{ name: 'Grace', email: grace.email }],
        attachments: [{ filename: 'logo.png', is_inline: true, content_id: 'logo1' }],
        metadata,
      })
      const messageId = (await headersOf(account(), sent.id)).get('message-id')
      for (const recipient of [grace, hidden]) {
        const [received, ...others] = await messagesOf(recipient)
        expect(others).toEqual([])
        expect(received).toMatchObject({ subject: 'Grüße', bcc: [], from: [{ email: account().email }] })
        const headers = await headersOf(recipient, received.id)
        expect([headers.get('x-own'), headers.get('message-id')]).toEqual(['yes', messageId])
      }
      // The metadata remains, even if the id changes.
      expectStatus(await account().delete(messagePath(sent.id)), 200)
      expect(await messagesOf(account())).toMatchObject([{ metadata }])
    })

    test('puts a reply into the thread on both sides, and names the message it replies to', async () => {
      const grace = await newAccount()
      await send(grace, { to: [{ email: account().email }], subject: 'Question', body: 'What?' })
      const [question] = await messagesOf(account())
      const wish = { to: [{ email: grace.email }], subject: 'Re: Question', reply_to_message_id: question.id }
      const answer = await send(account(), { ...wish, body: 'That.' })
      expect(answer.thread_id).toBe(question.thread_id)
      const threads = (await pagesOf(grace, '/threads', {})).flat()
      expect(threads).toMatchObject([{ message_ids: [expect.any(String), expect.any(String)] }])
      const [received] = await messagesOf(grace, { subject: 'Re:' })
      const name = (await headersOf(account(), question.id)).get('message-id')
      expect((await headersOf(grace, received.id)).get('in-reply-to')).toBe(name)
      const draft = expectStatus(await account().post('/drafts', wish), 200).body.data
      expect(draft.thread_id).toBe(question.thread_id)
    })

    test.skipIf(!scopes)('requires only the scope to send', async () => {
      const [grace, sender] = [await newAccount(), await newAccount(scopes?.sending)]
      const { id } = await send(sender, { to: [{ email: grace.email }], subject: 'Sent blindly' })
      if (scopes?.tellsId) expect(simulated(sender).mail.list()).toMatchObject([{ id }])
      await expect.poll(() => messagesOf(grace)).toMatchObject([{ subject: 'Sent blindly' }])
      expectStatus(await sender.get('/messages'), 403)
    })

    test('reports why the provider refused, and that it was called too often; nothing is left behind', async () => {
      const wish = { to: [{ email: 'grace@elsewhere.test' }], subject: 'Refused' }
      for (const [fault, status, words] of table.refusals) {
        fail(fault)
        const refused = expectStatus(await account().post('/messages/send', wish), status)
        expect(refused.body.error.message).toMatch(words)
      }
      fail(table.sendingThrottled)
      const limited = expectStatus(await account().post('/messages/send', wish), 429)
      expect(limited.headers.get('retry-after')).toBe('60')
      expect(simulated(account()).mail.list()).toEqual([])
    })

    test('sends a draft, which is then deleted', async () => {
      const grace = await newAccount()
      const wish = { to: [{ email: 'bob@elsewhere.test' }], bcc: [{ email: grace.email }], subject: 'Drafted' }
      const draft = expectStatus(await account().post('/drafts', wish), 200).body.data
      expectStatus(await account().post(`/drafts/${draft.id}`, {}), 200)
      expectStatus(await account().get(`/drafts/${draft.id}`), 404)
      expect(expectStatus(await account().get('/drafts'), 200).body.data).toEqual([])
      const { sent } = await folderIds(account())
      expect(await messagesOf(account())).toMatchObject([{ subject: 'Drafted', folders: [sent] }])
      await expect.poll(() => messagesOf(grace)).toMatchObject([{ subject: 'Drafted', bcc: [] }])
    })
  })

  describe.skipIf(!table.sharing)(`shared mailboxes of ${subject.name}`, () => {
    const { account, newAccount, simulated } = withSimulator(subject, table)

    test('are read, changed and organized by their address', async () => {
      const team = await newAccount()
      const messageId = newMessageId()
      await team.deliver({ subject: 'For the team', messageId })
      simulated(team).shareWith?.(account().email)
      const shared = { shared_from: team.email }
      const folders = (await pagesOf(account(), '/folders', shared)).flat()
      const { id: folder } = folders.find(({ attributes }) => attributes.includes('\\Inbox'))
      const inbox = { ...shared, in: folder }
      const [message] = await messagesOf(account(), inbox)
      expect(message).toMatchObject({ subject: 'For the team', unread: true, folders: [folder] })
      expectRefusal(await account().get('/messages', shared), /shared_from/)
      expectRefusal(await account().get('/messages', { ...inbox, shared_from: 'somebody' }), /shared_from/)
      expect(await messagesOf(account(), { ...shared, shared_folder_id: folder })).toHaveLength(1)
      const path = messagePath(message.id)
      expectStatus(await account().get(path), table.sharing ?? 404)
      expectStatus(await account().put(path, { unread: false }, shared), 200)
      const threads = expectStatus(await account().get('/threads', inbox), 200).body.data
      expect(threads).toMatchObject([{ id: message.thread_id, message_ids: [message.id] }])
      const made = expectStatus(await account().post('/folders', { name: 'Done' }, shared), 200).body.data
      const moved = expectStatus(await account().put(path, { folders: [made.id] }, shared), 200).body.data
      expect(await readMessage(account(), message.id, shared)).toMatchObject({ id: moved.id, unread: false })
      expectStatus(await account().delete(messagePath(moved.id), shared), 200)
      expect(await team.other.find(messageId)).toEqual([{ folder: 'trash', seen: true, starred: false }])
      expect(await messagesOf(account())).toEqual([])
    })

    test('that are not shared are refused', async () => {
      const { email } = await newAccount()
      const answer = await account().get('/messages', { shared_from: email, in: 'inbox' })
      expect([400, 403, 404], JSON.stringify(answer.body)).toContain(answer.status)
    })
  })

  describe(`errors of ${subject.name}`, () => {
    const { account, newAccount, fail, clear, calls } = withSimulator(subject, table)

    test('for quota have the delay that it returns', async () => {
      fail(table.readingThrottled)
      const answer = expectStatus(await account().get('/messages'), 429)
      expect(answer.headers.get('retry-after')).toBe('7')
      expect(answer.body.error).toMatchObject({
        type: 'rate_limit_error',
        provider_error: { status: table.readingThrottled[1].status },
      })
    })

    test('that are transient are retried and not reported', async () => {
      await account().deliver({ subject: 'Patience' })
      for (const fault of table.transient) {
        fail(fault)
        expect(await messagesOf(account())).toMatchObject([{ subject: 'Patience' }])
      }
      await account().disconnect()
      expect(await messagesOf(account())).toMatchObject([{ subject: 'Patience' }])
    })

    test.skipIf(!scopes)('for a missing scope name it before a request', async () => {
      const reader = await newAccount(scopes?.reading)
      clear()
      const answer = expectStatus(await reader.post('/messages/send', { to: [{ email: 'a@elsewhere.test' }] }), 403)
      expect(answer.body.error.message).toContain(scopes?.missing)
      expect(calls().each).toEqual([])
    })
  })

  describe(`calls of ${subject.name}`, () => {
    const { account, fail, clear, calls } = withSimulator(subject, table)
    const reported = ({ headers }: Answer): (string | null)[] =>
      [
        'x-provider-request-count',
        'nylas-provider-request-count',
        'x-google-quota-units',
        'nylas-gmail-quota-usage',
      ].map((name) => headers.get(name))

    test('are those of the table, and each answer tells how many they were', async () => {
      const file = { name: 'plan.pdf', type: 'application/pdf', content: 'PDF' }
      for (let index = 0; index < 60; index++) {
        const arrival = { date: noon + index, folder: index % 3 ? 'inbox' : 'junk' }
        await account().deliver({ subject: `Number ${index}`, files: index % 2 ? [file] : [] }, arrival)
      }
      const { inbox } = await folderIds(account())
      const { data, next_cursor } = (await account().get('/messages', { limit: 50 })).body
      expect(data.flatMap(({ attachments }: Json) => attachments)).toHaveLength(25)
      const { id, thread_id, attachments } = data.find((each: Json) => each.attachments.length > 0)
      const attachment = `${messagePath(id)}/attachments/${encodeURIComponent(attachments[0].id)}`
      const wish = { to: [{ email: 'bo@elsewhere.test' }], subject: 'Hi', body: 'x' }
      let draft = ''
      const requests: Record<string, () => Promise<Answer>> = {
        'a page of messages': () => account().get('/messages', { limit: 50 }),
        'the next page': () => account().get('/messages', { limit: 50, page_token: next_cursor }),
        'a page of a folder': () => account().get('/messages', { limit: 20, in: inbox }),
        'the ids of a page of a folder': () =>
          account().get('/messages', { limit: 20, in: inbox, select: 'id,thread_id' }),
        'a page with headers': () => account().get('/messages', { limit: 50, fields: 'include_headers' }),
        'a page with a retry': () => {
          const [fault] = table.transient
          if (fault) fail(fault)
          return account().get('/messages', { limit: 5 })
        },
        'a message': () => account().get(messagePath(id)),
        'a missing message': () => account().get(messagePath('1234567890abcdef')),
        'marking a message': () => account().put(messagePath(id), { unread: false }),
        'a page of threads': () => account().get('/threads', { limit: 5 }),
        'a thread': () => account().get(threadPath(thread_id)),
        'marking a thread': () => account().put(threadPath(thread_id), { starred: true }),
        'the folders': () => account().get('/folders'),
        'a new folder': () => account().post('/folders', { name: 'Clients' }),
        'an attachment': () => account().get(attachment),
        'a download': () => account().get(`${attachment}/download`),
        'deleting a message': () => account().delete(messagePath(id)),
        'a new draft': async () => {
          const made = await account().post('/drafts', wish)
          draft = `/drafts/${made.body.data.id}`
          return made
        },
        'a draft': () => account().get(draft),
        'changing a draft': () => account().put(draft, { subject: 'Other' }),
        'sending a draft': () => account().post(draft, {}),
        sending: () => account().post('/messages/send', wish),
      }
      expect(Object.keys(requests)).toEqual(expectedCalls.map(([name]) => name))
      for (const { 0: name = '', [table.column]: expected = '' } of expectedCalls) {
        clear()
        const answer = expectStatus((await requests[name]?.()) as Answer, name.includes('missing') ? 404 : 200)
        const [count] = reported(answer)
        if (expected === '-') {
          expect(Number(count)).toBeGreaterThan(0)
          await expect.poll(() => calls().each.length).toBeGreaterThanOrEqual(Number(count))
          continue
        }
        const { batches, each } = calls()
        const units = table.unitsOf ? `${each.reduce((sum, one) => sum + (table.unitsOf?.(one) ?? 0), 0)}` : null
        expect(reported(answer), name).toEqual([`${each.length}`, `${each.length}`, units, units])
        expect(batches.toSorted(), name).toEqual(expected.split(', ').toSorted())
      }
    })

    test('are told apart for concurrent requests', async () => {
      await account().deliver({ subject: 'One' })
      const [{ id }] = await messagesOf(account())
      const requests = [() => account().get('/messages', { limit: 1 }), () => account().get(messagePath(id))]
      const alone: unknown[] = []
      for (const request of requests) alone.push(reported(await request()))
      const together = await Promise.all(requests.map((request) => request()))
      expect(together.map(reported)).toEqual(alone)
    })
  })
}
