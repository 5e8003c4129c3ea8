/** The published `nylas` client, unmodified, with calendars, events and contacts of an account at Google. */

import { Nylas, pagesOf } from '@waypost/testing/peers/nylas'
import { NylasApiError } from 'nylas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at } from '../../conformance/accounts.ts'
import { type GoogleAccount, type GoogleAccounts, openGoogleAccounts } from '../google/google-accounts.ts'

/** All items of a list. */
const everyItem = async <T>(list: Parameters<typeof pagesOf<T>>[0]): Promise<T[]> => (await pagesOf(list)).flat()

describe('the nylas client with a Google account', () => {
  let accounts: GoogleAccounts
  let account: GoogleAccount
  let nylas: Nylas
  let identifier: string
  beforeAll(async () => {
    accounts = await openGoogleAccounts()
    account = await accounts.newAccount()
    identifier = account.grantId
    nylas = new Nylas({ apiKey: accounts.key, apiUri: await accounts.service.listen(), timeout: 60 })
  })
  afterAll(() => accounts[Symbol.asyncDispose]())

  const start = at('2026-06-10T09:00')
  const calendarId = 'primary'
  const queryParams = { calendarId }
  const window = { calendarId, start: String(start - 86_400), end: String(start + 30 * 86_400) }

  test('works with calendars', async () => {
    const made = await nylas.calendars.create({
      identifier,
      requestBody: { name: 'Made', description: 'By a client', timezone: 'Europe/Berlin', metadata: { key1: 'one' } },
    })
    expect(made.data).toMatchObject({ name: 'Made', timezone: 'Europe/Berlin', readOnly: false, isOwnedByUser: true })
    const at = { identifier, calendarId: made.data.id }
    const changed = await nylas.calendars.update({ ...at, requestBody: { name: 'Renamed', hexColor: '#1a73e8' } })
    expect(changed.data).toMatchObject({ name: 'Renamed', hexColor: '#1a73e8', metadata: { key1: 'one' } })
    expect((await nylas.calendars.find(at)).data.name).toBe('Renamed')
    const all = await everyItem(nylas.calendars.list({ identifier, queryParams: { limit: 1 } }))
    expect(all.map(({ name }) => name)).toContain('Renamed')
    await nylas.calendars.destroy(at)
    await expect(nylas.calendars.find(at)).rejects.toBeInstanceOf(NylasApiError)
    const busy = await nylas.calendars.getFreeBusy({
      identifier,
      requestBody: { startTime: start, endTime: start + 86_400, emails: [account.email] },
    })
    expect(busy.data).toMatchObject([{ email: account.email, object: 'free_busy', timeSlots: [] }])
  })

  test('works with events', async () => {
    const made = await nylas.events.create({
      identifier,
      queryParams: { ...queryParams, notifyParticipants: false },
      requestBody: {
        title: 'Stand-up',
        when: {
          startTime: start,
          endTime: start + 900,
          startTimezone: 'America/New_York',
          endTimezone: 'America/New_York',
        },
        recurrence: ['RRULE:FREQ=DAILY;COUNT=5'],
        participants: [{ email: 'bob@elsewhere.test', name: 'Bob', status: 'noreply' }],
        conferencing: { provider: 'Google Meet', autocreate: {} },
        metadata: { key1: 'one' },
      },
    })
    expect(made.data).toMatchObject({
      calendarId: account.email,
      recurrence: ['RRULE:FREQ=DAILY;COUNT=5'],
      conferencing: { provider: 'Google Meet', details: { url: expect.stringMatching(/^https:/) } },
      participants: [{ email: 'bob@elsewhere.test', status: 'noreply' }],
    })
    const { id } = made.data
    const instances = await everyItem(nylas.events.list({ identifier, queryParams: { ...window, limit: 2 } }))
    expect(instances.map(({ masterEventId }) => masterEventId)).toEqual(Array(5).fill(id))
    const one = { identifier, eventId: instances[1]?.id ?? '', queryParams }
    await nylas.events.update({ ...one, requestBody: { title: 'Special' } })
    expect((await nylas.events.find(one)).data).toMatchObject({ title: 'Special', masterEventId: id })
    const imported = await everyItem(
      nylas.events.listImportEvents({ identifier, queryParams: { calendarId, start, end: start + 30 * 86_400 } }),
    )
    expect(imported.map((event) => event.title).sort()).toEqual(['Special', 'Stand-up'])
    const tagged = await nylas.events.list({ identifier, queryParams: { calendarId, metadataPair: { key1: 'one' } } })
    expect(tagged.data.map((event) => event.id)).toEqual([id])
    await nylas.events.destroy({ identifier, eventId: id, queryParams })
    expect(await everyItem(nylas.events.list({ identifier, queryParams: window }))).toEqual([])
  })

  test('answers invitations', async () => {
    const { id } = account.google.calendar.receiveInvitation(
      { email: 'boss@elsewhere.test' },
      { summary: 'Invited', start: { dateTime: '2026-06-11T09:00:00Z' }, end: { dateTime: '2026-06-11T10:00:00Z' } },
    )
    await nylas.events.sendRsvp({ identifier, eventId: id, queryParams, requestBody: { status: 'yes' } })
    const { data } = await nylas.events.find({ identifier, eventId: id, queryParams })
    expect(data.participants).toContainEqual(expect.objectContaining({ email: account.email, status: 'yes' }))
  })

  test('works with contacts and their groups', async () => {
    const { resourceName } = account.google.contacts.addGroup('Friends')
    const groups = await nylas.contacts.groups({ identifier })
    const friends = groups.data.find(({ name }) => name === 'Friends')
    expect(friends).toMatchObject({ object: 'contact_group', groupType: 'user', path: resourceName })
    const made = await nylas.contacts.create({
      identifier,
      requestBody: {
        displayName: 'Ada',
        givenName: 'Ada',
        surname: 'Lovelace',
        emails: [{ email: 'ada@mail.test', type: 'work' }],
        phoneNumbers: [{ number: '+1 202 555 0100', type: 'mobile' }],
        physicalAddresses: [
          {
            type: 'home',
            format: 'structured',
            streetAddress: '1 Street',
            city: 'Paris',
            postalCode: '75001',
            state: 'IDF',
            country: 'France',
          },
        ],
        webPages: [{ url: 'https://ada.test', type: 'other' }],
        imAddresses: [{ imAddress: 'ada', type: 'jabber' }],
        groups: [{ id: friends?.id ?? '', object: 'contact_group' }],
      },
    })
    expect(made.data).toMatchObject({
      displayName: expect.stringContaining('Ada'),
      emails: [{ email: 'ada@mail.test', type: 'work' }],
      phoneNumbers: [{ number: '+1 202 555 0100', type: 'mobile' }],
      physicalAddresses: [{ type: 'home', postalCode: '75001' }],
      source: 'address_book',
    })
    const one = { identifier, contactId: made.data.id }
    const changed = await nylas.contacts.update({ ...one, requestBody: { jobTitle: 'Analyst' } })
    expect(changed.data).toMatchObject({ jobTitle: 'Analyst', surname: 'Lovelace' })
    const found = await nylas.contacts.find({ ...one, queryParams: { profilePicture: true } })
    expect(found.data).toEqual(changed.data)
    const listed = await everyItem(
      nylas.contacts.list({ identifier, queryParams: { email: 'ada@mail.test', limit: 1 } }),
    )
    expect(listed).toEqual([changed.data])
    await nylas.contacts.destroy(one)
    await expect(nylas.contacts.find({ ...one, queryParams: {} })).rejects.toMatchObject({ statusCode: 404 })
  })
})
