/**
 * Large responses of providers, parsed in worker threads: anything over a limit is omitted or is a provider error,
 * and other work continues meanwhile.
 */
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { ApiError } from '@waypost/platform/api-error'
import { object, readableItems, text } from '@waypost/platform/json/reader'
import { type DavClient, openClient } from '@waypost/providers/dav/client'
import { openTransport } from '@waypost/providers/dav/transport'
import { isCheck } from '@waypost/testing/level'
import { type Listener, openListener } from '@waypost/testing/listener'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readObjects } from '../../../providers/src/dav/caldav/object-reading.ts'
import { readCards } from '../../../providers/src/dav/carddav/card-reading.ts'
import { readEnvelope } from '../../../providers/src/ews/soap/envelope.ts'
import { jsonOf, readAnswer } from '../../../providers/src/shared/answer.ts'
import { answerThreads } from '../../../providers/src/shared/answer-threads.ts'
import { type DavAccount, davAccount } from '../../../providers/test/dav/dav-account.ts'
import { openThreads } from '../../src/services/threads.ts'

const threads = openThreads({ answerMs: 30_000 })
const warnings: Record<string, unknown>[] = []
let server: Listener
let account: DavAccount
let client: DavClient
let calendar: string

beforeAll(async () => {
  server = await openListener()
  account = davAccount({
    answers: answerThreads(threads.answers, 'grant'),
    log: { debug: () => {}, info: () => {}, warn: (fields: Record<string, unknown>) => warnings.push(fields) } as never,
  })
  const auth = { user: 'alice', password: 'secret' }
  const transport = openTransport({ io: account.io, auth, hosts: { urls: [server.url] } })
  client = openClient(transport, 'calendar')
  calendar = `${server.url}/cal/`
})
afterAll(async () => {
  await account[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await threads[Symbol.asyncDispose]()
})
beforeEach(() => {
  warnings.length = 0
})

const names = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"'
const answer = (inner: string, headers: Record<string, string> = {}): void => {
  const body = `<D:multistatus ${names}>${inner}</D:multistatus>`
  server.answer = (response: ServerResponse) => {
    response.writeHead(207, headers).end(headers['content-encoding'] ? gzipSync(body) : body)
  }
}
const many = (count: number, each: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => each(at)).join('')
const found = (at: number, data: string): string =>
  `<D:response><D:href>/cal/${at}.ics</D:href><D:propstat><D:prop><D:getetag>"${at}"</D:getetag>` +
  `<C:calendar-data>${data}</C:calendar-data></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>`
const event = (uid: string, lines = '', others = ''): string =>
  `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:${uid}\nDTSTART:20260610T090000Z\nSUMMARY:Plan\n${lines}END:VEVENT\n${others}END:VCALENDAR\n`

/** The sizes are the point of these cases, and cost much: `npm test` tries the first of each kind. */
const some = (cases: [string, () => string][]): [string, () => string][] => (isCheck ? cases : cases.slice(0, 1))

/** The result of a task, and how often other tasks ran meanwhile. */
async function besideOthers<T>(work: Promise<T>): Promise<{ result: T | unknown; turns: number }> {
  let turns = 0
  const ticking = setInterval(() => turns++, 1)
  const result = await work.catch((error: unknown) => error)
  clearInterval(ticking)
  return { result, turns }
}

describe('a response of a DAV server', () => {
  test('that is large is read like a small one, while other tasks run', async () => {
    answer(many(5_000, (at) => found(at, event(`u${at}`))))
    const { result, turns } = await besideOthers(client.query(calendar, {}))
    expect(result).toHaveLength(5_000)
    expect((result as unknown[])[4_999]).toEqual({ href: `${calendar}4999.ics`, etag: '"4999"', data: event('u4999') })
    expect(turns).toBeGreaterThan(0)
  })

  test.each(
    some([
      ['of more references than a document may have', () => found(1, '&lt;'.repeat(1_100_000))],
      ['of more attributes than an element may have', () => `<D:x ${many(20_000, (at) => `a${at}="" `)}/>`],
      ['of more attributes than a document may have', () => `<D:x ${many(200, (at) => `a${at}="" `)}/>`.repeat(5_100)],
      ['of more namespaces than an element may have', () => `<D:x ${many(20_000, (at) => `xmlns:n${at}="u" `)}/>`],
      ['of more elements than a document may have', () => '<D:x/>'.repeat(1_000_001)],
      ['of more levels than a document may have', () => '<D:x>'.repeat(70_000)],
      [
        'of more responses than a collection has',
        () => many(100_001, (at) => `<D:response><D:href>/cal/${at}</D:href></D:response>`),
      ],
      ['of more objects than a list holds', () => many(20_001, (at) => found(at, 'x'))],
      ['that breaks off', () => `${found(1, event('u'))}<D:response>${' '.repeat(300_000)}`],
    ]),
  )('%s is a provider error', async (_, inner) => {
    answer(inner())
    const { result, turns } = await besideOthers(client.query(calendar, {}))
    expect(result).toBeInstanceOf(ApiError)
    expect(result).toMatchObject({
      code: 'provider_unavailable',
      details: { providerError: { reason: 'malformed_answer' } },
    })
    expect(turns).toBeGreaterThan(0)
  })

  test('that is small in bytes and expensive to parse goes to a thread', async () => {
    answer(`<D:response>${'<D:href>/a</D:href>'.repeat(6_000)}</D:response>${found(1, event('u'))}`)
    expect(await client.query(calendar, {})).toHaveLength(1)
    expect(warnings).toMatchObject([{ count: 1 }])
  })

  test('with an extreme compression ratio is not inflated', async () => {
    answer(found(1, 'x'.repeat(20_000_000)), { 'content-encoding': 'gzip' })
    await expect(client.query(calendar, {})).rejects.toMatchObject({ code: 'provider_unavailable' })
  })

  test("omits an object that exceeds a server's limit, and keeps the others", async () => {
    answer(found(1, 'x'.repeat(10_000_001)) + found(2, event('u')))
    expect((await client.query(calendar, {})).map(({ href }) => href)).toEqual([`${calendar}2.ics`])
    expect(warnings).toMatchObject([{ count: 1 }])
  })
})

const place = { zone: 'Europe/Berlin' }
const session = () => ({ grant: { id: 'grant' }, io: account.io }) as never
const objectOf = (data: string) => ({ href: '/cal/1.ics', data })

describe('a calendar object', () => {
  const valid = event('u1')
  test.each(
    some([
      ['of 12 MB of escapes', () => event('u', `DESCRIPTION:${'\\n'.repeat(4_900_000)}\n`)],
      ['of 60,000 lines', () => event('u', 'X-A:1\n'.repeat(60_000))],
      ['of 60,000 empty lines', () => event('u', '\n'.repeat(60_000))],
      ['of 20,001 dates', () => event('u', `RDATE:${many(20_001, () => '20260610T090000Z,')}\n`)],
      ['of components in each other', () => event('u', 'BEGIN:VALARM\n'.repeat(20))],
      [
        'with a zone of 60,000 lines',
        () =>
          event(
            'u',
            'DTEND;TZID=Nowhere:20260610T100000\n',
            `BEGIN:VTIMEZONE\nTZID:Nowhere\n${'X-A:1\n'.repeat(60_000)}END:VTIMEZONE\n`,
          ),
      ],
    ]),
  )('%s is omitted and logged, and others are read', async (_, text) => {
    const read = await readObjects(session(), [objectOf(text()), objectOf(valid)], place)
    expect(read[0]?.events).toBe('too large')
    expect(read[1]?.events).toMatchObject({ uid: 'u1', main: { title: 'Plan' } })
    expect(warnings).toMatchObject([{ grant_id: 'grant', count: 1 }])
  })

  test.each(
    some([
      [
        '2,500 EXDATE among 2,500 RDATE',
        () =>
          `RRULE:FREQ=DAILY\n${many(2_500, (at) => `EXDATE;VALUE=DATE:20${10 + (at % 80)}0610\nRDATE:20${10 + (at % 80)}0611T1${at % 10}0000Z\n`)}`,
      ],
      [
        '15,000 guests with a remark each',
        () =>
          many(
            15_000,
            (at) =>
              `ATTENDEE:mailto:p${at}@x.test\nX-CALENDARSERVER-ATTENDEE-COMMENT;X-CALENDARSERVER-ATTENDEE-REF="mailto:p${at}@x.test":a\n`,
          ),
      ],
      ['10,000 alarms', () => 'BEGIN:VALARM\nTRIGGER:-PT5M\nACTION:DISPLAY\nEND:VALARM\n'.repeat(10_000)],
      ['a rule for every second', () => 'RRULE:FREQ=SECONDLY\n'],
      ['a description in a million folds', () => `DESCRIPTION:${'x\n '.repeat(900_000)}\n`],
      ['a line of 100,000 parameters', () => `X-A${';B=c'.repeat(100_000)}:1\n`],
    ]),
  )('with %s is read', async (_, lines) => {
    const [read] = await readObjects(session(), [objectOf(event('u', lines()))], place)
    expect(read?.events).toMatchObject({ uid: 'u', main: { title: 'Plan' } })
    expect(warnings).toEqual([])
  })
})

describe('a card', () => {
  const card = (lines: string): string => `BEGIN:VCARD\nVERSION:3.0\nUID:u\nFN:Ann\n${lines}END:VCARD\n`
  const books = { main: { url: 'https://dav.test/book/' } } as never

  test('that is too large is omitted and logged, and others are read', async () => {
    const read = await readCards(session(), books, [
      { href: 'https://dav.test/book/1.vcf', data: card(`NOTE:${'\\n'.repeat(600_000)}\n`) },
      { href: 'https://dav.test/book/2.vcf', data: card('NOTE:short\n') },
    ])
    expect(read.map(({ card: found }) => found?.id)).toEqual([undefined, '2'])
    expect(warnings).toMatchObject([{ grant_id: 'grant', count: 1 }])
  })

  test.each(
    some([
      ['a picture of 6 MB', () => `PHOTO;ENCODING=b;TYPE=JPEG:${`\n ${'A'.repeat(74)}`.repeat(80_000)}\n`],
      ['45,000 lines of quoted-printable', () => `NOTE;ENCODING=QUOTED-PRINTABLE:${'a=\n'.repeat(45_000)}\n`],
      ['20,000 labels', () => many(20_000, (at) => `item${at}.EMAIL:p${at}@x.test\nitem${at}.X-ABLABEL:Home\n`)],
    ]),
  )('with %s is read', async (_, lines) => {
    const [read] = await readCards(session(), books, [{ href: 'https://dav.test/book/1.vcf', data: card(lines()) }])
    expect(read?.card).toMatchObject({ uid: 'u', contact: { display_name: 'Ann' } })
  })
})

describe('a response of Exchange', () => {
  const soap = (inner: string): Buffer =>
    Buffer.from(
      `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><R>${inner}</R></s:Body></s:Envelope>`,
    )

  test('that is large is read like a small one', async () => {
    const inner = many(20_000, (at) => `<Item Id="${at}"><Subject>A &amp; ${at}</Subject></Item>`)
    const { result, turns } = await besideOthers(readEnvelope(soap(inner), account.io))
    expect(result).toMatchObject({ answer: { name: 'R' } })
    const { children } = (result as { answer: { children: unknown[] } }).answer
    expect(children).toHaveLength(20_000)
    expect(children[7]).toMatchObject({ name: 'Item', attributes: { Id: '7' }, children: [{ text: 'A & 7' }] })
    expect(turns).toBeGreaterThan(0)
  })

  test.each(
    some([
      ['elements', () => '<a/>'.repeat(200_001)],
      ['attributes', () => `<a ${many(250, (at) => `b${at}="" `)}/>`.repeat(1_700)],
      ['levels', () => '<a>'.repeat(70_000)],
      ['references', () => '&gt;'.repeat(1_100_000)],
    ]),
  )('with too many %s is refused', async (_, inner) => {
    await expect(readEnvelope(soap(inner()), account.io)).rejects.toMatchObject({ name: 'XmlTooLarge' })
  })
})

describe('a JSON response', () => {
  const rules = { name: 'Example', onDropped: () => {} }
  const read = (value: string): Promise<unknown> => jsonOf(Buffer.from(value), rules, account.io)

  test('that is large is read like a small one', async () => {
    const value = {
      value: Array.from({ length: 5_000 }, (_, at) => ({ id: `${at}`, none: null, list: [[], {}, [1, ['two']]] })),
      text: 'ü'.repeat(300_000),
      deep: { a: { b: [] } },
    }
    const { result, turns } = await besideOthers(read(JSON.stringify(value)))
    expect(result).toEqual(value)
    expect(turns).toBeGreaterThan(0)
    const deep = `${'['.repeat(20_000)}${' '.repeat(300_000)}${']'.repeat(20_000)}`
    expect(Array.isArray(await read(deep))).toBe(true)
  })

  test.each(
    some([
      ['a list of a million items', () => `[${'0,'.repeat(1_000_000)}0]`],
      ['an object of 600,000 keys', () => `{${many(600_000, (at) => `"k${at}":0,`)}"z":0}`],
      ['lists 200,000 levels deep', () => `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
      ['five million commas', () => `["${','.repeat(5_000_000)}"]`],
    ]),
  )('with %s is a provider error that is not requested again', async (_, value) => {
    await expect(read(value())).rejects.toMatchObject({
      code: 'provider_unavailable',
      details: { providerError: { reason: 'malformed_answer' } },
    })
  })

  test('that is not JSON is reported as such', async () => {
    await expect(read(`<html>${' '.repeat(300_000)}`)).rejects.toThrow('no JSON')
  })

  test('of unreadable items is refused after some of them', () => {
    const dropped: unknown[] = []
    const reader = readableItems(object({ id: text }, {}))
    const onDropped = (problem: unknown): void => void dropped.push(problem)
    const items = (count: number): unknown[] => Array.from({ length: count }, () => 7)
    expect(readAnswer([...items(50), { id: 'x' }], reader, { name: 'Example', onDropped })).toEqual([{ id: 'x' }])
    expect(dropped).toHaveLength(50)
    expect(() => readAnswer(items(9_000), reader, { name: 'Example', onDropped })).toThrow(ApiError)
    expect(dropped.length).toBeLessThan(200)
    expect(() => readAnswer(items(10_001), reader, { name: 'Example', onDropped })).toThrow(ApiError)
  })
})

test('a grant with slow responses is served after the others', async () => {
  const order: string[] = []
  const run = async (owner: string, count: number): Promise<void> => {
    const body = Buffer.from(`[${'0,'.repeat(count)}0]`)
    await answerThreads(threads.answers, owner).run('json', [{ body }], account.io.signal)
    order.push(owner)
  }
  // Both threads have started before any task waits.
  await Promise.all([run('hostile', 900_000), run('first', 10)])
  order.length = 0
  await Promise.all([...Array.from({ length: 6 }, () => run('hostile', 900_000)), run('other', 10)])
  expect(order.indexOf('other')).toBeLessThan(4)
})
