import { expect, test } from 'vitest'
import { graphRefusal, openGraph } from './graph-account.ts'
import { berlin, eventsOf, instancesOf, person, STANDUP, utc } from './graph-calendar.ts'

const TALK = { subject: 'Talk', start: utc('2026-03-30T10:00:00'), end: utc('2026-03-30T11:00:00') }

async function openMeeting(more: object = {}) {
  const accounts = await openGraph()
  const { ada, grace } = accounts
  const [hers, graces] = [accounts.graphOf(ada), accounts.graphOf(grace)]
  const attendees = [person(grace.email), person('bob@elsewhere.example', 'optional')]
  const meeting = await hers.api('/me/events').post({ ...TALK, attendees, ...more })
  const [copy] = await eventsOf(graces, '/me/events')
  if (copy === undefined) throw new Error('no copy')
  return {
    accounts,
    ada,
    grace,
    hers,
    graces,
    meeting,
    copy,
    [Symbol.asyncDispose]: () => accounts[Symbol.asyncDispose](),
  }
}

test('an attendee of the organization has a copy with its own id', async () => {
  await using held = await openMeeting()
  const { ada, grace, meeting, copy } = held
  expect(copy.id).not.toBe(meeting.id)
  expect(copy).toMatchObject({
    iCalUId: meeting.iCalUId,
    subject: 'Talk',
    isOrganizer: false,
    organizer: { emailAddress: { address: ada.email, name: 'Ada Lovelace' } },
    responseStatus: { response: 'notResponded' },
    showAs: 'tentative',
  })
  expect(meeting.attendees).toMatchObject([
    { ...person(grace.email), status: { response: 'none', time: '0001-01-01T00:00:00Z' } },
    { ...person('bob@elsewhere.example', 'optional') },
  ])
  expect(ada.calendar.mails.map(({ kind, to }) => [kind, to])).toEqual([
    ['request', grace.email],
    ['request', 'bob@elsewhere.example'],
  ])
})

test('an answer reaches the organizer only if it is sent', async () => {
  await using held = await openMeeting()
  const { grace, hers, graces, meeting, copy } = held
  await graces.api(`/me/events/${copy.id}/tentativelyAccept`).post({ sendResponse: false })
  expect(await graces.api(`/me/events/${copy.id}`).get()).toMatchObject({
    responseStatus: { response: 'tentativelyAccepted' },
  })
  expect((await hers.api(`/me/events/${meeting.id}`).get()).attendees[0].status.response).toBe('none')
  await graces.api(`/me/events/${copy.id}/accept`).post({ comment: 'Gladly' })
  expect(await graces.api(`/me/events/${copy.id}`).get()).toMatchObject({
    responseStatus: { response: 'accepted', time: expect.stringMatching(/Z$/) },
    showAs: 'busy',
  })
  expect((await hers.api(`/me/events/${meeting.id}`).get()).attendees[0].status.response).toBe('accepted')
  expect(grace.calendar.mails).toMatchObject([{ kind: 'reply', response: 'accepted', comment: 'Gladly' }])
})

test('an attendee who declines loses the copy, and can propose another time', async () => {
  await using held = await openMeeting()
  const { hers, graces, meeting, copy } = held
  const slot = { start: utc('2026-03-31T10:00'), end: utc('2026-03-31T11:00') }
  const decline = (body: object) => graces.api(`/me/events/${copy.id}/decline`).post(body)
  expect(await graphRefusal(decline({ proposedNewTime: slot, sendResponse: false }))).toEqual({
    status: 400,
    code: 'ErrorInvalidParameter',
  })
  await decline({ proposedNewTime: slot })
  expect(await eventsOf(graces, '/me/events')).toEqual([])
  expect((await hers.api(`/me/events/${meeting.id}`).get()).attendees[0]).toMatchObject({
    status: { response: 'declined' },
    proposedNewTime: { start: { dateTime: '2026-03-31T10:00:00.0000000' } },
  })
})

test('the organizer cannot answer, and an attendee cannot cancel', async () => {
  await using held = await openMeeting({ responseRequested: false, allowNewTimeProposals: false })
  const { hers, graces, meeting, copy } = held
  expect(await graphRefusal(hers.api(`/me/events/${meeting.id}/accept`).post({}))).toEqual({
    status: 400,
    code: 'ErrorInvalidRequest',
  })
  expect(await graphRefusal(graces.api(`/me/events/${copy.id}/cancel`).post({}))).toEqual({
    status: 400,
    code: 'ErrorAccessDenied',
  })
  expect(await graphRefusal(graces.api(`/me/events/${copy.id}/accept`).post({}))).toMatchObject({ status: 400 })
  await graces.api(`/me/events/${copy.id}/accept`).post({ sendResponse: false })
})

