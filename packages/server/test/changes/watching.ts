/**
 * A store with grants, nodes that watch them, and scripted mailboxes. The clock is stopped; the polls of a node run,
 * and can be triggered.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import path from 'node:path'
import { type Grant, triggers } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { keyRingFromText } from '@waypost/platform/crypto/key-ring'
import { createSecrets } from '@waypost/platform/crypto/secrets'
import { createEgress } from '@waypost/platform/egress/egress'
import { createLog } from '@waypost/platform/log'
import {
  type Change,
  type ChangeSource,
  defineProvider,
  type FoundChanges,
  type Provider,
  type SinceOptions,
} from '@waypost/providers/provider'
import type { Providers } from '@waypost/providers/registry'
import { type Database, type Queries, StoreUnavailable } from '@waypost/store/engine/database'
import { insertApplication } from '@waypost/store/tables/applications/applications'
import { beatNode, leaveNode } from '@waypost/store/tables/applications/nodes'
import { deleteGrant, type GrantRecord, getGrant, insertGrant, updateGrant } from '@waypost/store/tables/grants/grants'
import { shardsOf } from '@waypost/store/tables/grants/watch-shards'
import { readWatch, type WatchRow } from '@waypost/store/tables/grants/watches'
import type { Engine } from '@waypost/testing/engines'
import { migratedStore } from '@waypost/testing/peers/test-stores'
import { sql } from '@waypost/testing/statement'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { expect, vi } from 'vitest'
import { openPostgresql } from '../../../store/src/engine/postgresql.ts'
import { openSqlite } from '../../../store/src/engine/sqlite.ts'
import { createWatcher, type Watcher, type WatcherOptions } from '../../src/changes/watcher.ts'
import type { Notify } from '../../src/grants/notify.ts'
import { createSessions } from '../../src/grants/sessions.ts'
import { createNotify } from '../../src/webhooks/notify.ts'
import { payloadOf, type SealedRow, testSeals } from '../webhooks/notification-rows.ts'

const unusedParse = {
  run: () => Promise.reject(new Error('nothing to parse')),
  [Symbol.asyncDispose]: async () => undefined,
}

export const firstDay = 1_760_000_000_000

/** Waits until the check succeeds. */
export const until = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { interval: 10 })

/** An account at the fake provider: a list of its changes. */
export class Mailbox {
  readonly happened: Change[] = []
  /** The arguments of `since`: the cursors, and the time from which changes are notified. */
  readonly requested: { cursor: string | undefined; notBefore: number }[] = []
  /** Number of calls of `since` with the request to renew pushes. */
  renewals = 0
  /** Opened sessions, and those of them that ended. */
  opened = 0
  ended = 0
  /** Throws, waits or changes the page before the response. */
  before: (() => Promise<void> | void) | undefined
  /** Further parts of each response. */
  found: Partial<FoundChanges> = {}
  /** Maximum number of changes in one response. */
  page = Number.POSITIVE_INFINITY
  #seen = 0
  #waiting: { resolve(): void; reject(error: unknown): void } | undefined

  get isWaitedFor(): boolean {
    return this.#waiting !== undefined
  }

  happen(...changes: Change[]): void {
    this.happened.push(...changes)
    this.wakeWatch()
  }

  /** Something may have changed. */
  wakeWatch(): void {
    this.#waiting?.resolve()
  }

  lose(error: Error = new Error('the connection is lost')): void {
    this.#waiting?.reject(error)
  }

  async since(
    cursor: string | undefined,
    { notBefore, renewPush }: SinceOptions,
  ): ReturnType<ChangeSource<Mailbox>['since']> {
    this.requested.push({ cursor, notBefore })
    if (renewPush) this.renewals++
    await this.before?.()
    const from = cursor === undefined ? this.happened.length : Number(cursor)
    const changes = this.happened.slice(from, from + this.page)
    this.#seen = from + changes.length
    return { ...this.found, changes, cursor: String(this.#seen), more: this.#seen < this.happened.length }
  }

  wait(signal: AbortSignal): Promise<void> {
    if (this.#seen < this.happened.length) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#waiting = undefined
        signal.removeEventListener('abort', abort)
      }
      const abort = (): void => this.#waiting?.reject(new Error('ended'))
      signal.addEventListener('abort', abort)
      this.#waiting = {
        resolve: () => {
          end()
          resolve()
        },
        reject: (error) => {
          end()
          reject(error)
        },
      }
    })
  }
}

