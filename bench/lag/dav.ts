/** Hostile responses of calendar and contact servers: any user may name such a server at sign-in. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { MailServer } from '@waypost/testing/peers/mail-server'
import { startScriptedImap } from '@waypost/testing/peers/scripted-imap'
import { type Lag, type Measured, startMeasured } from './measure.ts'

/** The response to a REPORT or to a PROPFIND of a collection: the content of its 207. */
type Hostile = { events?: string; cards?: string; list?: string; headers?: Record<string, string>; body?: Buffer }

const names = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:R="urn:ietf:params:xml:ns:carddav"'
const wrap = (inner: string): string => `<D:multistatus ${names}>${inner}</D:multistatus>`
const found = (href: string, props: string): string =>
  `<D:response><D:href>${href}</D:href><D:propstat><D:prop>${props}</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>`
const collection = (href: string, type: string): string =>
  found(href, `<D:displayname>Plans</D:displayname><D:resourcetype><D:collection/><${type}/></D:resourcetype>`)

const many = (count: number, each: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => each(at)).join('')
const vevent = (uid: string, lines: string): string =>
  `BEGIN:VEVENT\nUID:${uid}\nDTSTART:20260610T090000Z\nDTEND:20260610T100000Z\n${lines}END:VEVENT\n`
const calendar = (inner: string): string => `BEGIN:VCALENDAR\nVERSION:2.0\n${inner}END:VCALENDAR\n`
const event = (at: number, lines = 'SUMMARY:Plan\n', others = ''): string =>
  found(
    `/home/cal/${at}.ics`,
    `<D:getetag>"${at}"</D:getetag><C:calendar-data>${calendar(vevent(`u${at}`, lines) + others)}</C:calendar-data>`,
  )
const card = (at: number, lines = ''): string =>
  found(
    `/home/book/${at}.vcf`,
    `<D:getetag>"${at}"</D:getetag><R:address-data>BEGIN:VCARD\nVERSION:3.0\nUID:u${at}\nFN:Person ${at}\nN:P;${at};;;\n${lines}END:VCARD\n</R:address-data>`,
  )
const zipped = (text: string): Hostile => ({
  body: gzipSync(wrap(text)),
  headers: { 'content-encoding': 'gzip' },
})

