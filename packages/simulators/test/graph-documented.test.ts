// The examples of Microsoft's documentation against the simulator: each response has the documented fields, of the
// same types, with null and empty values in the same places; and each documented limit applies.
// https://learn.microsoft.com/graph/api/overview
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GraphAccounts, graphRefusal, mimeMail, openGraph } from './graph-account.ts'

type Json = Record<string, unknown>

/** The kind of a field's value; empty texts and lists are distinct kinds, as in the documentation. */
function shapeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? 'empty list' : 'list'
  return value === '' ? 'empty text' : typeof value
}

/** The fields of an example, by the kind of their value. */
const fields = (shape: string, names: string): Record<string, string> =>
  Object.fromEntries(names.split(/[\s,]+/).map((name) => [name, shape]))

function expectShape(answer: Json, documented: Record<string, string>): void {
  const shown = Object.fromEntries(Object.keys(documented).map((name) => [name, shapeOf(answer[name])]))
  expect(shown).toEqual(documented)
}

let accounts: GraphAccounts
beforeAll(async () => {
  accounts = await openGraph({ filteredDeltaItems: 3 })
})
afterAll(() => accounts?.[Symbol.asyncDispose]())

describe('examples', () => {
  test('a list of calendars: a color that was never set is auto, with an empty hexColor', async () => {
    const [calendar] = (await accounts.graphOf(accounts.ada).api('/me/calendars').get()).value
    expectShape(calendar, {
      ...fields('string', 'id name color changeKey defaultOnlineMeetingProvider'),
      ...fields('boolean', 'canShare canViewPrivateItems canEdit isTallyingResponses isRemovable'),
      ...fields('list', 'allowedOnlineMeetingProviders'),
      ...fields('empty text', 'hexColor'),
      owner: 'object',
    })
    expect(calendar.color).toBe('auto')
  })

  test('a contact: unknown values are null, and lists without a value are empty', async () => {
    const { ada } = accounts
    const { id } = ada.contacts.addContact({
      givenName: 'Alex',
      surname: 'Wilber',
      displayName: 'Alex Wilber',
      emailAddresses: [{ name: 'Alex', address: 'alex@fineartschool.example' }],
    })
    const contact = await accounts.graphOf(ada).api(`/me/contacts/${id}`).get()
    expectShape(contact, {
      ...fields('string', 'id createdDateTime lastModifiedDateTime changeKey parentFolderId displayName'),
      ...fields('string', 'givenName surname'),
      ...fields('empty list', 'categories imAddresses homePhones businessPhones children'),
      ...fields('null', 'birthday initials middleName nickName title yomiGivenName yomiSurname yomiCompanyName'),
      ...fields('null', 'generation jobTitle companyName department officeLocation profession businessHomePage'),
      ...fields('null', 'assistantName manager mobilePhone spouseName'),
      ...fields('object', 'homeAddress businessAddress otherAddress'),
      emailAddresses: 'list',
      personalNotes: 'empty text',
    })
  })

  test('a list of messages with $select has only those fields and the id', async () => {
    const { ada } = accounts
    ada.mail.deliver(mimeMail({ Subject: 'You have late tasks!' }))
    const [message] = (await accounts.graphOf(ada).api('/me/messages?$select=sender,subject').get()).value
    expect(Object.keys(message).sort()).toEqual(['@odata.etag', 'id', 'sender', 'subject'])
    expect(message.sender).toEqual({ emailAddress: { name: 'Carol', address: 'carol@example.net' } })
  })

  test('a list of folders has ten of them and a link to the others', async () => {
    const { ada } = accounts
    for (const name of ['Archive 2', 'Projects', 'Travel']) {
      await accounts.graphOf(ada).api('/me/mailFolders').post({ displayName: name })
    }
    const answer = await accounts.graphOf(ada).api('/me/mailFolders').get()
    expect(answer.value).toHaveLength(10)
    expect(answer['@odata.nextLink']).toContain('/mailFolders?')
    for (const folder of answer.value) {
      expectShape(folder, {
        ...fields('string', 'id displayName parentFolderId'),
        ...fields('number', 'childFolderCount unreadItemCount totalItemCount'),
        isHidden: 'boolean',
      })
    }
  })

  test('an event: a guest who has not answered has the zero time', async () => {
    const { ada, grace } = accounts
    const { id } = ada.calendar.addEvent({
      subject: 'Touchpoint',
      start: { dateTime: '2026-06-02T12:00:00', timeZone: 'Pacific Standard Time' },
      end: { dateTime: '2026-06-02T14:00:00', timeZone: 'Pacific Standard Time' },
      location: { displayName: 'Conf Room Rainier' },
      attendees: [{ type: 'required', emailAddress: { address: grace.email } }],
    })
    const select = 'subject,body,bodyPreview,organizer,attendees,start,end,location,hideAttendees'
    const event = await accounts
      .graphOf(ada)
      .api(`/me/events/${id}?$select=${select}`)
      .header('Prefer', 'outlook.timezone="Pacific Standard Time"')
      .get()
    expectShape(event, {
      ...fields('string', 'id subject'),
      ...fields('object', 'body organizer start end location'),
      attendees: 'list',
      hideAttendees: 'boolean',
    })
    expect(event.start).toEqual({ dateTime: '2026-06-02T12:00:00.0000000', timeZone: 'Pacific Standard Time' })
    expect(event.attendees[0].status).toEqual({ response: 'none', time: '0001-01-01T00:00:00Z' })
    expect(event).not.toHaveProperty('createdDateTime')
  })

  test('schedules: each has its view, its items and its working hours', async () => {
    const { ada } = accounts
    const day = (hours: number) => ({ dateTime: `2026-06-02T${hours}:00:00`, timeZone: 'Pacific Standard Time' })
    const { value } = await accounts
      .graphOf(ada)
      .api('/me/calendar/getSchedule')
      .header('Prefer', 'outlook.timezone="Pacific Standard Time"')
      .post({
        schedules: [ada.email, 'nobody@contoso.example'],
        startTime: day(10),
        endTime: day(18),
        availabilityViewInterval: 60,
      })
    expectShape(value[0], {
      scheduleId: 'string',
      availabilityView: 'string',
      scheduleItems: 'list',
      workingHours: 'object',
    })
    expect(value[0].availabilityView).toBe('00220000')
    expect(value[0].scheduleItems[0]).toMatchObject({ status: 'busy', start: { timeZone: 'Pacific Standard Time' } })
    expectShape(value[1], { scheduleId: 'string', error: 'object' })
  })
})

