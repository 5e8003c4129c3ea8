/**
 * A site under test: one store, its nodes, good receivers, and an application whose accounts the writer changes.
 * Everything uses the HTTP API, as a client would.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Program } from '@waypost/testing/programs'
import { type Node, type ProgramFile, type Role, startNode } from './node.ts'
import { type Receivers, startReceivers } from './receivers.ts'

export const adminPassword = 'faults-admin-password'
const accounts = 4
const day = 86_400
/** All events of a run are in the day that starts here. */
export const firstDay = 1_800_000_000

export interface Account {
  grantId: string
  calendarId: string
}

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  body: any
}

export interface Site extends AsyncDisposable {
  readonly dataDir: string
  readonly receivers: Receivers
  readonly accounts: readonly Account[]
  /** The node that clients call: the last one started with the role. */
  api(): Node
  /** The live nodes that deliver. */
  workers(): Node[]
  start(...roles: Role[]): Promise<Node>
  /** Starts a node of another program, such as an earlier release. */
  startProgram(program: Program | ProgramFile, ...roles: Role[]): Promise<Node>
  /** From now on, clients call the node that this function returns; they wait while there is none. */
  balance(choose: () => Node | undefined): void
  /** Starts a node for the sending scenarios; `failpoint` is where it ends. */
  startSending(failpoint: string, ...roles: Role[]): Promise<Node>
  /** Starts a node whose machine's clock jumps by this many milliseconds, and back, at each SIGUSR2. */
  startStepping(milliseconds: number, ...roles: Role[]): Promise<Node>
  /** Creates application, accounts and destinations; needs a node with the API. */
  settle(): Promise<void>
  call(method: string, target: string, options?: { body?: unknown; headers?: Record<string, string> }): Promise<Answer>
  /** The headers of the application's requests. */
  authorization(): Record<string, string>
  /** Waits until the node that clients call is not ready. */
  unready(): Promise<void>
  /** Creates one more destination and returns its id. */
  subscribe(url: string): Promise<{ id: string; secret: string }>
  /** Waits until no delivery to a good destination is waiting; returns whether that happened in time. */
  quiet(deadlineMs: number): Promise<boolean>
  /** All events, as id and title. */
  events(): Promise<Map<string, string>>
}

export interface SiteOptions {
  /** PostgreSQL; else a SQLite file. */
  databaseUrl?: string
  /** A folder that persists. */
  dataDir?: string
  /** Additional settings of the nodes. */
  settings?: Record<string, string>
  destinations: number
  /** Clients use a new connection for each request. */
  closing?: boolean
}