const calendarCases = (): Record<string, Hostile> => ({
  '16 MB of references, zipped': zipped(event(1, `SUMMARY:${'&lt;'.repeat(4_000_000)}\n`)),
  '2 MB of references': { events: event(1, `SUMMARY:${'&lt;'.repeat(500_000)}\n`) },
  '400,000 hrefs of one response': {
    events: `<D:response>${'<D:href>/a</D:href>'.repeat(400_000)}<D:status>HTTP/1.1 200 OK</D:status></D:response>`,
  },
  '90,000 responses': {
    events: many(90_000, (at) => `<D:response><D:href>/home/cal/%41${at}.ics</D:href></D:response>`),
  },
  '30,000 objects': { events: many(30_000, (at) => event(at)) },
  '12 MB of escapes': { events: event(1, `DESCRIPTION:${'\\n'.repeat(6_000_000)}\n`) },
  '900 KB of escapes, 10 of them': { events: many(10, (at) => event(at, `DESCRIPTION:${'\\n'.repeat(450_000)}\n`)) },
  '500,000 attributes': { events: `<D:response ${many(500_000, (at) => `a${at}="" `)}/>` },
  '200 attributes, 4,000 times': {
    events: `<D:x ${many(200, (at) => `a${at}="" `)}/>`.repeat(4_000),
  },
  '300,000 namespaces': { events: `<D:x ${many(300_000, (at) => `xmlns:n${at}="u" `)}/>` },
  'namespaces at 60 levels': {
    events: `${many(60, (at) => `<D:x ${many(200, (each) => `xmlns:n${at}x${each}="u" `)}>`)}${'<D:y xmlns:q="u"/>'.repeat(100_000)}${'</D:x>'.repeat(60)}`,
  },
  '100,000 levels': { events: '<D:x>'.repeat(100_000) },
  'a CDATA of 20 MB': { events: `<D:x><![CDATA[${'<&'.repeat(10_000_000)}]]></D:x>` },
  '500,000 comments and instructions': { events: '<!-- a --><?a b?>'.repeat(500_000) },
  '900,000 pieces of text': { events: `<D:x>${'a<D:y/>'.repeat(900_000)}</D:x>` },
  'an attribute of 20 MB': { events: `<D:x a="${'x&#13;'.repeat(900_000)}${'x'.repeat(14_000_000)}"/>` },
  '4,900 propstats, 100 of them': {
    events: many(
      100,
      (at) => `<D:response><D:href>/home/cal/${at}.ics</D:href>${'<D:propstat/>'.repeat(4_900)}</D:response>`,
    ),
  },
  '2,500 EXDATE and RDATE': {
    events: many(20, (each) =>
      event(
        each,
        `RRULE:FREQ=DAILY\n${many(2_500, (at) => `EXDATE;VALUE=DATE:20${10 + (at % 90)}0${1 + (at % 9)}1${at % 10}\nRDATE:20${10 + (at % 90)}0${1 + (at % 9)}1${at % 10}T0${at % 10}0000Z\n`)}`,
      ),
    ),
  },
  '20,000 guests with remarks': {
    events: event(
      1,
      many(
        20_000,
        (at) =>
          `ATTENDEE:mailto:p${at}@x.test\nX-CALENDARSERVER-ATTENDEE-COMMENT;X-CALENDARSERVER-ATTENDEE-REF="p${at}":a\n`,
      ),
    ),
  },
  '20,000 alarms': {
    events: event(
      1,
      many(12_000, () => 'BEGIN:VALARM\nTRIGGER:-PT5M\nACTION:DISPLAY\nEND:VALARM\n'),
    ),
  },
  '10,000 overrides of one slot': {
    events: event(
      1,
      'RRULE:FREQ=DAILY\n',
      many(9_000, () => vevent('u1', 'RECURRENCE-ID:20260611T090000Z\n')),
    ),
  },
  '5,000 overrides of all that follows': {
    events: event(
      1,
      'RRULE:FREQ=DAILY\n',
      many(5_000, (at) =>
        vevent(
          'u1',
          `RECURRENCE-ID;RANGE=THISANDFUTURE:20${10 + (at % 90)}0${1 + (at % 9)}${10 + (at % 19)}T090000Z\n`,
        ),
      ),
    ),
  },
  '2,000 zones of 200 rules': {
    events: event(
      1,
      'DTSTART;TZID=Nowhere:20260610T090000\n',
      many(
        60,
        (zone) =>
          `BEGIN:VTIMEZONE\nTZID:Nowhere${zone || ''}\n${many(200, (at) => `BEGIN:STANDARD\nDTSTART:19${10 + (at % 90)}0101T000000\nTZOFFSETFROM:+0${at % 9}00\nTZOFFSETTO:+0${(at + 1) % 9}00\nRRULE:FREQ=DAILY\nEND:STANDARD\n`)}END:VTIMEZONE\n`,
      ),
    ),
  },
  '3,000 series every hour': { events: many(3_000, (at) => event(at, 'RRULE:FREQ=HOURLY\n')) },
  '3,000 series every second': { events: many(3_000, (at) => event(at, 'RRULE:FREQ=SECONDLY\n')) },
  'a line of 9 MB in folds': { events: event(1, `DESCRIPTION:${'x\n '.repeat(3_000_000)}\n`) },
  'a million empty lines': { events: event(1, '\n'.repeat(1_000_000)) },
  'a line of 60,000 parameters': { events: event(1, `SUMMARY${';A=b'.repeat(60_000)}:x\n`) },
  '50 KB objects of short lines, 600 of them': { events: many(600, (at) => event(at, 'A:\n'.repeat(16_000))) },
  'a list of 90,000 ETags': {
    list: many(90_000, (at) => found(`/home/cal/${at}.ics`, `<D:getetag>"${at}"</D:getetag>`)),
  },
})

const cardCases = (): Record<string, Hostile> => ({
  '30,000 cards': { cards: many(30_000, (at) => card(at, 'EMAIL:a@x.test\n')) },
  'a picture of 9 MB': {
    cards: card(1, `PHOTO;ENCODING=b;TYPE=JPEG:${'A'.repeat(74)}${`\n ${'A'.repeat(74)}`.repeat(120_000)}\n`),
  },
  '9 MB of quoted-printable': { cards: card(1, `NOTE;ENCODING=QUOTED-PRINTABLE:${'=41=\n'.repeat(1_500_000)}\n`) },
  '40,000 broken lines': { cards: card(1, `NOTE;ENCODING=QUOTED-PRINTABLE:${'a=\n'.repeat(40_000)}\n`) },
  '20,000 labels': {
    cards: card(
      1,
      many(20_000, (at) => `item${at}.EMAIL:p${at}@x.test\nitem${at}.X-ABLABEL:Home\n`),
    ),
  },
  '600 groups of 500': {
    cards: many(600, (at) =>
      card(
        at,
        `X-ADDRESSBOOKSERVER-KIND:group\n${many(500, (each) => `X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:u${each}\n`)}`,
      ),
    ),
  },
})