test('a meeting at another time requests new answers', async () => {
  await using held = await openMeeting()
  const { ada, grace, hers, graces, meeting, copy } = held
  await graces.api(`/me/events/${copy.id}/accept`).post({})
  await hers.api(`/me/events/${meeting.id}`).patch({ subject: 'Long talk' })
  expect(await graces.api(`/me/events/${copy.id}`).get()).toMatchObject({
    subject: 'Long talk',
    responseStatus: { response: 'accepted' },
  })
  const changed = await hers.api(`/me/events/${meeting.id}`).patch({ end: utc('2026-03-30T12:00:00') })
  expect(changed.attendees[0].status.response).toBe('none')
  expect(await graces.api(`/me/events/${copy.id}`).get()).toMatchObject({
    end: utc('2026-03-30T12:00:00.0000000'),
    responseStatus: { response: 'notResponded' },
    showAs: 'tentative',
  })
  expect(ada.calendar.mails.filter(({ kind, to }) => kind === 'update' && to === grace.email)).toHaveLength(2)
})

test('a list of attendees replaces the previous one', async () => {
  await using held = await openMeeting()
  const { ada, hers, graces, meeting, copy } = held
  const before = ada.calendar.mails.length
  const attendees = [person('bob@elsewhere.example')]
  expect((await hers.api(`/me/events/${meeting.id}`).patch({ attendees })).attendees).toHaveLength(1)
  expect(await graces.api(`/me/events/${copy.id}`).get()).toMatchObject({
    isCancelled: true,
    subject: 'Canceled: Talk',
    showAs: 'free',
  })
  expect(ada.calendar.mails.slice(before)).toMatchObject([{ kind: 'cancel', to: held.grace.email }])
})

test('a cancelled meeting is deleted for the organizer and marked as cancelled for others', async () => {
  await using held = await openMeeting()
  const { ada, hers, graces, meeting, copy } = held
  await hers.api(`/me/events/${meeting.id}/cancel`).post({ comment: 'Ill' })
  expect(await graphRefusal(hers.api(`/me/events/${meeting.id}`).get())).toMatchObject({ status: 404 })
  expect(await graces.api(`/me/events/${copy.id}`).get()).toMatchObject({ isCancelled: true })
  expect(ada.calendar.mails.at(-1)).toMatchObject({ kind: 'cancel', comment: 'Ill' })
  expect(await graphRefusal(graces.api(`/me/events/${copy.id}/accept`).post({}))).toMatchObject({ status: 400 })
  await graces.api(`/me/events/${copy.id}`).delete()
  expect(await eventsOf(graces, '/me/events')).toEqual([])
})

test('hidden attendees see only themselves', async () => {
  await using held = await openMeeting({ hideAttendees: true })
  expect(held.meeting.attendees).toHaveLength(2)
  expect(held.copy).toMatchObject({ hideAttendees: true, attendees: [person(held.grace.email)] })
})

test('one occurrence of a series is answered, moved and cancelled separately', async () => {
  await using held = await openMeeting(STANDUP)
  const { hers, graces, meeting, copy } = held
  expect(copy).toMatchObject({ type: 'seriesMaster' })
  const [first, second, third] = await instancesOf(graces, copy.id)
  await graces.api(`/me/events/${first?.id}/accept`).post({})
  await graces.api(`/me/events/${second?.id}/decline`).post({})
  const hersOnes = await instancesOf(hers, meeting.id)
  expect(hersOnes).toMatchObject([
    { type: 'exception', attendees: [{ status: { response: 'accepted' } }, {}] },
    { type: 'exception', attendees: [{ status: { response: 'declined' } }, {}] },
    { type: 'occurrence', attendees: [{ status: { response: 'none' } }, {}] },
    { type: 'occurrence' },
  ])
  const moved = { start: berlin('2026-03-29T17:00:00'), end: berlin('2026-03-29T17:15:00') }
  await hers.api(`/me/events/${hersOnes[2]?.id}`).patch(moved)
  expect(await graces.api(`/me/events/${third?.id}`).get()).toMatchObject({
    type: 'exception',
    start: utc('2026-03-29T15:00:00.0000000'),
  })
  await hers.api(`/me/events/${hersOnes[3]?.id}/cancel`).post({})
  const hisOnes = await instancesOf(graces, copy.id)
  expect(hisOnes.map(({ isCancelled }) => isCancelled)).toEqual([false, false, true])
})

