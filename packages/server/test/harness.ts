/**
 * A whole service for one test: a real store and the real API. Requests arrive as `Request` objects, or through a port
 * for clients that need one.
 */
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createLog } from '@waypost/platform/log'
import { type Engine, engines } from '@waypost/testing/engines'
import { isOnCitus } from '@waypost/testing/on-citus'
import { copySqlite, postgresStore, storesFolder } from '@waypost/testing/peers/test-stores'
import { sql } from '@waypost/testing/statement'
import type { App } from '../src/api/app.ts'
import { readConfig } from '../src/config.ts'
import { createServerApp } from '../src/create-app.ts'
import { startNode } from '../src/node.ts'
import type { BuildOptions } from '../src/services/build-options.ts'
import { createServices } from '../src/services/index.ts'
import type { BuiltServices } from '../src/services/services.ts'
import { openThreads } from '../src/services/threads.ts'

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  body: any
}

export interface CallOptions {
  /** The credential: an API key (default: the sandbox's), `null` for none. */
  key?: string | null
  /** Calls as the administrator. */
  admin?: boolean
  body?: unknown
  headers?: Record<string, string>
}

export interface TestService extends AsyncDisposable {
  services: BuiltServices
  app: App
  apiKey: string
  adminPassword: string
  /** The complete log, as text. */
  logs(): string
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** Creates an application without rate limits and returns its key. */
  createApplication(name?: string): Promise<{ id: string; key: string }>
  /** Creates the virtual-calendar connector and a grant. */
  createGrant(email: string, key?: string): Promise<{ id: string; [field: string]: unknown }>
  /** Opens a port and returns the base address. */
  listen(): Promise<string>
}

export interface ServiceOptions {
  engine?: Engine
  env?: Record<string, string>
  overrides?: BuildOptions
  /**
   * To share a store: several nodes on one PostgreSQL, or a restart on the same files. A folder without a store gets a
   * migrated one.
   */
  dataDir?: string
  databaseUrl?: string
  /** Whether applications have the stream of notifications, from which tests read notifications. Default: true. */
  stream?: boolean
}

/** A minimal cost for password hashes: every service hashes a password, and nobody attacks the hashes of tests. */
const passwordCost = { memory: 8, passes: 1 }

/**
 * The services of a process share these threads, because starting a thread costs more than most tests. The threads end
 * with the process.
 */
// A busy machine never makes a test give up on a message or an answer.
const threads = openThreads({ idleMs: 120_000, readingMs: 30_000, answerMs: 30_000 })

export interface SharedService extends TestService {
  /** The application of the test file. */
  applicationId: string
}

const sharedServices = new Map<Engine, Promise<TestService>>()

/**
 * The service that the files of a worker share, with a new application. `call` and `createGrant` use the key of that
 * application. Disposing it does nothing, since the service ends with the worker.
 *
 * A file opens its own service (`openService`) only if it changes settings, the clock, the log or providers, needs a
 * port, runs jobs (`doJobs`), restarts, or checks something of the whole installation: the sandbox key, lists and
 * figures of all applications, people, log lines, the number of rows in a table. Opening a service takes 40 ms of
 * processor time, and creating an application takes 2 ms.
 */
export async function sharedService(engine: Engine = engines[0] ?? 'sqlite'): Promise<SharedService> {
  const opened = sharedServices.get(engine) ?? openShared(engine)
  sharedServices.set(engine, opened)
  const service = await opened
  const { id, key } = await service.createApplication('Shared')
  return {
    ...service,
    applicationId: id,
    apiKey: key,
    call: (method, target, options) => service.call(method, target, { key, ...options }),
    createGrant: (email, other = key) => service.createGrant(email, other),
    listen: refuse,
    logs: refuse,
    [Symbol.asyncDispose]: async () => undefined,
  }
}

const refuse = (): never => {
  throw new Error('A file that needs a port or the log opens its own service.')
}

/** The run deletes the folder at its end, because a worker may be killed without notice. */
const openShared = async (engine: Engine): Promise<TestService> => {
  const dataDir = await mkdtemp(path.join(storesFolder(), 'shared-'))
  if (engine === 'sqlite') await copySqlite(dataDir)
  return openService({ engine, dataDir })
}

