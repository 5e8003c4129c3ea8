/** A sending provider in place of the virtual calendar's: tests script it, and it records its messages. */
import { randomUUID } from 'node:crypto'
import type { OutgoingMessage, SentMessage } from '@waypost/providers/operations'
import { providers } from '@waypost/providers/registry'
import type { Database } from '@waypost/store/engine/database'
import { beatNode, leaveNode } from '@waypost/store/tables/applications/nodes'
import { readSend } from '@waypost/store/tables/mail/sends'
import { sql } from '@waypost/testing/statement'
import { expect, vi } from 'vitest'
import { createSender, type Sender, type SenderOptions } from '../../src/sending/delivery/sender.ts'
import { createLedger, type Ledger } from '../../src/sending/ledger/ledger.ts'
import type { NewSend } from '../../src/sending/ledger/new-sends.ts'
import { openService, type ServiceOptions, type TestService } from '../harness.ts'

export interface FakeMailServer {
  /** The messages that the provider accepted, in order. */
  taken: OutgoingMessage[]
  /** The account's sent folder: Message-ID to id. */
  sentMail: Map<string, string>
  /** The number of filed copies. */
  filed: number
  /** Replace it to change sending. Default: begins, and accepts the message. */
  send(message: OutgoingMessage, begin: () => Promise<void>): Promise<SentMessage>
  take(message: OutgoingMessage): SentMessage
  find(messageId: string): Promise<string | undefined>
  file(message: OutgoingMessage): Promise<string>
}

/** A mail server that works correctly. */
export const newFakeMailServer = (): FakeMailServer => mend({} as FakeMailServer)

/** Makes a mail server work correctly again, and clears its records. */
export function mend(mailServer: FakeMailServer): FakeMailServer {
  const usual: FakeMailServer = {
    taken: [],
    sentMail: new Map(),
    filed: 0,
    take(message) {
      mailServer.taken.push(message)
      return { id: `id-${message.messageId}` }
    },
    async send(message, begin) {
      await begin()
      return mailServer.take(message)
    },
    find: async (messageId) => mailServer.sentMail.get(messageId),
    async file(message) {
      const there = mailServer.sentMail.get(message.messageId)
      if (there !== undefined) return there
      mailServer.filed++
      mailServer.sentMail.set(message.messageId, `id-${message.messageId}`)
      return `id-${message.messageId}`
    },
  }
  return Object.assign(mailServer, usual)
}

/** The registry with a mail server behind the virtual calendar. */
export const sendingBy = (mailServer: FakeMailServer) => ({
  ...providers,
  'virtual-calendar': {
    ...providers['virtual-calendar'],
    messages: {
      send: (_: unknown, message: OutgoingMessage, begin: () => Promise<void>) => mailServer.send(message, begin),
    },
    sent: {
      find: (_: unknown, messageId: string) => mailServer.find(messageId),
      file: async (_: unknown, message: OutgoingMessage) => ({ id: await mailServer.file(message) }),
    },
  },
})