/** One calendar and one address book with hostile responses. */
export async function startHostile(): Promise<AsyncDisposable & { url: string; set(hostile: Hostile): void }> {
  let hostile: Hostile = {}
  const answerTo = (request: IncomingMessage, body: string): string => {
    const { url = '/', method } = request
    if (method === 'PROPFIND' && url === '/home/') {
      return `${found('/home/', '<D:resourcetype><D:collection/></D:resourcetype>')}${collection('/home/cal/', 'C:calendar')}${collection('/home/book/', 'R:addressbook')}`
    }
    if (method === 'PROPFIND' && url === '/home/cal/') {
      return `${collection('/home/cal/', 'C:calendar')}${request.headers.depth === '1' ? (hostile.list ?? '') : ''}`
    }
    if (method === 'PROPFIND' && url === '/home/book/') return collection('/home/book/', 'R:addressbook')
    if (method === 'PROPFIND') {
      return found(
        '/',
        '<D:current-user-principal><D:href>/me/</D:href></D:current-user-principal><C:calendar-home-set><D:href>/home/</D:href></C:calendar-home-set><R:addressbook-home-set><D:href>/home/</D:href></R:addressbook-home-set>',
      )
    }
    if (body.includes('sync-collection')) return `${hostile.list ?? ''}<D:sync-token>t</D:sync-token>`
    return (url.startsWith('/home/book') ? hostile.cards : hostile.events) ?? ''
  }
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const isReport = request.method === 'REPORT'
    if (request.method === 'OPTIONS') return void response.end()
    const inner = answerTo(request, Buffer.concat(pieces).toString())
    const body = isReport && hostile.body ? hostile.body : wrap(inner)
    response.writeHead(207, { 'content-type': 'application/xml', ...(isReport ? hostile.headers : {}) }).end(body)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    set: (next) => {
      hostile = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const range = `start=${Date.UTC(2026, 5, 1) / 1000}&end=${Date.UTC(2026, 6, 1) / 1000}`

let accounts = 0

async function connect(node: Measured, url: string, watch: boolean): Promise<string> {
  await using imap = await startScriptedImap({})
  const named = { imap_username: `mira${++accounts}@example.com`, imap_password: 'secret', imap_host: 'localhost' }
  const settings = { ...named, imap_port: imap.port, caldav_url: url, carddav_url: url, watch }
  return (await node.call('POST', '/v3/connect/custom', { provider: 'imap', settings })).data.id
}

export async function davCases(server: MailServer): Promise<Record<string, Lag>> {
  await using node = await startMeasured({ env: {}, ca: [server.ca] })
  await using hostile = await startHostile()
  await node.call('POST', '/v3/connectors', { provider: 'imap' })
  const grant = await connect(node, hostile.url, false)
  const figures: Record<string, Lag> = {}
  const run = async (name: string, answer: Hostile, target: string): Promise<void> => {
    hostile.set(answer)
    const reported = (error: Error): void => {
      if (/ 5\d\d | 500 /.test(error.message) && !/ 504 /.test(error.message))
        console.error(name, error.message.slice(0, 200))
    }
    figures[`dav: ${name}`] = await node.measure(() =>
      node.call('GET', `/v3/grants/${grant}/${target}`).catch(reported),
    )
  }
  for (const [name, answer] of Object.entries(calendarCases())) {
    await run(name, answer, `events?calendar_id=cal&limit=50&${range}`)
  }
  // Cards are cached for a minute, so each case has its own account.
  for (const [name, answer] of Object.entries(cardCases())) {
    hostile.set(answer)
    const own = await connect(node, `${hostile.url}?${encodeURIComponent(name)}`, false)
    figures[`dav: ${name}`] = await node.measure(() =>
      node.call('GET', `/v3/grants/${own}/contacts?limit=50`).catch((error: Error) => {
        if (!/: (504|400) /.test(error.message)) console.error(name, error.message.slice(0, 200))
      }),
    )
  }
  hostile.set({ events: many(30_000, (at) => event(at)) })
  figures['dav: 8 lists of 30,000 objects at once'] = await node.measure(() =>
    Promise.all(
      Array.from({ length: 8 }, () =>
        node.call('GET', `/v3/grants/${grant}/events?calendar_id=cal&limit=50&${range}`).catch(() => undefined),
      ),
    ),
  )
  return figures
}
