/** The published `nylas` client, unmodified, with the mail, the calendars and the contacts of an iCloud account. */
import { buffer } from 'node:stream/consumers'
import type { Mailbox } from '@waypost/testing/peers/mail-server'
import { failureOf, Nylas, pagesOf } from '@waypost/testing/peers/nylas'
import { NylasApiError } from 'nylas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at } from '../../conformance/accounts.ts'
import { type OpenDav, openICloud } from '../../conformance/dav-subject.ts'
import { mimeMessage } from '../../conformance/mime-messages.ts'

describe('the nylas client and an iCloud account', () => {
  let icloud: OpenDav
  let nylas: Nylas
  let identifier: string
  let mailbox: Mailbox
  beforeAll(async () => {
    icloud = await openICloud()
    nylas = new Nylas({ apiKey: icloud.key, apiUri: await icloud.service.listen(), timeout: 60 })
    ;({ grantId: identifier, mailbox } = await icloud.newAccount())
  })
  afterAll(() => icloud?.[Symbol.asyncDispose]())

  const deliver = (subject: string, rest: object = {}): Promise<void> =>
    icloud.mail.deliver(mailbox.user, mimeMessage({ subject, ...rest }))

  test('authenticates it, and finds its grant', async () => {
    const { data: again } = await nylas.auth.customAuthentication({
      requestBody: {
        provider: 'icloud',
        settings: { username: mailbox.user, password: mailbox.password, watch: false },
      },
    })
    expect(again).toMatchObject({ id: identifier, provider: 'icloud', grantStatus: 'valid', email: mailbox.user })
    const wrong = nylas.auth.customAuthentication({
      requestBody: { provider: 'icloud', settings: { username: mailbox.user, password: 'usual' } },
    })
    expect((await failureOf(wrong)).message).toContain('app-specific password')
    const { data: connectors } = await nylas.connectors.list({})
    expect(connectors.map(({ provider }) => provider)).toContain('icloud')
    const found = await nylas.auth.detectProvider({ email: 'someone@icloud.com' })
    expect(found.data).toMatchObject({ detected: true, provider: 'icloud' })
  })

  test('works with messages, threads, folders and attachments', async () => {
    await deliver('Hello', { files: [{ name: 'a.txt', type: 'text/plain', content: 'figures' }] })
    const { data } = await nylas.messages.list({ identifier, queryParams: { subject: 'Hello' } })
    const [message] = data
    expect(message).toMatchObject({ object: 'message', grantId: identifier, subject: 'Hello', unread: true })
    const messageId = message?.id ?? ''
    const { data: read } = await nylas.messages.update({ identifier, messageId, requestBody: { unread: false } })
    expect(read.unread).toBe(false)
    const file = (await nylas.messages.find({ identifier, messageId })).data.attachments?.[0]
    const place = { identifier, attachmentId: file?.id ?? '', queryParams: { messageId } }
    expect((await buffer(await nylas.attachments.downloadNodeStream(place))).toString()).toBe('figures')
    const { data: folder } = await nylas.folders.create({ identifier, requestBody: { name: 'Clients' } })
    const threadId = message?.threadId ?? ''
    await nylas.threads.update({ identifier, threadId, requestBody: { folders: [folder.id] } })
    expect((await nylas.threads.find({ identifier, threadId })).data.folders).toEqual([folder.id])
    await nylas.messages.destroy({ identifier, messageId })
    await nylas.folders.destroy({ identifier, folderId: folder.id })
  })

  test('sends, also from drafts', async () => {
    const to = [{ name: 'Bob', email: 'bob@people.test' }]
    const { data: sent } = await nylas.messages.send({ identifier, requestBody: { to, subject: 'Out', body: 'Hi' } })
    expect(sent).toMatchObject({ object: 'message', grantId: identifier, subject: 'Out' })
    const { data: draft } = await nylas.drafts.create({ identifier, requestBody: { to, subject: 'Drafted' } })
    const changed = { identifier, draftId: draft.id, requestBody: { subject: 'Drafted again' } }
    const { data: drafted } = await nylas.drafts.update(changed)
    expect(drafted.subject).toBe('Drafted again')
    await nylas.drafts.send({ identifier, draftId: drafted.id })
    expect((await nylas.drafts.list({ identifier })).data).toEqual([])
    const customHeaders = [{ name: 'List-Unsubscribe', value: '<mailto:off@people.test>' }]
    const refused = nylas.messages.send({ identifier, requestBody: { to, subject: 'No', customHeaders } })
    expect(await failureOf(refused)).toMatchObject({ statusCode: 422, type: 'not_supported_by_provider' })
  })

  test('works with calendars and events, without a primary calendar', async () => {
    const { data: made } = await nylas.calendars.create({ identifier, requestBody: { name: 'Made' } })
    expect(made).toMatchObject({ object: 'calendar', name: 'Made', readOnly: false, isPrimary: false })
    const calendarId = made.id
    await nylas.calendars.update({ identifier, calendarId, requestBody: { name: 'Renamed' } })
    const all = (await pagesOf(nylas.calendars.list({ identifier, queryParams: { limit: 1 } }))).flat()
    expect(all.map(({ name }) => name)).toContain('Renamed')
    const start = at('2026-06-10T09:00')
    const queryParams = { calendarId }
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
    expect(days).toHaveLength(3)
    const second = { identifier, eventId: days[1]?.id ?? '', queryParams }
    const { data: changed } = await nylas.events.update({ ...second, requestBody: { title: 'Longer' } })
    expect(changed).toMatchObject({ title: 'Longer', masterEventId: series.id })
    expect((await nylas.events.find(second)).data.title).toBe('Longer')
    const year = { ...queryParams, start: String(start), end: String(start + 365 * 86_400) }
    expect((await failureOf(nylas.events.list({ identifier, queryParams: year }))).message).toContain(
      'The maximum time range for iCloud event queries is 6 months.',
    )
    const primary = nylas.events.list({ identifier, queryParams: { calendarId: 'primary' } })
    expect(await failureOf(primary)).toMatchObject({ statusCode: 404 })
    const others = { startTime: start, endTime: start + 3600, emails: [mailbox.user] }
    const busy = nylas.calendars.getFreeBusy({ identifier, requestBody: others })
    expect(await failureOf(busy)).toMatchObject({ type: 'not_supported_by_provider' })
    await nylas.events.destroy({ identifier, eventId: series.id, queryParams })
    await nylas.calendars.destroy({ identifier, calendarId })
  })

  test('finds when the account is free', async () => {
    const { data: made } = await nylas.calendars.create({ identifier, requestBody: { name: 'Busy' } })
    const start = at('2026-06-15T09:00')
    await nylas.events.create({
      identifier,
      queryParams: { calendarId: made.id },
      requestBody: { title: 'Taken', when: { startTime: start, endTime: start + 3600 } },
    })
    const { data } = await nylas.calendars.getAvailability({
      requestBody: {
        startTime: start,
        endTime: start + 7200,
        durationMinutes: 60,
        participants: [{ email: mailbox.user, calendarIds: [made.id] }],
      },
    })
    expect(data.timeSlots).toMatchObject([{ startTime: start + 3600, endTime: start + 7200 }])
  })

  test('works with contacts and their groups', async () => {
    const { data: made } = await nylas.contacts.create({
      identifier,
      requestBody: {
        givenName: 'Cy',
        surname: 'Clark',
        emails: [
          { email: 'cy@people.test', type: 'work' },
          { email: 'cy@home.test', type: 'home' },
        ],
      },
    })
    expect(made).toMatchObject({ object: 'contact', givenName: 'Cy', source: 'address_book' })
    const contactId = made.id
    await nylas.contacts.update({ identifier, contactId, requestBody: { jobTitle: 'Clerk' } })
    const { data: read } = await nylas.contacts.find({ identifier, contactId, queryParams: {} })
    expect(read).toMatchObject({ jobTitle: 'Clerk', emails: [{ email: 'cy@people.test' }, { email: 'cy@home.test' }] })
    const byAddress = await nylas.contacts.list({ identifier, queryParams: { email: 'cy@home.test' } })
    expect(byAddress.data.map(({ id }) => id)).toEqual([contactId])
    expect((await nylas.contacts.groups({ identifier })).data).toEqual([])
    await nylas.contacts.destroy({ identifier, contactId })
    await expect(nylas.contacts.find({ identifier, contactId, queryParams: {} })).rejects.toBeInstanceOf(NylasApiError)
  })
})
