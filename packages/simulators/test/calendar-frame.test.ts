import { expect, test } from 'vitest'
import { openAccount } from './calendar-clients.ts'

const nine = { start: { dateTime: '2026-01-05T09:00:00Z' }, end: { dateTime: '2026-01-05T10:00:00Z' } }

test('several calls are sent in one batch, each with its own response', async () => {
  await using account = await openAccount()
  const { accessToken } = account.google.grantToken('ada@example.com', ['https://www.googleapis.com/auth/calendar'])
  const { id } = account.ada.calendar.addEvent({ summary: 'A', ...nine })
  const part = (request: string) => `--b\r\nContent-Type: application/http\r\n\r\n${request}\r\n`
  const body = `${part(`GET /calendar/v3/calendars/primary/events/${id} HTTP/1.1\r\n`)}${part('DELETE /calendar/v3/calendars/primary/events/nothere HTTP/1.1\r\n')}--b--`
  const response = await fetch(`${account.google.url}/batch/calendar/v3`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'multipart/mixed; boundary=b' },
    body,
  })
  const text = await response.text()
  expect(text.match(/HTTP\/1\.1 (\d+)/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404'])
  expect(text).toContain('"summary": "A"')
})

test('fields are selected in lists', async () => {
  await using account = await openAccount()
  account.ada.calendar.addEvent({ summary: 'A', ...nine })
  const { data } = await account
    .calendarOf(account.ada)
    .events.list({ calendarId: 'primary', fields: 'items(summary,start/dateTime)' })
  expect(data).toEqual({ items: [{ summary: 'A', start: { dateTime: '2026-01-05T10:00:00+01:00' } }] })
})

test('a readonly scope cannot write', async () => {
  await using account = await openAccount()
  const scope = 'https://www.googleapis.com/auth/calendar.readonly'
  const { accessToken } = account.google.grantToken('ada@example.com', [scope])
  const call = (method: string) =>
    fetch(`${account.google.url}/calendar/v3/calendars/primary/events`, {
      method,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: JSON.stringify(nine) }),
    })
  expect((await call('GET')).status).toBe(200)
  expect((await call('POST')).status).toBe(403)
})