describe('limits', () => {
  test('a calendar view does not return the dates of an event with $select', async () => {
    const { ada } = accounts
    const view = '/me/calendarView?startDateTime=2026-06-01T00:00:00Z&endDateTime=2026-06-30T00:00:00Z'
    const graph = accounts.graphOf(ada)
    const [selected] = (await graph.api(`${view}&$select=subject,createdDateTime,lastModifiedDateTime`).get()).value
    expect(selected).toMatchObject({
      createdDateTime: '0001-01-01T00:00:00Z',
      lastModifiedDateTime: '0001-01-01T00:00:00Z',
    })
    const [whole] = (await graph.api(view).get()).value
    expect(whole.createdDateTime).toMatch(/^20\d\d-/)
  })

  test('schedules cover less than 62 days, and are not available to personal accounts', async () => {
    const body = (days: number) => ({
      schedules: [accounts.ada.email],
      startTime: { dateTime: '2026-06-01T00:00:00', timeZone: 'UTC' },
      endTime: { dateTime: new Date(Date.UTC(2026, 5, 1 + days)).toISOString().slice(0, 19), timeZone: 'UTC' },
    })
    const ask = (account: GraphAccounts['ada'], days: number) =>
      accounts.graphOf(account).api('/me/calendar/getSchedule').post(body(days))
    expect((await ask(accounts.ada, 61)).value).toHaveLength(1)
    expect(await graphRefusal(ask(accounts.ada, 62))).toMatchObject({ status: 400, code: 'ErrorTimeIntervalTooBig' })
    expect(await graphRefusal(ask(accounts.home, 1))).toMatchObject({ status: 403 })
  })

  test('a filtered delta returns a limited number of messages, the newest ones if they are ordered', async () => {
    const { grace } = accounts
    for (let day = 1; day <= 5; day += 1) {
      grace.mail.deliver(mimeMail({ Subject: `day ${day}` }), { at: Date.UTC(2026, 0, day), folder: 'archive' })
    }
    const subjects = async (order: string): Promise<string[]> => {
      const filter = '$filter=receivedDateTime ge 2026-01-01T00:00:00Z&$select=subject'
      const path = `/me/mailFolders/archive/messages/delta?${filter}${order}`
      return (await accounts.graphOf(grace).api(path).get()).value.map(({ subject }: { subject: string }) => subject)
    }
    expect(await subjects('&$orderby=receivedDateTime desc')).toEqual(['day 5', 'day 4', 'day 3'])
    expect(await subjects('')).not.toContain('day 5')
    expect(await graphRefusal(subjects('&$orderby=receivedDateTime asc'))).toMatchObject({ status: 400 })
  })

  test('pictures of contacts cannot be deleted, or written in personal mailboxes', async () => {
    const { microsoft, ada, home } = accounts
    const value = (id: string) => `${microsoft.url}/v1.0/me/contacts/${id}/photo/$value`
    const photo = { contentType: 'image/jpeg', bytes: Buffer.from('a picture') }
    const seen = ada.contacts.addContact({ displayName: 'Seen' })
    ada.contacts.setPhoto(seen.id, photo)
    const removal = await fetch(value(seen.id), { method: 'DELETE', headers: accounts.headersOf(ada) })
    expect(removal.status).toBe(405)
    const own = home.contacts.addContact({ displayName: 'Own' })
    const headers = { ...accounts.headersOf(home), 'content-type': photo.contentType }
    const written = await fetch(value(own.id), { method: 'PUT', headers, body: photo.bytes })
    expect(written.status).toBe(403)
  })

  test('a page has at most 1000 messages, and properties of $orderby come first in $filter', async () => {
    const graph = accounts.graphOf(accounts.ada)
    expect(await graphRefusal(graph.api('/me/messages?$top=1001').get())).toMatchObject({ status: 400 })
    const wrong = '$filter=isRead eq false and receivedDateTime ge 2026-01-01T00:00:00Z&$orderby=receivedDateTime desc'
    expect(await graphRefusal(graph.api(`/me/messages?${wrong}`).get())).toMatchObject({ code: 'InefficientFilter' })
    const right = '$filter=receivedDateTime ge 2026-01-01T00:00:00Z and isRead eq false&$orderby=receivedDateTime desc'
    expect((await graph.api(`/me/messages?${right}`).get()).value).toHaveLength(1)
  })
})