/** A provider of mailboxes by grant. It accepts every password but `wrong`. */
export function openMailboxes(receive?: Provider['receive']): {
  provider: Provider
  mailboxOf(grantId: string): Mailbox
} {
  const mailboxes = new Map<string, Mailbox>()
  const mailboxOf = (grantId: string): Mailbox => {
    const known = mailboxes.get(grantId) ?? new Mailbox()
    mailboxes.set(grantId, known)
    return known
  }
  const provider = defineProvider<Mailbox>()({
    kind: 'imap',
    async authenticate({ imap_username: email, imap_password: password, ...settings }) {
      if (password === 'wrong') throw new ApiError('authentication_failed')
      const identity = { email: String(email), name: null, providerUserId: null, scope: [] }
      return { ...identity, settings: { ...settings, imap_username: email }, credentials: { password } }
    },
    open(grant, io) {
      const mailbox = mailboxOf(grant.id)
      mailbox.opened++
      io.signal.addEventListener('abort', () => mailbox.ended++)
      return mailbox
    },
    changes: {
      since: (mailbox, cursor, options) => mailbox.since(cursor, options),
      wait: async (mailbox, signal) => {
        await mailbox.wait(signal)
        return undefined
      },
    },
  })
  return { provider: receive ? { ...provider, receive } : provider, mailboxOf }
}

/** A message that arrived at a time, under an id. */
export const arrival = (id: string, happenedAt = firstDay + 1_000): Change => ({
  trigger: 'message.created',
  object: { ...triggers['message.created'].sample, id },
  happenedAt,
})
export const deletion = (id: string, happenedAt = firstDay + 1_000): Change => ({
  trigger: 'message.deleted',
  object: { ...triggers['message.deleted'].sample, id },
  happenedAt,
})
export const renaming = (id: string, happenedAt = firstDay + 1_000): Change => ({
  trigger: 'folder.updated',
  object: { ...triggers['folder.updated'].sample, id },
  happenedAt,
})

export interface Node extends AsyncDisposable {
  readonly id: string
  readonly watcher: Watcher
  /** Writes a heartbeat of the node. */
  beat(): Promise<void>
  /** Stops like a frozen process: its store queries wait, and it does not receive their results. */
  freeze(): void
  /** Disconnects the store, or connects it again. */
  cutOff(isCut: boolean): void
  thaw(): void
  /** Fails once in a transaction, at the statement with this name. */
  failOnce(statement: string): void
  shards(): Promise<number>
  /** Stops it gracefully. */
  stop(): Promise<void>
  logs(): string
}

export interface Told {
  type: string
  object: Record<string, unknown>
}

export interface Post extends AsyncDisposable {
  readonly database: Database
  readonly clock: TestClock
  readonly applicationId: string
  readonly notify: Notify
  readonly providers: Providers
  /** Starts a node that watches. */
  node(options?: Partial<WatcherOptions>): Promise<Node>
  /** Writes heartbeats of these nodes, and advances time in steps shorter than a lease. */
  pass(milliseconds: number, ...nodes: Node[]): Promise<void>
  /** Resolves when the only node has polled twice since the call: everything pending has been noticed. */
  polled(node: Node): Promise<void>
  grant(changes?: Partial<GrantRecord>, fields?: Partial<Grant>): Promise<GrantRecord>
  change(record: GrantRecord, changes: Partial<GrantRecord>, fields?: Partial<Grant>): Promise<GrantRecord>
  mailbox(record: GrantRecord): Mailbox
  /** The notifications of a grant, oldest first. */
  reported(record: GrantRecord): Promise<Told[]>
  /** The ids of the notified objects. */
  reportedIds(record: GrantRecord): Promise<unknown[]>
  saved(record: GrantRecord): Promise<WatchRow | undefined>
  status(record: GrantRecord): Promise<string | undefined>
}

