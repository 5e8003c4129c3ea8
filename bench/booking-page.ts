/** A booking page to measure: one host with a virtual calendar. */
import { gzipSync } from 'node:zlib'
import type { Client } from './client.ts'

const email = 'host@bench.test'

/** Creates the page; returns its path. */
export async function openBookingPage({ call, applicationId }: Client): Promise<string> {
  await call('POST', '/v3/connectors', { provider: 'virtual-calendar' })
  const grant = await call('POST', '/v3/connect/custom', { provider: 'virtual-calendar', settings: { email } })
  const { id } = grant.data
  await call('POST', `/v3/grants/${id}/calendars`, { name: 'Work', timezone: 'UTC' })
  const hours = [{ days: [0, 1, 2, 3, 4, 5, 6], start: '8:00', end: '18:00', timezone: 'UTC' }]
  await call('POST', `/v3/grants/${id}/scheduling/configurations`, {
    name: 'Intro call',
    slug: 'intro',
    participants: [
      {
        ...{ email, name: 'Host', is_organizer: true },
        ...{ availability: { calendar_ids: ['primary'] }, booking: { calendar_id: 'primary' } },
      },
    ],
    availability: { duration_minutes: 30, availability_rules: { default_open_hours: hours } },
    event_booking: { title: 'Intro call', timezone: 'UTC' },
  })
  return `/book/${applicationId}/intro`
}

/** Bytes of a page with its script and style, with gzip. */
export async function firstLoadBytes(base: string, path: string): Promise<number> {
  const text = await (await fetch(`${base}${path}`)).text()
  const files = Array.from(text.matchAll(/(?:src|href)="([^"]+)"/g), ([, file = '']) => file)
  const bodies = await Promise.all(files.map(async (file) => (await fetch(new URL(file, base))).bytes()))
  return [Buffer.from(text), ...bodies].map((body) => gzipSync(body).length).reduce((a, b) => a + b, 0)
}