const streamsOn = sql('test.streamsOn', 'update applications set notification_stream_until = 9000000000000')

/** A folder may also contain the remains of a store, which the service must find. */
const isWithoutStore = (folder: string): boolean =>
  !existsSync(folder) || !readdirSync(folder).some((name) => name.startsWith('waypost.db'))

export async function openService(options: ServiceOptions = {}): Promise<TestService> {
  await using place = new AsyncDisposableStack()
  const dataDir = options.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'waypost-test-')))
  if (!options.dataDir) place.defer(() => rm(dataDir, { recursive: true, force: true }))
  const engine = options.engine ?? (isOnCitus && !options.dataDir ? 'postgresql' : undefined)
  const ownsDatabase = engine === 'postgresql' && !options.databaseUrl
  const databaseUrl = ownsDatabase ? place.use(await postgresStore()).url : options.databaseUrl
  if (!databaseUrl && isWithoutStore(dataDir)) await copySqlite(dataDir)
  const apiKey = 'wpk_test_CANARY-API-KEY-0123456789abcdef'
  const chosenPassword = 'CANARY-admin-password'
  const { config, secrets } = readConfig({
    NODE_ENV: 'test',
    WAYPOST_PORT: '0',
    WAYPOST_DATA_DIR: dataDir,
    WAYPOST_API_KEY: apiKey,
    WAYPOST_ADMIN_PASSWORD: chosenPassword,
    WAYPOST_RATE_LIMITS: 'off',
    WAYPOST_SHUTDOWN_ANNOUNCE_MS: '0',
    WAYPOST_LOG_LEVEL: 'debug',
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    ...options.env,
  })
  const lines: string[] = []
  const log = options.overrides?.log ?? createLog(config.logLevel, { write: (line) => void lines.push(line) })
  const services = await createServices(config, secrets, { passwordCost, threads, ...options.overrides, log })
  // Without a password in the settings, the first start generates one.
  const adminPassword = services.administration.installation.adminPassword ?? chosenPassword
  const app = createServerApp(services)
  const switchStreamsOn = async (): Promise<void> => {
    if (options.stream !== false) await services.storage.database.run(streamsOn)
  }
  await switchStreamsOn()
  let running: Awaited<ReturnType<typeof startNode>> | undefined
  const held = place.move()

  const call: TestService['call'] = async (method, target, { key = apiKey, admin, body, headers } = {}) => {
    const basic = `Basic ${Buffer.from(`admin:${adminPassword}`).toString('base64')}`
    const authorization = admin ? basic : key === null ? undefined : `Bearer ${key}`
    const response = await app.request(target, {
      method,
      headers: {
        ...(authorization ? { authorization } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const json = response.headers.get('content-type') === 'application/json'
    return { status: response.status, headers: response.headers, body: json && text !== '' ? JSON.parse(text) : text }
  }

  return {
    services,
    app,
    apiKey,
    adminPassword,
    logs: () => lines.join(''),
    call,
    async createApplication(name = 'Another') {
      const made = await call('POST', '/v3/admin/applications', { admin: true, body: { name } })
      const id: string = made.body.data.application_id
      const key = await call('POST', `/v3/admin/applications/${id}/api-keys`, { admin: true, body: { name: 'key' } })
      await switchStreamsOn()
      return { id, key: key.body.data.api_key }
    },
    async createGrant(email, key) {
      await call('POST', '/v3/connectors', { key, body: { provider: 'virtual-calendar' } })
      const made = await call('POST', '/v3/connect/custom', {
        key,
        body: { provider: 'virtual-calendar', settings: { email } },
      })
      if (made.status !== 201) throw new Error(`no grant: ${JSON.stringify(made.body)}`)
      return made.body.data
    },
    async listen() {
      running ??= await startNode(services)
      return `http://127.0.0.1:${running.port}`
    },
    async [Symbol.asyncDispose]() {
      if (running) await running[Symbol.asyncDispose]()
      else await services[Symbol.asyncDispose]()
      await held.disposeAsync()
    },
  }
}
