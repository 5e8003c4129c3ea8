/**
 * Pages of a large mailbox with many folders and old mail, against the commands of a bare client for the same query.
 * The two are timed in turns.
 */

import type { MailServer } from '@waypost/testing/peers/mail-server'
import type { ImapFlow } from 'imapflow'
import { type FigureRow, median, quick, rowOf } from '../figures.ts'
import type { Node } from '../node.ts'
import { fillMailbox, type LargeMailbox } from './bulk.ts'
import { bareClient, connectGrant, openMailNode, pageQuery, pageSize } from './mailbox.ts'

const messages = quick ? 21_000 : 100_000
const folders = 305
const turns = quick ? 3 : 5

const requested = { messages: true, unseen: true, uidNext: true, uidValidity: true, highestModseq: true } as const
const newest = (client: ImapFlow, uids: readonly number[]) =>
  client.fetchAll(uids.slice(-pageSize).join(','), pageQuery, { uid: true })

interface Question {
  what: string
  target: string
  /** Whether each turn uses a new account on a new connection. */
  isFirst?: boolean
  floor(client: ImapFlow, box: LargeMailbox): Promise<unknown>
  aim: string
  isAbsolute?: boolean
}

/** Searches folders that may match, and reads the newest messages of the last one. */
async function searchFolders(client: ImapFlow, paths: readonly string[], search: object): Promise<void> {
  let found: number[] = []
  for (const path of paths) {
    await client.mailboxOpen(path)
    found = (await client.search(search, { uid: true })) || []
  }
  if (found.length > 0) await newest(client, found)
}

const questions: readonly Question[] = [
  {
    what: 'first page of all folders',
    target: 'messages?',
    isFirst: true,
    async floor(client, { folders: paths }) {
      await client.list({ statusQuery: requested })
      for (const path of paths) {
        const { exists } = await client.mailboxOpen(path)
        await client.fetchAll(`${Math.max(1, exists - 1)}:*`, { uid: true, internalDate: true })
      }
      await client.mailboxOpen('INBOX')
      await client.fetchAll(`${messages / 2 - pageSize + 1}:*`, pageQuery)
    },
    aim: '<= 1.5',
  },
  {
    what: 'the same page again',
    target: 'messages?',
    async floor(client) {
      await client.list({ statusQuery: requested })
      await client.fetchAll(`${messages / 2 - pageSize + 1}:*`, { uid: true, flags: true })
    },
    aim: '<= 30',
    isAbsolute: true,
  },
  {
    what: 'first page of one small folder, on a new connection',
    target: 'messages?in=path:Rm9sZGVyIDc',
    isFirst: true,
    async floor(client) {
      await client.list({ statusQuery: requested })
      await client.mailboxOpen('Folder 7')
      await client.fetchAll('1:*', { uid: true, internalDate: true, size: true, headers: ['message-id'] })
      await client.fetchAll('1:*', pageQuery)
    },
    aim: '<= 1.5',
  },
  {
    what: 'unread messages',
    target: 'messages?unread=true',
    async floor(client) {
      const listed = await client.list({ statusQuery: requested })
      await searchFolders(
        client,
        listed.flatMap(({ path, status }) => ((status?.unseen ?? 0) > 0 ? [path] : [])),
        { seen: false },
      )
    },
    aim: '<= 1.5',
  },
  {
    what: 'messages of one sender, of which there are many',
    target: 'messages?from=sender7@example.com',
    floor: (client, { folders: paths }) => searchFolders(client, paths, { from: 'sender7@example.com' }),
    aim: '<= 1.5',
  },
]

interface Cost {
  time: number
  cpu: number
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const cpu = process.cpuUsage()
  const began = performance.now()
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return { time: performance.now() - began, cpu: (user + system) / 1000 }
}

export async function benchLarge(server: MailServer): Promise<FigureRow[]> {
  const large = await fillMailbox(server, messages, folders)
  await using node = await openMailNode(server, 'api')
  await node.call('POST', '/v3/connectors', { provider: 'imap' })
  const rows: FigureRow[] = []
  for (const question of questions) rows.push(...(await ask({ server, node, large }, question)))
  return rows
}

interface Subject {
  server: MailServer
  node: Node
  large: LargeMailbox
}

async function ask({ server, node, large }: Subject, question: Question): Promise<FigureRow[]> {
  const { what, target, isFirst = false, floor, aim, isAbsolute = false } = question
  const connect = (): Promise<string> => connectGrant(node, server, { box: large.box })
  const list = (grant: string) => node.call('GET', `/v3/grants/${grant}/${target}&limit=${pageSize}`)
  const retained = await connect()
  const bare = await bareClient(server, large.box)
  if (!isFirst) await list(retained)
  const floors: Cost[] = []
  const ours: Cost[] = []
  for (let turn = 0; turn < turns; turn++) {
    floors.push(
      await costOf(async () => {
        const client = isFirst ? await bareClient(server, large.box) : bare
        await floor(client, large)
        if (isFirst) client.close()
      }),
    )
    // A reconnected account is read from the start.
    const grant = isFirst ? await connect() : retained
    ours.push(await costOf(() => list(grant)))
  }
  bare.close()
  const name = `${messages} messages in ${folders} folders: ${what}`
  const figures = { figure: median(ours.map(({ time }) => time)), floor: median(floors.map(({ time }) => time)) }
  return [
    rowOf(name, { ...figures, unit: 'ms', aim, isAbsolute }),
    rowOf(`${name}, processor time`, {
      figure: median(ours.map(({ cpu }) => cpu)),
      floor: median(floors.map(({ cpu }) => cpu)),
      unit: 'ms',
    }),
  ]
}
