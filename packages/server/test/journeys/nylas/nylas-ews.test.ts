/** The published `nylas` client, unmodified, with the mail, the calendars and the contacts of mailboxes at Exchange. */
import { buffer } from 'node:stream/consumers'
import { failureOf, Nylas, pagesOf } from '@waypost/testing/peers/nylas'
import { NylasApiError } from 'nylas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at } from '../../conformance/accounts.ts'
import type { TestService } from '../../harness.ts'
import { type ExchangePeer, exchangePassword, openExchange, openExchangeService } from '../../peers/exchange.ts'

describe('the nylas client and mailboxes at Exchange', () => {
  let exchange: ExchangePeer
  let service: TestService
  let nylas: Nylas
  let identifier: string
  const ada = 'ada@exchange.example'
  const grace = 'grace@exchange.example'
  beforeAll(async () => {
    exchange = await openExchange()
    for (const [email, name] of [
      [ada, 'Ada Lovelace'],
      [grace, 'Grace Hopper'],
    ] as const) {
      exchange.simulator.addAccount({ email, name, password: exchangePassword })
    }
    service = await openExchangeService(exchange.simulator)
    const { key } = await service.createApplication()
    nylas = new Nylas({ apiKey: key, apiUri: await service.listen(), timeout: 60 })
    await nylas.connectors.create({
      requestBody: {
        provider: 'ews',
        name: 'Exchange',
        scope: ['ews.messages', 'ews.calendar', 'ews.contacts'],
      } as never,
    })
    identifier = (await connect(ada)).id
  })
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]()
    await exchange?.[Symbol.asyncDispose]()
  })

  const connect = async (email: string, password = exchangePassword) => {
    const settings = { email, ews_username: email, ews_password: password, watch: false }
    return (await nylas.auth.customAuthentication({ requestBody: { provider: 'ews', settings } })).data
  }
  const list = async (subject: string, of = identifier) =>
    (await nylas.messages.list({ identifier: of, queryParams: { subject } })).data

  test('authenticates them, and finds their grants', async () => {
    const again = await connect(ada)
    expect(again).toMatchObject({
      id: identifier,
      provider: 'ews',
      grantStatus: 'valid',
      email: ada,
      scope: ['ews.messages', 'ews.calendars', 'ews.contacts'],
    })
    expect((await failureOf(connect(ada, 'wrong'))).message).toContain('did not accept the user name')
    const { data: grants } = await nylas.grants.list({ queryParams: { provider: 'ews' } } as never)
    expect(grants.map(({ email }) => email)).toContain(ada)
    const { data: connector } = await nylas.connectors.find({ provider: 'ews' })
    expect(connector).toMatchObject({ provider: 'ews', scope: ['ews.messages', 'ews.calendar', 'ews.contacts'] })
  })

  test('sends, and works with messages, threads, folders and attachments', async () => {
    const content = Buffer.from('figures')
    const file = { filename: 'a.txt', contentType: 'text/plain', content: content.toString('base64'), size: 7 }
    const { data: sent } = await nylas.messages.send({
      identifier,
      requestBody: {
        to: [{ email: grace }, { email: ada }],
        subject: 'Figures',
        body: '<p>Hi</p>',
        attachments: [file],
      },
    })
    expect(sent).toMatchObject({ object: 'message', grantId: identifier, subject: 'Figures' })
    const { id: graces } = await connect(grace)
    await expect.poll(() => list('Figures', graces)).toHaveLength(1)
    const { data: folders } = await nylas.folders.list({ identifier })
    const inboxId = folders.find(({ attributes }) => attributes?.includes('\\Inbox'))?.id ?? ''
    const inbox = { identifier, queryParams: { in: [inboxId], subject: 'Figures' } }
    await expect.poll(async () => (await nylas.messages.list(inbox)).data.length).toBe(1)
    const [message] = (await nylas.messages.list(inbox)).data
    expect(message).toMatchObject({ object: 'message', grantId: identifier, unread: true, from: [{ email: ada }] })
    const messageId = message?.id ?? ''
    const { data: read } = await nylas.messages.update({ identifier, messageId, requestBody: { unread: false } })
    expect(read.unread).toBe(false)
    const found = (await nylas.messages.find({ identifier, messageId })).data.attachments?.[0]
    const place = { identifier, attachmentId: found?.id ?? '', queryParams: { messageId } }
    expect(await buffer(await nylas.attachments.downloadNodeStream(place))).toEqual(content)
    const { data: folder } = await nylas.folders.create({ identifier, requestBody: { name: 'Clients' } })
    const { data: moved } = await nylas.messages.update({
      identifier,
      messageId,
      requestBody: { folders: [folder.id] },
    })
    expect(moved.folders).toEqual([folder.id])
    // The id from before is still valid.
    expect((await nylas.messages.find({ identifier, messageId })).data).toMatchObject({ subject: 'Figures' })
    const threads = (await pagesOf(nylas.threads.list({ identifier, queryParams: { limit: 1 } }))).flat()
    expect(threads.map(({ subject }) => subject)).toContain('Figures')
    await nylas.messages.destroy({ identifier, messageId: moved.id })
    await nylas.folders.destroy({ identifier, folderId: folder.id })
  })

  test('sends from drafts', async () => {
    const to = [{ name: 'Grace', email: grace }]
    const { data: draft } = await nylas.drafts.create({ identifier, requestBody: { to, subject: 'Drafted' } })
    const { data: drafted } = await nylas.drafts.update({
      identifier,
      draftId: draft.id,
      requestBody: { subject: 'Again' },
    })
    expect(drafted.subject).toBe('Again')
    await nylas.drafts.send({ identifier, draftId: drafted.id })
    expect((await nylas.drafts.list({ identifier })).data).toEqual([])
    const { id: graces } = await connect(grace)
    await expect.poll(() => list('Again', graces)).toHaveLength(1)
  })

  test('works with calendars, series and free/busy', async () => {
    const calendars = (await pagesOf(nylas.calendars.list({ identifier, queryParams: { limit: 1 } }))).flat()
    expect(calendars.filter(({ isPrimary }) => isPrimary)).toHaveLength(1)
    const start = at('2026-06-10T09:00')
    const queryParams = { calendarId: 'primary' }
    const { data: series } = await nylas.events.create({
      identifier,
      queryParams,
      requestBody: {
        title: 'Stand-up',
        when: { startTime: start, endTime: start + 900, startTimezone: 'Europe/Berlin', endTimezone: 'Europe/Berlin' },
        recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
      },
    })
    const window = { ...queryParams, start: String(start - 86_400), end: String(start + 30 * 86_400) }
    const days = (await pagesOf(nylas.events.list({ identifier, queryParams: { ...window, limit: 2 } }))).flat()
    expect(days.map(({ title }) => title)).toEqual(Array(3).fill('Stand-up'))
    const second = { identifier, eventId: days[1]?.id ?? '', queryParams }
    const { data: changed } = await nylas.events.update({ ...second, requestBody: { title: 'Longer' } })
    expect(changed).toMatchObject({ title: 'Longer', masterEventId: series.id })
    const { data: busy } = await nylas.calendars.getFreeBusy({
      identifier,
      requestBody: { startTime: start, endTime: start + 3600, emails: [ada] },
    })
    expect(busy).toMatchObject([{ email: ada, timeSlots: [{ startTime: start, endTime: start + 900 }] }])
    await nylas.events.destroy({ identifier, eventId: series.id, queryParams })
    expect((await nylas.events.list({ identifier, queryParams: window })).data).toEqual([])
  })

  test('works with contacts', async () => {
    const { data: made } = await nylas.contacts.create({
      identifier,
      requestBody: { givenName: 'Cy', surname: 'Clark', emails: [{ email: 'cy@people.test', type: 'work' }] },
    })
    expect(made).toMatchObject({ object: 'contact', givenName: 'Cy', source: 'address_book' })
    const contactId = made.id
    await nylas.contacts.update({ identifier, contactId, requestBody: { jobTitle: 'Clerk' } })
    const { data: read } = await nylas.contacts.find({ identifier, contactId, queryParams: {} })
    expect(read).toMatchObject({ jobTitle: 'Clerk', emails: [{ email: 'cy@people.test' }] })
    const byAddress = await nylas.contacts.list({ identifier, queryParams: { email: 'cy@people.test' } })
    expect(byAddress.data.map(({ id }) => id)).toEqual([contactId])
    await nylas.contacts.destroy({ identifier, contactId })
    await expect(nylas.contacts.find({ identifier, contactId, queryParams: {} })).rejects.toBeInstanceOf(NylasApiError)
  })
})
