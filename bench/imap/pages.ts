import { message } from '@waypost/formats/parse-worker'
import type { Mailbox, MailServer } from '@waypost/testing/peers/mail-server'
import type { ImapFlow } from 'imapflow'
import { type FigureRow, median, quick, rowOf } from '../figures.ts'
import type { Node } from '../node.ts'
import { bareClient, connectGrant, newMailbox, openMailNode, pageQuery, pageSize } from './mailbox.ts'

const messages = quick ? 1_000 : 5_000
const rounds = quick ? 3 : 7
const pagesAgain = quick ? 20 : 60

interface Subject {
  server: MailServer
  node: Node
  box: Mailbox
}

/** Pages that were read before, and pages read for the first time. */
export async function benchPages(server: MailServer): Promise<FigureRow[]> {
  const box = await newMailbox(server, messages)
  const others: Mailbox[] = []
  while (others.length < 10) others.push(await newMailbox(server, messages / 5))
  await using node = await openMailNode(server, 'api')
  await node.call('POST', '/v3/connectors', { provider: 'imap' })
  const subject = { server, node, box }
  const rows: FigureRow[] = []
  for (const askers of [1, 10]) {
    rows.push(...(await again(subject, askers)))
    rows.push(
      ...(await walk(
        server,
        node,
        askers === 1 ? [{ box, messages }] : others.map((each) => ({ box: each, messages: messages / 5 })),
      )),
    )
  }
  return rows
}

interface Cost {
  time: number
  cpu: number
}

/**
 * Clock and processor time per page in milliseconds, with concurrent clients that each request one page after
 * another.
 */
async function timePages(
  askers: number,
  pages: number,
  ask: (asker: number, page: number) => Promise<number>,
): Promise<Cost> {
  const each = Math.ceil(pages / askers)
  const began = { time: performance.now(), cpu: process.cpuUsage() }
  await Promise.all(
    Array.from({ length: askers }, async (_, asker) => {
      for (let page = 0; page < each; page++) {
        if ((await ask(asker, page)) !== pageSize) throw new Error(`not a page of ${pageSize}`)
      }
    }),
  )
  const { user, system } = process.cpuUsage(began.cpu)
  const all = each * askers
  return { time: (performance.now() - began.time) / all, cpu: (user + system) / 1000 / all }
}

const fetchUpTo = (client: ImapFlow | undefined, last: number) =>
  client?.fetchAll(`${last - pageSize + 1}:${last}`, pageQuery) ?? Promise.resolve([])

/** Requests the newest page repeatedly. */
async function again({ server, node, box }: Subject, askers: number): Promise<FigureRow[]> {
  const grant = await connectGrant(node, server, { box })
  const clients = await Promise.all(Array.from({ length: askers }, () => bareClient(server, box)))
  const floorAsk = async (asker: number): Promise<number> => (await fetchUpTo(clients[asker], messages)).length
  const ask = async (): Promise<number> => (await node.call('GET', `/v3/grants/${grant}/messages`)).data.length
  await timePages(askers, pagesAgain, floorAsk)
  await timePages(askers, pagesAgain, ask)
  const floors: number[] = []
  const ours: number[] = []
  for (let turn = 0; turn < rounds; turn++) {
    floors.push((await timePages(askers, pagesAgain, floorAsk)).time)
    ours.push((await timePages(askers, pagesAgain, ask)).time)
  }
  for (const client of clients) client.close()
  const figures = { figure: median(ours), floor: median(floors), unit: 'ms' }
  return [rowOf(`page of ${pageSize} read before, by ${askers} at a time, against bare imapflow`, figures)]
}

interface Filled {
  box: Mailbox
  messages: number
}

/** Each client reads all pages of its own mailbox, every page once. */
async function walk(server: MailServer, node: Node, boxes: readonly Filled[]): Promise<FigureRow[]> {
  const askers = boxes.length
  const pages = boxes.reduce((sum, { messages }) => sum + messages / pageSize - 1, 0)
  const clients = await Promise.all(boxes.map(({ box }) => bareClient(server, box)))
  const floorAsk = (asker: number, page: number) =>
    fetchUpTo(clients[asker], (boxes[asker]?.messages ?? 0) - (page + 1) * pageSize)
  const bare = async (asker: number, page: number): Promise<number> => (await floorAsk(asker, page)).length
  /** Includes the full work of a response: parses the mail, here without a separate thread, and serializes it. */
  const parsing = async (asker: number, page: number): Promise<number> => {
    const found = await floorAsk(asker, page)
    const read = found.map(({ source = Buffer.alloc(0) }) => message({ source, headers: false }))
    return JSON.stringify(read).length > 0 ? read.length : 0
  }
  interface Turn {
    floor: Cost
    parsing: Cost
    ours: Cost
  }
  const turns: Turn[] = []
  for (let turn = 0; turn < (quick ? 4 : 6); turn++) {
    turns.push({
      floor: await timePages(askers, pages, bare),
      parsing: await timePages(askers, pages, parsing),
      ours: await timePages(askers, pages, await walkers(server, node, boxes)),
    })
  }
  for (const client of clients) client.close()
  // The first turn is warm-up.
  const of = (pick: (turn: Turn) => number): number => median(turns.slice(1).map(pick))
  const what = `page of ${pageSize} never read, by ${askers} at a time`
  return [
    rowOf(`${what}, against bare imapflow`, {
      figure: of(({ ours }) => ours.time),
      floor: of(({ floor }) => floor.time),
      ratio: of(({ ours, floor }) => ours.time / floor.time),
      unit: 'ms',
      aim: '<= 1.25',
    }),
    rowOf(`${what}, against imapflow and the same parser`, {
      figure: of(({ ours }) => ours.time),
      floor: of(({ parsing }) => parsing.time),
      ratio: of(({ ours, parsing }) => ours.time / parsing.time),
      unit: 'ms',
    }),
    rowOf(`${what}, processor time against bare imapflow`, {
      figure: of(({ ours }) => ours.cpu),
      floor: of(({ floor }) => floor.cpu),
      unit: 'ms',
    }),
  ]
}

/** Accounts in use, of which only the newest page was ever read. */
async function walkers(
  server: MailServer,
  node: Node,
  boxes: readonly Filled[],
): Promise<(asker: number) => Promise<number>> {
  const lists: { target: string; token?: string | undefined }[] = []
  for (const { box } of boxes) {
    // A reconnected account is read from the start.
    const target = `/v3/grants/${await connectGrant(node, server, { box })}/messages?limit=${pageSize}`
    const { next_cursor: token } = await node.call('GET', `${target}&select=id`)
    lists.push({ target, token })
  }
  return async (asker) => {
    const list = lists[asker]
    if (list?.token === undefined) return 0
    const answer = await node.call('GET', `${list.target}&page_token=${list.token}`)
    list.token = answer.next_cursor
    return answer.data.length
  }
}