const notificationsOf = sql<SealedRow & { type: string }>(
  'test.told',
  'select id, application_id, type, sealed_payload from notifications where grant_id = $1 order by sequence',
)

/** The notifications of a grant, oldest first. */
export const readReported = async (database: Queries, grantId: string, seals?: DataSeals): Promise<Told[]> =>
  (await database.all(notificationsOf, [grantId])).map((row) => ({
    type: row.type,
    object: JSON.parse(payloadOf(row, seals)).object,
  }))

async function openStore(engine: Engine, stack: AsyncDisposableStack): Promise<Database> {
  const { dataDir, databaseUrl } = stack.use(await migratedStore(engine))
  return stack.use(
    databaseUrl ? openPostgresql(databaseUrl, () => undefined) : openSqlite(path.join(dataDir, 'waypost.db')),
  )
}

/** The store as one node reaches it. */
interface Reach {
  database: Database
  freeze(): void
  thaw(): void
  cutOff(isCut: boolean): void
  failOnce(statement: string): void
}

function reach(database: Database): Reach {
  let failing: string | undefined
  const orFail = (tx: Queries): Queries => ({
    get: (...requested) => tx.get(...requested),
    all: (...requested) => tx.all(...requested),
    run: (...requested) => tx.run(...requested),
    async post(...requested) {
      if (requested[0].name !== failing) return tx.post(...requested)
      failing = undefined
      throw new Error('the statement failed')
    },
  })
  let frozen: PromiseWithResolvers<void> | undefined
  let cut = false
  const pass = async <T>(ask: () => Promise<T>): Promise<T> => {
    await frozen?.promise
    if (cut) throw new StoreUnavailable('cut off', undefined)
    const answer = await ask()
    await frozen?.promise
    return answer
  }
  return {
    database: {
      ...database,
      get: (...requested) => pass(() => database.get(...requested)),
      all: (...requested) => pass(() => database.all(...requested)),
      run: (...requested) => pass(() => database.run(...requested)),
      post: (...requested) => pass(() => database.post(...requested)),
      transaction: (work) => pass(() => database.transaction((tx) => work(orFail(tx)))),
      exclusively: (work) => pass(() => database.exclusively(work)),
      rewrite: () => pass(() => database.rewrite()),
    },
    freeze: () => {
      frozen = Promise.withResolvers()
    },
    thaw: () => frozen?.resolve(),
    cutOff: (isCut) => {
      cut = isCut
    },
    failOnce: (statement) => {
      failing = statement
    },
  }
}