/** The database, which counts the statements that it executes by name. */
function counting(database: Database, counts: Map<string, number>): Database {
  const count = (statement: { name: string }): void => {
    // Texts that are composed at run time have a number behind the name.
    const name = statement.name.replace(/\.\d+$/, '')
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return {
    ...database,
    all(statement, parameters) {
      count(statement)
      return database.all(statement, parameters)
    },
    get(statement, parameters) {
      count(statement)
      return database.get(statement, parameters)
    },
  }
}

const sources = sql<{ count: number }>('test.sources', 'select count(*) as count from send_sources where send_id = $1')

/** A sending node on the store of a service. */
export interface SendingNode extends AsyncDisposable {
  id: string
  ledger: Ledger
  sender: Sender
  /** Writes a heartbeat as of now. */
  beat(): Promise<void>
  /** Starts working on due messages. */
  work(): void
  /** Waits until the worker has polled for due messages again, from start to end, and acted on what it found. */
  polled(times?: number): Promise<void>
  /** Waits until the node has executed a statement this many times from now on. */
  executed(statement: string, times: number): Promise<void>
}

export interface SendingService extends AsyncDisposable {
  service: TestService
  mailServer: FakeMailServer
  applicationId: string
  grantId: string
  key: string
  node(options?: Partial<SenderOptions>): Promise<SendingNode>
  /** The running nodes. */
  nodes: readonly SendingNode[]
  /** Ends all nodes, which removes them from the store. */
  endNodes(): Promise<void>
  newSend(more?: Partial<NewSend>): NewSend
  accept(node: SendingNode, more?: Partial<NewSend>): Promise<NewSend>
  row(id: string): Promise<NonNullable<Awaited<ReturnType<typeof readSend>>>>
  /** The number of stored chunks of a message's bytes. */
  pieces(id: string): Promise<number>
}

export async function openSendingService(options: ServiceOptions = {}): Promise<SendingService> {
  const mailServer = newFakeMailServer()
  const service = await openService({
    ...options,
    overrides: { ...options.overrides, providers: sendingBy(mailServer) },
  })
  const { id: applicationId, key } = await service.createApplication('Sending')
  const { id: grantId } = await service.createGrant('sender@example.com', key)
  const { services } = service
  const { database, clock, secrets, seals, log } = services.storage
  const { notify } = services.notifications
  const { sessions } = services.accounts
  const nodes: SendingNode[] = []

  const sending: SendingService = {
    service,
    mailServer,
    applicationId,
    grantId,
    key,
    async node(more = {}) {
      const id = randomUUID()
      const ledger = createLedger({ database, clock, secrets, seals, notify, nodeId: id })
      const counts = new Map<string, number>()
      const counted = counting(more.database ?? database, counts)
      const sender = createSender({ clock, log, sessions, ledger, seals, nodeId: id, ...more, database: counted })
      const stop = new AbortController()
      let running: Promise<void> | undefined
      const node: SendingNode = {
        id,
        ledger,
        sender,
        beat: async () => void (await beatNode(database, { id, startedAt: 0, roles: ['worker'] }, clock.now())),
        work() {
          running ??= sender.run(stop.signal)
        },
        async polled(times = 2) {
          const target = (counts.get('sends.due') ?? 0) + times + 1
          await vi.waitFor(
            () => {
              sender.wake()
              expect(counts.get('sends.due') ?? 0).toBeGreaterThanOrEqual(target)
            },
            { interval: 5 },
          )
        },
        async executed(statement, times) {
          const target = (counts.get(statement) ?? 0) + times
          await vi.waitFor(() => expect(counts.get(statement) ?? 0).toBeGreaterThanOrEqual(target), { interval: 5 })
        },
        async [Symbol.asyncDispose]() {
          stop.abort()
          await running
          await sender[Symbol.asyncDispose]()
        },
      }
      await node.beat()
      nodes.push(node)
      return node
    },
    nodes,
    async endNodes() {
      for (const node of nodes.splice(0)) {
        await node[Symbol.asyncDispose]()
        await leaveNode(database, node.id)
      }
    },
    newSend(more = {}) {
      const id = randomUUID()
      return {
        id,
        applicationId,
        grantId,
        mail: {
          messageId: `${id}@example.com`,
          from: 'sender@example.com',
          recipients: ['ann@example.com', 'bob@example.com'],
          source: Buffer.from(`Message-ID: <${id}@example.com>\r\nSubject: Hello\r\n\r\nText\r\n`),
        },
        dueAt: clock.now(),
        facts: { subject: 'Hello', to: [{ email: 'ann@example.com' }], secret: 'not told' },
        ...more,
      }
    },
    async accept(node, more) {
      const send = sending.newSend(more)
      await database.transaction((tx) => node.ledger.accept(tx, send))
      return send
    },
    async row(id) {
      const row = await readSend(database, { applicationId, id }, seals)
      if (!row) throw new Error('no such send')
      return row
    },
    pieces: async (id) => (await database.get(sources, [id]))?.count ?? 0,
    async [Symbol.asyncDispose]() {
      await sending.endNodes()
      await service[Symbol.asyncDispose]()
    },
  }
  return sending
}