export async function openSite(options: SiteOptions): Promise<Site> {
  await using stack = new AsyncDisposableStack()
  const dataDir = options.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'waypost-faults-')))
  if (!options.dataDir) stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const receivers = stack.use(await startReceivers(options.destinations))
  const ended = new AsyncDisposableStack()
  const nodes: { node: Node; roles: readonly Role[] }[] = []
  const made: Account[] = []
  const webhooks: string[] = []
  let key = ''

  const settings = {
    WAYPOST_DATA_DIR: dataDir,
    WAYPOST_API_KEY: 'wpk_faults-0123456789abcdef',
    WAYPOST_ADMIN_PASSWORD: adminPassword,
    ...(options.databaseUrl ? { DATABASE_URL: options.databaseUrl } : {}),
    ...options.settings,
  }

  async function keep(starting: Promise<Node>, roles: readonly Role[]): Promise<Node> {
    const node = ended.use(await starting)
    nodes.push({ node, roles })
    return node
  }

  const start = (...roles: Role[]): Promise<Node> => keep(startNode(roles, settings), roles)
  const startProgram: Site['startProgram'] = (program, ...roles) => keep(startNode(roles, settings, program), roles)
  const startSending = (failpoint: string, ...roles: Role[]): Promise<Node> =>
    keep(startNode(roles, { ...settings, FAILPOINT: failpoint }, 'sending-node'), roles)

  const startStepping = (milliseconds: number, ...roles: Role[]): Promise<Node> =>
    keep(startNode(roles, { ...settings, CLOCK_STEP: String(milliseconds) }, 'clock-node'), roles)

  const api = (): Node => {
    const last = nodes.findLast(({ roles }) => roles.includes('api'))
    if (!last) throw new Error('no node with the API was started')
    return last.node
  }

  let chosen: () => Node | undefined = api
  async function send(method: string, target: string, headers: Record<string, string>, body: unknown): Promise<Answer> {
    let node = chosen()
    while (!node) {
      await sleep(5)
      node = chosen()
    }
    const response = await fetch(`${node.base}${target}`, {
      method,
      headers: { 'content-type': 'application/json', ...(options.closing ? { connection: 'close' } : {}), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    })
    const text = await response.text()
    const json = response.headers.get('content-type') === 'application/json' && text !== ''
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text }
  }

  const call: Site['call'] = (method, target, { body, headers } = {}) =>
    send(method, target, { authorization: `Bearer ${key}`, ...headers }, body)

  /** Sets something up; a refusal ends the run. */
  async function make(target: string, body: unknown, admin = false): Promise<Record<string, string>> {
    const basic = `Basic ${Buffer.from(`admin:${adminPassword}`).toString('base64')}`
    const answer = await send('POST', target, { authorization: admin ? basic : `Bearer ${key}` }, body)
    if (answer.status >= 300) throw new Error(`POST ${target}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }

  async function subscribe(url: string): Promise<{ id: string; secret: string }> {
    const { id = '', webhook_secret: secret = '' } = await make('/v3/webhooks', {
      webhook_url: url,
      trigger_types: ['event.created'],
    })
    return { id, secret }
  }

  async function settle(): Promise<void> {
    const { application_id: id } = await make('/v3/admin/applications', { name: 'Faults' }, true)
    key = (await make(`/v3/admin/applications/${id}/api-keys`, { name: 'Faults' }, true)).api_key ?? ''
    await make('/v3/connectors', { provider: 'virtual-calendar' })
    for (let index = 0; index < accounts; index++) {
      const settings = { email: `account-${index}@example.com` }
      const { id: grantId = '' } = await make('/v3/connect/custom', { provider: 'virtual-calendar', settings })
      const { id: calendarId = '' } = await make(`/v3/grants/${grantId}/calendars`, { name: 'Faults' })
      made.push({ grantId, calendarId })
    }
    for (const [index, url] of receivers.urls.entries()) {
      const { id: webhook, secret } = await subscribe(url)
      receivers.setSecret(index, secret)
      webhooks.push(webhook)
    }
  }

  async function isQuiet(): Promise<boolean> {
    for (const webhook of webhooks) {
      const { status, body } = await call('GET', `/v3/webhooks/${webhook}/deliveries?limit=1&state=waiting`)
      if (status !== 200 || body.data.length > 0) return false
    }
    return true
  }

  async function quiet(deadlineMs: number): Promise<boolean> {
    const deadline = performance.now() + deadlineMs
    for (;;) {
      if (await isQuiet().catch(() => false)) return true
      if (performance.now() > deadline) return false
      await sleep(200)
    }
  }

  async function events(): Promise<Map<string, string>> {
    const found = new Map<string, string>()
    for (const { grantId, calendarId } of made) {
      let cursor: string | undefined
      do {
        const page = cursor ? `&page_token=${encodeURIComponent(cursor)}` : ''
        const target = `/v3/grants/${grantId}/events?calendar_id=${calendarId}&start=${firstDay}&end=${firstDay + 2 * day}&limit=200${page}`
        const { status, body } = await call('GET', target)
        if (status !== 200) throw new Error(`events cannot be listed: ${status} ${JSON.stringify(body)}`)
        for (const event of body.data) found.set(event.id, event.title)
        cursor = body.next_cursor
      } while (cursor)
    }
    return found
  }

  const outer = stack.move()
  return {
    dataDir,
    receivers,
    accounts: made,
    api,
    workers: () => nodes.flatMap(({ node, roles }) => (roles.includes('worker') && node.isAlive() ? [node] : [])),
    start,
    startProgram,
    balance(choose) {
      chosen = choose
    },
    startSending,
    startStepping,
    settle,
    call,
    authorization: () => ({ authorization: `Bearer ${key}` }),
    async unready() {
      while ((await call('GET', '/ready')).status !== 503) await sleep(10)
    },
    subscribe,
    quiet,
    events,
    async [Symbol.asyncDispose]() {
      await ended.disposeAsync()
      await outer.disposeAsync()
    },
  }
}
