/** Recurrence that tries to keep a node busy: in mail, in zones, in rules of the API, in free/busy and availability. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MailServer } from '@waypost/testing/peers/mail-server'
import { startHostile } from './dav.ts'
import { type Lag, type Measured, startMeasured } from './measure.ts'

const numbers = (count: number): string => Array.from({ length: count }, (_, index) => index).join()
const rules = {
  'a position that no month has': 'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=366;COUNT=10000',
  'every minute, the last of a day': `FREQ=DAILY;BYHOUR=${numbers(24)};BYMINUTE=${numbers(41)};BYSETPOS=-1`,
  'a day that does not exist': 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
  'the same with a count': 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=10000',
}

const zone = (rule: string, observances: number, tzid = 'Their/Zone'): string[] => [
  'BEGIN:VTIMEZONE',
  `TZID:${tzid}`,
  ...Array.from({ length: observances }, (_, index) => [
    'BEGIN:STANDARD',
    `DTSTART:${1970 + (index % 50)}0101T000000`,
    `TZOFFSETFROM:+0${index % 9}00`,
    `TZOFFSETTO:+0${(index + 1) % 9}00`,
    `RRULE:${rule}`,
    'END:STANDARD',
  ]).flat(),
  'END:VTIMEZONE',
]

const calendar = (zones: readonly string[], lines: readonly string[], head: readonly string[] = []): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...head,
    ...zones,
    ...['BEGIN:VEVENT', 'UID:series@example.com', 'DTSTAMP:20260101T000000Z', 'SUMMARY:Series', ...lines],
    ...['END:VEVENT', 'END:VCALENDAR', ''],
  ].join('\r\n')

const inZone = ['DTSTART;TZID=Their/Zone:20260610T100000', 'DTEND;TZID=Their/Zone:20260610T110000']
const resource = (index: number, text: string): string =>
  `<D:response><D:href>/home/cal/${index}.ics</D:href><D:propstat><D:prop><D:getetag>"${index}"</D:getetag><C:calendar-data>${text}</C:calendar-data></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>`

const invitation = (to: string, text: string): string =>
  [
    'From: Ann <ann@stranger.example>',
    `To: ${to}`,
    'Subject: Invitation',
    `Message-ID: <${Math.random()}@stranger.example>`,
    'MIME-Version: 1.0',
    'Content-Type: text/calendar; method=REQUEST; charset=utf-8',
    '',
    text,
  ].join('\r\n')

const june = { start: Date.UTC(2026, 5, 1) / 1000, end: Date.UTC(2026, 6, 1) / 1000 }

/** Receives notifications and answers challenges. */
async function startListener(): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((request, response) => {
    response.end(new URL(request.url ?? '/', 'http://listener').searchParams.get('challenge') ?? 'ok')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function storedCases(node: Measured, server: MailServer): Promise<Record<string, Lag>> {
  await using hostile = await startHostile()
  await using listener = await startListener()
  const box = await server.addUser()
  const settings = {
    imap_username: box.user,
    imap_password: box.password,
    imap_host: '127.0.0.1',
    imap_port: server.imapsPort,
    caldav_url: hostile.url,
    watch: true,
  }
  const grant = (await node.call('POST', '/v3/connect/custom', { provider: 'imap', settings })).data.id
  const webhook = { trigger_types: ['message.created', 'event.created'], webhook_url: listener.url }
  await node.call('POST', '/v3/webhooks', webhook)
  await sleep(3_000)
  const figures: Record<string, Lag> = {}
  const list = () =>
    node
      .call('GET', `/v3/grants/${grant}/events?calendar_id=cal&limit=50&start=${june.start}&end=${june.end}`)
      .catch((error: Error) => error)
  for (const [name, rule] of Object.entries(rules)) {
    for (const observances of [1, 200]) {
      const people = ['ORGANIZER:mailto:ann@stranger.example', `ATTENDEE:mailto:${box.user}`]
      const text = calendar(zone(rule, observances), [...inZone, ...people])
      hostile.set({ events: resource(1, text) })
      figures[`series: a zone of ${observances}: ${name}`] = await node.measure(list)
      const lines = [...inZone, `RRULE:${rule}`, 'SEQUENCE:1', ...people]
      const sent = calendar(zone(rule, observances), lines, ['METHOD:REQUEST'])
      figures[`series: a mail with a zone of ${observances}: ${name}`] = await node.measure(async () => {
        await server.deliver(box.user, invitation(box.user, sent))
        await sleep(4_000)
      })
    }
    hostile.set({
      events: Array.from({ length: 100 }, (_, at) => resource(at, calendar([], [...inZone, `RRULE:${rule}`]))).join(''),
    })
    figures[`series: 100 events: ${name}`] = await node.measure(list)
  }
  const dense = `RRULE:FREQ=DAILY;BYHOUR=${numbers(24)}`
  const guests = Array.from({ length: 100 }, (_, at) => `ATTENDEE:mailto:p${at}@example.com`)
  hostile.set({
    events: Array.from({ length: 8 }, (_, at) => resource(at, calendar([], [...inZone, dense, ...guests]))).join(''),
  })
  const email = box.user
  figures['series: free/busy of a CalDAV account, 8 series every hour'] = await node.measure(() =>
    node
      .call('POST', `/v3/grants/${grant}/calendars/free-busy`, { ...freeBusyOf(60), emails: [email] })
      .catch((error: Error) => console.error(error.message.slice(0, 200))),
  )
  return figures
}

const freeBusyOf = (days: number) => ({ start_time: june.start, end_time: june.start + days * 86_400 })

async function ownCases(node: Measured): Promise<Record<string, Lag>> {
  await node.call('POST', '/v3/connectors', { provider: 'virtual-calendar' })
  const email = 'series@example.com'
  const { data } = await node.call('POST', '/v3/connect/custom', { provider: 'virtual-calendar', settings: { email } })
  const calendars = `/v3/grants/${data.id}`
  const made = await node.call('POST', `${calendars}/calendars`, { name: 'Series', timezone: 'Europe/Berlin' })
  const id = made.data.id
  const at = Date.UTC(2026, 0, 5, 9) / 1000
  const event = (recurrence: string[], participants: object[] = []) => ({
    title: 'Series',
    when: { start_time: at, end_time: at + 1800, start_timezone: 'UTC', end_timezone: 'UTC' },
    recurrence,
    participants,
  })
  const create = (recurrence: string[], participants: object[] = []) =>
    node
      .call('POST', `${calendars}/events?calendar_id=${id}&notify_participants=false`, event(recurrence, participants))
      .catch((error: Error) => error)
  const figures: Record<string, Lag> = {}
  const many = Array.from({ length: 5_000 }, (_, day) =>
    new Date((at + day * 86_400) * 1000).toISOString().replace(/[-:]|\.000/g, ''),
  )
  for (const [name, rule] of Object.entries(rules)) {
    figures[`series: a rule of the API: ${name}`] = await node.measure(() => create([`RRULE:${rule}`]))
  }
  figures['series: 5,000 EXDATE of the API'] = await node.measure(() => create(['RRULE:FREQ=DAILY', `EXDATE:${many}`]))
  const guests = Array.from({ length: 200 }, (_, each) => ({ email: `p${each}@example.com` }))
  for (let series = 0; series < 8; series += 1) {
    const result = await create([`RRULE:FREQ=DAILY;BYHOUR=${numbers(24)}`], guests)
    if (result instanceof Error) console.error(result.message.slice(0, 200))
  }
  const { start_time, end_time } = freeBusyOf(60)
  const reported = (error: Error): void => console.error(error.message.slice(0, 200))
  figures['series: a list of 8 series every hour'] = await node.measure(() =>
    node
      .call('GET', `${calendars}/events?calendar_id=${id}&limit=200&start=${start_time}&end=${end_time}`)
      .catch(reported),
  )
  figures['series: free/busy of 8 series every hour'] = await node.measure(() =>
    node.call('POST', `${calendars}/calendars/free-busy`, { start_time, end_time, emails: [email] }).catch(reported),
  )
  figures['series: availability of 8 series every hour'] = await node.measure(() =>
    node
      .call('POST', '/v3/calendars/availability', {
        start_time,
        end_time,
        duration_minutes: 15,
        interval_minutes: 5,
        participants: [{ email, calendar_ids: [id] }],
      })
      .catch(reported),
  )
  return figures
}

export async function seriesCases(server: MailServer): Promise<Record<string, Lag>> {
  await using node = await startMeasured({ env: {}, ca: [server.ca] })
  await node.call('POST', '/v3/connectors', { provider: 'imap' })
  return { ...(await storedCases(node, server)), ...(await ownCases(node)) }
}