test('forwarding a meeting invites the recipient', async () => {
  await using held = await openMeeting()
  const { accounts, ada, hers, graces, meeting, copy } = held
  const eve = accounts.microsoft.addAccount({ email: 'eve@contoso.example' })
  await graces.api(`/me/events/${copy.id}/forward`).post({ ToRecipients: [person(eve.email)], Comment: 'You too' })
  expect(await eventsOf(accounts.graphOf(eve), '/me/events')).toMatchObject([{ subject: 'Talk', isOrganizer: false }])
  expect((await hers.api(`/me/events/${meeting.id}`).get()).attendees).toHaveLength(3)
  expect(ada.calendar.mails.every(({ kind }) => kind === 'request')).toBe(true)
  expect(await graphRefusal(graces.api(`/me/events/${copy.id}/forward`).post({}))).toEqual({
    status: 400,
    code: 'ErrorInvalidRecipients',
  })
})

test('an invitation from elsewhere is answered by mail', async () => {
  await using accounts = await openGraph()
  const { ada } = accounts
  const { id } = ada.calendar.receiveInvitation({ name: 'Bob', address: 'bob@elsewhere.example' }, TALK)
  const graph = accounts.graphOf(ada)
  expect(await graph.api(`/me/events/${id}`).get()).toMatchObject({
    isOrganizer: false,
    organizer: { emailAddress: { address: 'bob@elsewhere.example' } },
    attendees: [person(ada.email)],
  })
  await graph.api(`/me/events/${id}/accept`).post({})
  expect(ada.calendar.mails).toMatchObject([{ kind: 'reply', to: 'bob@elsewhere.example', response: 'accepted' }])
})

test('reminders are dismissed and snoozed', async () => {
  await using accounts = await openGraph()
  const graph = accounts.graphOf(accounts.ada)
  const { id } = accounts.ada.calendar.addEvent(TALK)
  await graph.api(`/me/events/${id}/dismissReminder`).post({})
  expect(await graph.api(`/me/events/${id}`).get()).toMatchObject({ isReminderOn: false })
  await graph.api(`/me/events/${id}/snoozeReminder`).post({ newReminderTime: utc('2026-03-30T09:55:00') })
  expect(await graph.api(`/me/events/${id}`).get()).toMatchObject({ isReminderOn: true, reminderMinutesBeforeStart: 5 })
})

test('meetings and answers are mailed as iTIP', async () => {
  await using held = await openMeeting({ ...STANDUP, subject: 'Zürich, täglich' })
  const { ada, grace, graces, copy } = held
  const [first] = await instancesOf(graces, copy.id)
  await graces.api(`/me/events/${first?.id}/accept`).post({ comment: 'Gladly' })
  const calendarOf = (mail: string) => {
    const [, encoded = ''] = /text\/calendar[\s\S]*?\r\n\r\n([\s\S]*?)\r\n\r\n/.exec(mail) ?? []
    return Buffer.from(encoded, 'base64').toString().replaceAll('\r\n ', '')
  }
  const [request] = grace.mail.list()
  const raw = Buffer.from(grace.mail.read(request?.id ?? '').raw).toString()
  expect(raw).toMatch(/text\/calendar; method=REQUEST/)
  expect(request).toMatchObject({ subject: 'Zürich, täglich', folder: 'inbox' })
  const invitation = calendarOf(raw)
  expect(invitation).toContain('SUMMARY:Zürich\\, täglich\r\n')
  expect(invitation).toContain('DTSTART;TZID=W. Europe Standard Time:20260327T100000\r\n')
  expect(invitation).toContain('RRULE:FREQ=DAILY;INTERVAL=1;COUNT=4;WKST=SU\r\n')
  expect(invitation).toContain(
    'BEGIN:DAYLIGHT\r\nDTSTART:20260329T020000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\n',
  )
  const reply = ada.mail.list().find(({ folder }) => folder === 'inbox')
  expect(reply?.subject).toBe('Accepted: Zürich, täglich')
  const answer = calendarOf(Buffer.from(ada.mail.read(reply?.id ?? '').raw).toString())
  expect(answer).toMatch(/METHOD:REPLY[\s\S]*PARTSTAT=ACCEPTED;CN="Grace Hopper":mailto:grace@contoso\.example/)
  expect(answer).toContain('RECURRENCE-ID;TZID=W. Europe Standard Time:20260327T100000\r\n')
  expect(answer).toContain('COMMENT:Gladly')
  expect(ada.mail.list().filter(({ folder }) => folder === 'sentitems')).toHaveLength(1)
})
