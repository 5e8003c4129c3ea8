/**
 * The cost of calendars and contacts at real CalDAV and CardDAV servers: one month of a calendar with 5,000 events
 * and 300 series, and all of 1,000 contacts, through the service. The floor is one bare REPORT for the same objects,
 * whose response is read but not parsed. Both alternate. Then: the requests of a poll for changes in an unchanged
 * account. Read only ratios within one run.
 *
 *   npm run bench:dav [-- --quick] [-- --json]
 */

import { createEgress } from '@waypost/platform/egress/egress'
import type { MailServer } from '@waypost/testing/peers/mail-server'
import { memoryFolder } from '@waypost/testing/peers/memory-folder'
import { Agent, request } from 'undici'
import { addressbookQueryBody, calendarQueryBody } from '../packages/providers/src/dav/bodies.ts'
import { type LargeAccount, largeAccount, month, openServers } from './dav/account.ts'
import { quietPoll } from './dav/quiet-poll.ts'
import { type FigureRow, median, quick, report, rowOf } from './figures.ts'
import { type Node, openNode } from './node.ts'

const rounds = quick ? 5 : 9
/** Warm-up rounds, until the code is compiled. */
const warmUp = quick ? 3 : 5

process.env.TMPDIR = memoryFolder()

async function main(): Promise<void> {
  await using open = await openServers()
  const rows: FigureRow[] = []
  for (const dav of open.servers) {
    const account = await largeAccount(open.mail, dav)
    await using node = await openNode(
      { WAYPOST_ROLES: 'api' },
      { egress: createEgress({ mode: 'private', ca: [open.mail.ca] }) },
    )
    await node.call('POST', '/v3/connectors', { provider: 'imap' })
    for (const row of await measured(node, open.mail, account)) rows.push({ ...row, what: `${dav.name}: ${row.what}` })
  }
  report(rows)
}

async function measured(node: Node, mail: MailServer, account: LargeAccount): Promise<FigureRow[]> {
  const dispatcher = new Agent({ connections: 4, pipelining: 1 })
  const bare = (url: string, body: string) => bareReport(dispatcher, account, url, body)
  const grant = await connect(node, mail, account)
  const window = `start=${month.from}&end=${month.to}&calendar_id=${account.calendarId}`
  try {
    const bareMonth = () => bare(account.calendar, calendarQueryBody({ range: month }))
    const bareBook = () => bare(account.book, addressbookQueryBody())
    const contacts = () => allPages(node, `/v3/grants/${grant}/contacts?limit=200`)
    return [
      await inTurns('a month of events', {
        ours: () => allPages(node, `/v3/grants/${grant}/events?${window}&limit=200`),
        floor: bareMonth,
        aim: '<= 1.50',
      }),
      await inTurns('a month of events, 50 to a page', {
        ours: () => allPages(node, `/v3/grants/${grant}/events?${window}&limit=50`),
        floor: bareMonth,
      }),
      // A newly authenticated grant has no cached state: it connects and discovers address books first.
      await inTurns('all contacts, for the first time', {
        ours: contacts,
        floor: bareBook,
        before: () => connect(node, mail, account),
      }),
      await inTurns('all contacts, again', { ours: contacts, floor: bareBook, aim: '<= 1.25' }),
      ...(await quietPoll(account)),
    ]
  } finally {
    await dispatcher.close()
  }
}

async function bareReport(dispatcher: Agent, { mailbox }: LargeAccount, url: string, body: string): Promise<number> {
  const login = Buffer.from(`${mailbox.user}:${mailbox.password}`).toString('base64')
  const headers = {
    authorization: `Basic ${login}`,
    'content-type': 'application/xml; charset=utf-8',
    depth: '1',
    'accept-encoding': 'gzip',
  }
  // Without `reset: false`, undici closes the connection afterwards, and the next request opens a new one.
  const options = { method: 'REPORT' as 'POST', reset: false, headers, body, dispatcher }
  const answer = await request(url, options)
  if (answer.statusCode !== 207) throw new Error(`the floor was answered ${answer.statusCode}`)
  return (await answer.body.arrayBuffer()).byteLength
}

/** Reads all pages of a list; returns the number of objects. */
async function allPages(node: Node, target: string): Promise<number> {
  let found = 0
  let cursor = ''
  do {
    const page = await node.call('GET', `${target}${cursor && `&page_token=${encodeURIComponent(cursor)}`}`)
    found += page.data.length
    cursor = page.next_cursor ?? ''
  } while (cursor !== '')
  return found
}

interface Comparison {
  ours: () => Promise<number>
  floor: () => Promise<number>
  /** Runs before each turn, untimed. */
  before?: () => Promise<unknown>
  aim?: string
}

/** The median times of both. They alternate, so that load on the machine slows both. */
async function inTurns(what: string, { ours, floor, before, aim }: Comparison): Promise<FigureRow> {
  const pairs: { ours: number; floor: number }[] = []
  let objects = 0
  for (let turn = 0; turn < warmUp + rounds; turn++) {
    await before?.()
    const bare = await timed(floor)
    const { ms, answer } = await timed(ours)
    objects = answer
    if (turn >= warmUp) pairs.push({ ours: ms, floor: bare.ms })
  }
  return rowOf(`${what} (${objects})`, {
    figure: median(pairs.map((pair) => pair.ours)),
    floor: median(pairs.map((pair) => pair.floor)),
    ratio: median(pairs.map((pair) => pair.ours / pair.floor)),
    unit: 'ms',
    ...(aim ? { aim } : {}),
  })
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; answer: T }> {
  const began = performance.now()
  const answer = await work()
  return { ms: performance.now() - began, answer }
}

async function connect({ call }: Node, mail: MailServer, { dav, mailbox }: LargeAccount): Promise<string> {
  const settings = {
    imap_username: mailbox.user,
    imap_password: mailbox.password,
    imap_host: mail.host,
    imap_port: mail.imapsPort,
    caldav_url: dav.davUrl,
    carddav_url: dav.davUrl,
    watch: false,
  }
  return (await call('POST', '/v3/connect/custom', { provider: 'imap', settings })).data.id
}

await main()
