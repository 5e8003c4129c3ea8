import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { openAccount, refusalOf } from './calendar-clients.ts'

const primary = { calendarId: 'primary' }
const nine = { start: { dateTime: '2026-01-05T09:00:00Z' }, end: { dateTime: '2026-01-05T10:00:00Z' } }

test('a sync token returns changes since, and nothing twice', async () => {
  await using account = await openAccount()
  const { events } = account.calendarOf(account.ada)
  const retained = account.ada.calendar.addEvent({ summary: 'Kept', ...nine })
  const deleted = account.ada.calendar.addEvent({ summary: 'Deleted', ...nine })
  const { data: full } = await events.list(primary)
  account.ada.calendar.addEvent({ summary: 'New', ...nine })
  account.ada.calendar.deleteEvent(deleted.id)
  const { data: changes } = await events.list({ ...primary, syncToken: full.nextSyncToken ?? '' })
  expect(changes.items).toHaveLength(2)
  expect(changes.items?.find(({ status }) => status === 'cancelled')).toEqual({
    kind: 'calendar#event',
    etag: expect.any(String),
    id: deleted.id,
    status: 'cancelled',
  })
  const { data: none } = await events.list({ ...primary, syncToken: changes.nextSyncToken ?? '' })
  expect(none.items).toEqual([])
  account.ada.calendar.changeEvent(retained.id, { summary: 'Changed' })
  const { data: again } = await events.list({ ...primary, syncToken: none.nextSyncToken ?? '' })
  expect(again.items?.map(({ summary }) => summary)).toEqual(['Changed'])
})

test('a change between two pages is in the next sync', async () => {
  await using account = await openAccount()
  const { events } = account.calendarOf(account.ada)
  const first = account.ada.calendar.addEvent({ summary: 'A', ...nine })
  account.ada.calendar.addEvent({ summary: 'B', ...nine })
  const page = await events.list({ ...primary, maxResults: 1 })
  account.ada.calendar.changeEvent(first.id, { summary: 'A2' })
  const last = await events.list({ ...primary, maxResults: 1, pageToken: page.data.nextPageToken ?? '' })
  expect(last.data.items?.map(({ summary }) => summary)).toEqual(['B'])
  const { data } = await events.list({ ...primary, syncToken: last.data.nextSyncToken ?? '' })
  expect(data.items?.map(({ summary }) => summary)).toEqual(['A2'])
})

test('changes are paged too', async () => {
  await using account = await openAccount()
  const { events } = account.calendarOf(account.ada)
  const { data: full } = await events.list(primary)
  for (const summary of ['A', 'B', 'C']) account.ada.calendar.addEvent({ summary, ...nine })
  const syncToken = full.nextSyncToken ?? ''
  const one = await events.list({ ...primary, syncToken, maxResults: 2 })
  expect(one.data.items).toHaveLength(2)
  const two = await events.list({ ...primary, syncToken, maxResults: 2, pageToken: one.data.nextPageToken ?? '' })
  expect(two.data.items?.map(({ summary }) => summary)).toEqual(['C'])
  expect(two.data.nextSyncToken).toBeDefined()
})

test('a token of a window returns events that left it', async () => {
  await using account = await openAccount()
  const { events } = account.calendarOf(account.ada)
  const { id } = account.ada.calendar.addEvent({ summary: 'Moves', ...nine })
  const window = { timeMin: '2026-01-01T00:00:00Z', timeMax: '2026-02-01T00:00:00Z' }
  const { data: full } = await events.list({ ...primary, ...window })
  const march = { start: { dateTime: '2026-03-05T09:00:00Z' }, end: { dateTime: '2026-03-05T10:00:00Z' } }
  account.ada.calendar.changeEvent(id, march)
  account.ada.calendar.addEvent({ summary: 'Never inside', ...march })
  const { data } = await events.list({ ...primary, syncToken: full.nextSyncToken ?? '' })
  expect(data.items?.map(({ summary }) => summary)).toEqual(['Moves'])
})

test('sync tokens expire, and cannot be combined with other restrictions', async () => {
  await using account = await openAccount()
  const { events, calendarList } = account.calendarOf(account.ada)
  const { data } = await events.list(primary)
  const { data: calendars } = await calendarList.list()
  const syncToken = data.nextSyncToken ?? ''
  for (const more of [
    { timeMin: '2026-01-01T00:00:00Z' },
    { q: 'x' },
    { orderBy: 'updated' },
    { showDeleted: false },
  ]) {
    const refusal = await refusalOf(events.list({ ...primary, syncToken, ...more }))
    expect(refusal).toEqual({ status: 400, reason: 'syncTokenWithRequestRestrictions' })
  }
  expect((await events.list({ ...primary, orderBy: 'updated' })).data.nextSyncToken).toBeUndefined()
  expect(await refusalOf(events.list({ ...primary, syncToken: `1${syncToken}` }))).toMatchObject({ status: 410 })
  account.ada.calendar.expireSyncTokens()
  expect(await refusalOf(events.list({ ...primary, syncToken }))).toEqual({ status: 410, reason: 'fullSyncRequired' })
  expect(await refusalOf(calendarList.list({ syncToken: calendars.nextSyncToken ?? '' }))).toMatchObject({
    status: 410,
  })
  const old = { ...primary, updatedMin: '2020-01-01T00:00:00Z' }
  expect(await refusalOf(events.list(old))).toEqual({ status: 410, reason: 'updatedMinTooLongAgo' })
})

test('a channel gets a post when it opens and at every change until it is stopped', async () => {
  const received: IncomingHttpHeaders[] = []
  const hook = createServer((request, response) => {
    received.push(request.headers)
    response.end()
  })
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
  await using account = await openAccount()
  const { events, calendarList, channels } = account.calendarOf(account.ada)
  const address = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hook`
  try {
    const requestBody = { id: 'c1', type: 'web_hook', address, token: 'secret' }
    const { data } = await events.watch({ ...primary, requestBody })
    expect(data).toMatchObject({ kind: 'api#channel', id: 'c1', token: 'secret' })
    expect(await refusalOf(events.watch({ ...primary, requestBody }))).toMatchObject({ reason: 'channelIdNotUnique' })
    await calendarList.watch({ requestBody: { ...requestBody, id: 'c2' } })
    await account.google.settled()
    expect(received.map((headers) => headers['x-goog-resource-state'])).toEqual(['sync', 'sync'])
    account.ada.calendar.addEvent({ summary: 'A', ...nine })
    await account.google.settled()
    expect(received).toHaveLength(3)
    expect(received[2]).toMatchObject({
      'x-goog-channel-id': 'c1',
      'x-goog-channel-token': 'secret',
      'x-goog-resource-id': data.resourceId,
      'x-goog-resource-state': 'exists',
      'x-goog-message-number': '2',
    })
    account.ada.calendar.addCalendar({ summary: 'Work' })
    await account.google.settled()
    expect(received[3]?.['x-goog-channel-id']).toBe('c2')
    await channels.stop({ requestBody: { id: 'c1', resourceId: data.resourceId } })
    account.ada.calendar.addEvent({ summary: 'B', ...nine })
    await account.google.settled()
    expect(received).toHaveLength(4)
    const gone = channels.stop({ requestBody: { id: 'c1', resourceId: data.resourceId } })
    expect(await refusalOf(gone)).toMatchObject({ status: 404 })
  } finally {
    hook.close()
  }
})