export async function openPost(engine: Engine, receive?: Provider['receive']): Promise<Post> {
  await using stack = new AsyncDisposableStack()
  const database = await openStore(engine, stack)
  const clock = testClock(firstDay)
  const applicationId = randomUUID()
  await insertApplication(database, {
    id: applicationId,
    environment: 'production',
    default_workspace_id: randomUUID(),
    grant_limit: null,
    blocked: 0,
    domain: null,
    branding: '{}',
    hosted_authentication: '{}',
    idp_settings: '{}',
    additional_settings: '{}',
    notification_stream_until: 1,
    mcp_enabled: 0,
    notification_days: null,
    created_at: clock.now(),
    updated_at: clock.now(),
  })

  const { provider, mailboxOf } = openMailboxes(receive)
  const egress = stack.use(createEgress({ mode: 'private' }))
  const secrets = createSecrets(keyRingFromText(randomBytes(32).toString('base64')))
  const notify: Notify = createNotify({
    clock,
    checks: true,
    engine: database.engine,
    seals: testSeals,
    onQueued: () => undefined,
  })

  const nodes = new AsyncDisposableStack()
  async function node(options: Partial<WatcherOptions> = {}): Promise<Node> {
    const id = randomUUID()
    const lines: string[] = []
    const log = createLog('debug', { write: (line) => void lines.push(line) })
    const way = reach(database)
    const providers = { imap: provider }
    const sessions = createSessions({
      database: way.database,
      providers,
      egress,
      clock,
      log,
      secrets,
      seals: testSeals,
      parse: unusedParse,
      notify,
      baseUrl: 'http://127.0.0.1',
      providerUrls: {},
      providerServers: {},
      shared: new Map(),
      push: undefined,
      shown: (html) => html,
      pollSeconds: 60,
      accountMail: () => {
        throw new Error('nothing is sent')
      },
      mailAddress: undefined,
      readsReplies: false,
      mailPerDay: 250,
    })
    const watcher = createWatcher({
      database: way.database,
      clock,
      log,
      sessions,
      providers,
      notify,
      seals: testSeals,
      nodeId: id,
      parse: unusedParse,
      ...options,
    })
    const beat = async (): Promise<void> => {
      await beatNode(database, { id, startedAt: firstDay, roles: ['worker'] }, clock.now())
      watcher.wake()
    }
    await beat()
    const stopper = new AbortController()
    const running = watcher.run(stopper.signal)
    const stop = async (): Promise<void> => {
      way.thaw()
      stopper.abort()
      await running
      await leaveNode(database, id)
      await sessions[Symbol.asyncDispose]()
    }
    return nodes.use({
      id,
      watcher,
      beat,
      ...way,
      shards: async () => (await shardsOf(database, id)).length,
      stop,
      logs: () => lines.join(''),
      [Symbol.asyncDispose]: stop,
    })
  }

  async function grant(changes: Partial<GrantRecord> = {}, fields: Partial<Grant> = {}): Promise<GrantRecord> {
    const record = recordOf(applicationId, changes, fields)
    await insertGrant(database, record)
    return record
  }

  const reported: Post['reported'] = ({ grant: { id } }) => readReported(database, id)

  const retained = stack.move()
  return {
    database,
    clock,
    applicationId,
    notify,
    providers: { imap: provider },
    node,
    async pass(milliseconds, ...nodes) {
      for (let left = milliseconds; left > 0; left -= 5_000) {
        clock.advance(Math.min(left, 5_000))
        for (const each of nodes) await each.beat()
      }
    },
    async polled({ watcher }) {
      const beacon = await grant()
      watcher.wake()
      await until(() => expect(mailboxOf(beacon.grant.id).isWaitedFor).toBe(true))
      await deleteGrant(database, applicationId, beacon.grant.id)
      watcher.wake()
      await until(() => expect(mailboxOf(beacon.grant.id).ended).toBe(1))
    },
    grant,
    async change(record, changes, fields = {}) {
      const changed = { ...record, ...changes, grant: { ...record.grant, ...fields } }
      await updateGrant(database, changed)
      return changed
    },
    mailbox: (record) => mailboxOf(record.grant.id),
    reported,
    reportedIds: async (record) => (await reported(record)).map(({ object }) => object.id),
    saved: (record) => readWatch(database, { applicationId, grantId: record.grant.id }, testSeals),
    status: async (record) => (await getGrant(database, applicationId, record.grant.id))?.status,
    async [Symbol.asyncDispose]() {
      await nodes.disposeAsync()
      await retained.disposeAsync()
    },
  }
}

export function recordOf(
  applicationId: string,
  changes: Partial<GrantRecord> = {},
  fields: Partial<Grant> = {},
): GrantRecord {
  const id = randomUUID()
  return {
    grant: {
      id,
      provider: 'imap',
      grant_status: 'valid',
      email: `${id}@example.com`,
      name: null,
      scope: [],
      user_agent: null,
      ip: null,
      state: null,
      settings: {},
      metadata: {},
      provider_user_id: null,
      external_id: null,
      credential_id: null,
      workspace_id: 'workspace',
      blocked: false,
      created_at: firstDay / 1000,
      updated_at: firstDay / 1000,
      ...fields,
    },
    applicationId,
    connectorId: 'connector',
    emailKey: `${id}@example.com`,
    status: 'valid',
    sealedCredentials: null,
    purgeAt: null,
    createdAt: firstDay,
    updatedAt: firstDay,
    ...changes,
  }
}

/** A function that fails at these calls, counted from 1. */
export function failingAt(notify: Notify, ...calls: number[]): Notify {
  let count = 0
  return async (tx: Queries, reported) => {
    if (calls.includes(++count)) throw new Error('the transaction broke in the middle')
    await notify(tx, reported)
  }
}
