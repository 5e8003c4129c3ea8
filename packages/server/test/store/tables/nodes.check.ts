/**
 * Real server processes: alone on a SQLite file, several on one PostgreSQL, killed, stopped, and without their store.
 * `boot.test.ts` has what needs no process, and `start-modules.test.ts` an idle server that ends.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Engine, engines } from '@waypost/testing/engines'
import { isFull } from '@waypost/testing/level'
import { freshDatabaseUrl, migratedDatabase } from '@waypost/testing/peers/database-url'
import { startPostgres } from '@waypost/testing/peers/postgres'
import { processEnvironment, programFile } from '@waypost/testing/programs'
import { describe, expect, test, vi } from 'vitest'
import { openService } from '../../harness.ts'

const apiKey = 'wpk_test_nodes-0123456789abcdef'
const adminPassword = 'nodes-admin-password'
const chosen = { WAYPOST_API_KEY: apiKey, WAYPOST_ADMIN_PASSWORD: adminPassword }

/** The longest that a busy machine may need. */
const patient = { timeout: 60_000, interval: 50 }

interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
}
interface Node extends AsyncDisposable {
  base: string
  output(): string
  kill(signal: NodeJS.Signals): void
  ended: Promise<Ended>
}

const environment = (settings: Record<string, string>): Record<string, string> => ({
  ...processEnvironment,
  NODE_ENV: 'test',
  WAYPOST_PORT: '0',
  WAYPOST_RATE_LIMITS: 'off',
  ...settings,
})

/** Starts `waypost serve` and waits until it listens; rejects with its output if it ends instead. */
async function startNode(settings: Record<string, string>): Promise<Node> {
  const child: ChildProcess = spawn(process.execPath, [await programFile('waypost'), 'serve'], {
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal }))
  const base = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text
        const listening = /"port":(\d+).*"msg":"listening"/.exec(output)
        if (listening) resolve(`http://127.0.0.1:${listening[1]}`)
      })
    }
    ended.then(({ code }) => reject(new Error(`the server ended with ${code}: ${output}`)))
  })
  return {
    base,
    output: () => output,
    kill: (signal) => void child.kill(signal),
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

const newFolder = () => mkdtempDisposable(path.join(tmpdir(), 'waypost-nodes-'))

interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  body: any
}

const administrator = (password: string): string => `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`
const bearer = (key: string): string => `Bearer ${key}`

async function call(
  base: string,
  target: string,
  { authorization = bearer(apiKey), ...init }: { method?: string; body?: unknown; authorization?: string } = {},
): Promise<Answer> {
  const response = await fetch(`${base}${target}`, {
    method: init.method ?? (init.body === undefined ? 'GET' : 'POST'),
    headers: { authorization, 'content-type': 'application/json' },
    ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
  })
  const text = await response.text()
  const body = response.headers.get('content-type') === 'application/json' ? JSON.parse(text) : text
  return { status: response.status, headers: response.headers, body }
}

const newGrant = (base: string, email: string, key = apiKey): Promise<Answer> =>
  call(base, '/v3/connect/custom', {
    authorization: bearer(key),
    body: { provider: 'virtual-calendar', settings: { email } },
  })

const newConnector = (base: string, key = apiKey): Promise<Answer> =>
  call(base, '/v3/connectors', { authorization: bearer(key), body: { provider: 'virtual-calendar' } })

/** An application without a grant limit, with a connector; returns its key. */
async function newApplication(base: string): Promise<string> {
  const authorization = administrator(adminPassword)
  const made = await call(base, '/v3/admin/applications', { authorization, body: { name: 'Load' } })
  const keys = `/v3/admin/applications/${made.body.data.application_id}/api-keys`
  const key: string = (await call(base, keys, { authorization, body: { name: 'Load' } })).body.data.api_key
  expect((await newConnector(base, key)).status).toBe(201)
  return key
}

/** The addresses of all grants of an application. */
async function addressesOf(base: string, key: string): Promise<Set<string>> {
  const found = new Set<string>()
  let cursor: string | undefined
  do {
    const target = `/v3/grants?limit=200${cursor ? `&page_token=${cursor}` : ''}`
    const { status, body } = await call(base, target, { authorization: bearer(key) })
    expect(status).toBe(200)
    for (const grant of body.data) found.add(grant.email)
    cursor = body.next_cursor
  } while (cursor)
  return found
}

/** The settings of a new store, which is migrated if it is on PostgreSQL. */
async function newStore(engine: Engine, folder: string): Promise<Record<string, string>> {
  if (engine === 'sqlite') return { WAYPOST_DATA_DIR: folder }
  return { WAYPOST_DATA_DIR: folder, DATABASE_URL: (await migratedDatabase()).url }
}

/** A request whose head was sent and whose body is pending. */
function halfRequest(base: string, body: string): { request: ClientRequest; answer: Promise<IncomingMessage> } {
  const headers = {
    authorization: bearer(apiKey),
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  }
  const request = httpRequest(`${base}/v3/connect/custom`, { method: 'POST', headers, agent: false })
  const answer = once(request, 'response').then(([response]): IncomingMessage => response)
  request.flushHeaders()
  return { request, answer }
}

interface Way extends AsyncDisposable {
  url: string
  /** From now on, nothing passes, and no connection is refused. */
  freeze(): void
}

/** A proxy to PostgreSQL that can fall silent, like a network that loses packets. */
async function openWay(databaseUrl: string): Promise<Way> {
  const target = new URL(databaseUrl)
  const sockets: Socket[] = []
  let frozen = false
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const socket of [near, far]) sockets.push(socket.on('error', () => undefined))
    if (!frozen) near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = new URL(databaseUrl)
  url.port = typeof address === 'object' && address ? String(address.port) : ''
  return {
    url: url.href,
    freeze() {
      frozen = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await server[Symbol.asyncDispose]()
    },
  }
}

// Most of the time is waiting, so these run concurrently.
describe.concurrent('processes', { timeout: 180_000 }, () => {
  describe('a server that is asked to stop', () => {
    test.for(isFull ? engines : (['postgresql'] as const))(
      'logs it, answers requests in progress and ends with 0, on %s',
      async (engine) => {
        await using folder = await newFolder()
        const announce = { WAYPOST_SHUTDOWN_ANNOUNCE_MS: '3000' }
        const settings = { ...chosen, ...announce, ...(await newStore(engine, folder.path)) }
        const node = await startNode(settings)
        await using _node = node
        expect((await newConnector(node.base)).status).toBe(201)
        const body = JSON.stringify({ provider: 'virtual-calendar', settings: { email: 'in-flight@example.com' } })
        const slow = halfRequest(node.base, body)
        const stuck = halfRequest(node.base, body)
        const end = stuck.answer.then(
          ({ statusCode }) => String(statusCode),
          () => 'cut off',
        )
        await sleep(300)

        node.kill('SIGTERM')
        while ((await call(node.base, '/ready')).status !== 503) await sleep(20)
        slow.request.end(body)
        const answer = await slow.answer
        expect(answer.statusCode).toBe(201)
        answer.resume()
        expect(await node.ended).toEqual({ code: 0, signal: null })
        await expect(call(node.base, '/health')).rejects.toThrow()
        expect(await end).toMatch(/^(?:503|cut off)$/)
        expect(node.output()).not.toContain('unexpected failure')

        await using again = await startNode(settings)
        expect((await call(again.base, '/v3/grants/in-flight@example.com')).status).toBe(200)
      },
    )
  })

  // The first process of a container gets no signal that it does not handle.
  test('a server that waits for its store ends itself when it is asked to stop', async () => {
    await using store = createServer()
    store.listen(0, '127.0.0.1')
    await once(store, 'listening')
    const address = store.address()
    const port = typeof address === 'object' ? address?.port : 0
    await using folder = await newFolder()
    const databaseUrl = `postgres://waypost@127.0.0.1:${port}/waypost`
    const env = environment({ WAYPOST_DATA_DIR: folder.path, DATABASE_URL: databaseUrl })
    const child = spawn(process.execPath, [await programFile('waypost'), 'serve'], { env, stdio: 'ignore' })
    const [socket] = await once(store, 'connection')
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([143, null])
    socket.destroy()
  })

  test('a server that is asked to stop ends with 0 even if its store does not respond', async () => {
    await using folder = await newFolder()
    await using way = await openWay((await migratedDatabase()).url)
    const node = await startNode({ ...chosen, WAYPOST_DATA_DIR: folder.path, DATABASE_URL: way.url })
    await using _node = node
    way.freeze()
    const request = call(node.base, '/v3/grants').catch(() => undefined)
    await sleep(200)
    node.kill('SIGTERM')
    expect(await node.ended).toEqual({ code: 0, signal: null })
    expect(node.output()).toContain('shutdown took too long')
    expect([undefined, 503]).toContain((await request)?.status)
  })
})

describe('nodes on one PostgreSQL', () => {
  test('that start at the same moment all serve one installation', async () => {
    await using folder = await newFolder()
    await using stack = new AsyncDisposableStack()
    const settings = { WAYPOST_DATA_DIR: folder.path, DATABASE_URL: await freshDatabaseUrl() }
    const starts = await Promise.all(Array.from({ length: 3 }, () => startNode(settings)))
    const nodes = starts.map((node) => stack.use(node))
    const shown = nodes.map((node) => node.output()).join('\n')
    const keys = [...shown.matchAll(/API key +(wpk_\S+)/g)].map((match) => match[1] ?? '')
    const passwords = [...shown.matchAll(/Administrator +admin : (\S+)/g)].map((match) => match[1] ?? '')
    expect(keys).toHaveLength(1)
    expect(passwords).toHaveLength(1)
    const [key = ''] = keys
    const [firstPassword = ''] = passwords
    const body = { current_password: firstPassword, new_password: 'a password that three nodes accept' }
    const change = { method: 'PUT', body, authorization: administrator(firstPassword) }
    expect((await call(nodes[0]?.base ?? '', '/v3/admin/password', change)).status).toBe(200)
    const authorization = administrator(body.new_password)
    const lists = await Promise.all(nodes.map((node) => call(node.base, '/v3/admin/applications', { authorization })))
    for (const { status, body } of lists) {
      expect(status).toBe(200)
      expect(body.data.map((application: { environment: string }) => application.environment)).toEqual(['sandbox'])
    }
    const [first, second] = nodes
    if (!first || !second) throw new Error('no nodes')

    expect((await newConnector(first.base, key)).status).toBe(201)
    const made = await newGrant(first.base, 'shared@example.com', key)
    expect(made.status).toBe(201)
    const seen = await call(second.base, `/v3/grants/${made.body.data.id}`, { authorization: bearer(key) })
    expect(seen.status).toBe(200)
    expect(seen.body.data).toEqual(made.body.data)

    const at = `/v3/admin/applications/${lists[0]?.body.data[0].application_id}/api-keys`
    for (let round = 0; round < 5; round++) {
      const created = await call(first.base, at, { authorization, body: { name: 'Short-lived' } })
      const use = () => call(second.base, '/v3/grants', { authorization: bearer(created.body.data.api_key) })
      expect((await use()).status).toBe(200)
      const revoked = await call(first.base, `${at}/${created.body.data.id}`, { authorization, method: 'DELETE' })
      expect(revoked.status).toBe(200)
      expect((await use()).status).toBe(401)
    }
  })

  test('that start six times in one process create one sandbox, one key and one password that works everywhere', async () => {
    await using folder = await newFolder()
    await using stack = new AsyncDisposableStack()
    const databaseUrl = await freshDatabaseUrl()
    const env = { WAYPOST_API_KEY: '', WAYPOST_ADMIN_PASSWORD: '' }
    const open = () => openService({ databaseUrl, dataDir: folder.path, env })
    const services = (await Promise.all(Array.from({ length: 6 }, open))).map((service) => stack.use(service))
    const made = services.map((service) => service.services.administration.installation)
    expect(new Set(made.map(({ organizationId, sandboxId }) => `${organizationId} ${sandboxId}`)).size).toBe(1)
    expect(made.filter(({ apiKey: key }) => key !== undefined)).toHaveLength(1)
    const passwords = made.flatMap(({ adminPassword: password }) => password ?? [])
    expect(passwords).toHaveLength(1)
    for (const service of services)
      expect(await service.services.administration.administrator.verify(passwords[0] ?? '')).toBe(true)
  })
})

describe.each(isFull ? engines : (['sqlite'] as const))('a server on %s', (engine) => {
  test('keeps every acknowledged grant when it is killed, and bills each once', async () => {
    await using folder = await newFolder()
    const settings = { ...chosen, ...(await newStore(engine, folder.path)) }
    const node = await startNode(settings)
    await using _node = node
    const key = await newApplication(node.base)
    const acknowledged: string[] = []
    const refused: unknown[] = []
    const load = async (worker: number): Promise<void> => {
      for (let index = 0; ; index++) {
        const email = `${worker}-${index}@example.com`
        const answer = await newGrant(node.base, email, key).catch(() => undefined)
        if (!answer) return
        if (answer.status === 201) acknowledged.push(email)
        else refused.push(answer.body)
      }
    }
    const workers = [1, 2, 3, 4].map(load)
    while (acknowledged.length < 40 && refused.length === 0) await sleep(5)
    node.kill('SIGKILL')
    await Promise.all(workers)
    expect((await node.ended).signal).toBe('SIGKILL')
    expect(refused).toEqual([])

    await using again = await startNode(settings)
    const retained = await addressesOf(again.base, key)
    expect(acknowledged.filter((email) => !retained.has(email))).toEqual([])
    const authorization = administrator(adminPassword)
    const usage = await call(again.base, '/v3/admin/usage', { authorization })
    const billed = usage.body.data.map((item: { billed_grants: number }) => item.billed_grants)
    expect(billed.toSorted()).toEqual([0, retained.size].toSorted())
  })
})

describe('PostgreSQL that goes away under load', () => {
  test('causes 503 until it is back, loses nothing acknowledged, and the node recovers by itself', async () => {
    await using postgres = await startPostgres()
    await using folder = await newFolder()
    const settings = { ...chosen, WAYPOST_DATA_DIR: folder.path, DATABASE_URL: await postgres.createDatabase() }
    await using node = await startNode(settings)
    const key = await newApplication(node.base)
    const acknowledged: string[] = []
    const counts = new Map<number, number>()
    const strange: unknown[] = []
    let over = false
    const judge = ({ status, headers, body }: Answer): void => {
      counts.set(status, (counts.get(status) ?? 0) + 1)
      const isExplained = typeof body.request_id === 'string' && Number(headers.get('retry-after')) > 0
      if (status >= 300 && !(status === 503 && isExplained && body.error.type)) strange.push({ status, body })
    }
    const load = async (worker: number): Promise<void> => {
      for (let index = 0; !over; index++) {
        const email = `${worker}-${index}@example.com`
        const made = await newGrant(node.base, email, key)
        judge(made)
        if (made.status === 201) acknowledged.push(email)
        judge(await call(node.base, '/v3/grants?limit=3', { authorization: bearer(key) }))
        await sleep(60)
      }
    }
    const workers = [1, 2, 3, 4, 5, 6].map(load)
    const untilWell = async (): Promise<void> => {
      while ((await call(node.base, '/ready')).status !== 200) await sleep(50)
    }
    for (let round = 0; round < 2; round++) {
      const before = acknowledged.length
      while (acknowledged.length < before + 20 && strange.length === 0) await sleep(5)
      await postgres.restart('immediate')
      await untilWell()
    }
    await postgres.stop()
    expect((await call(node.base, '/health')).status).toBe(200)
    const down = await call(node.base, '/ready')
    expect(down.status).toBe(503)
    expect(down.body.error.message).not.toMatch(/ECONN|127\.0\.0\.1|postgres:/)
    const refusals = counts.get(503) ?? 0
    await vi.waitFor(() => expect(counts.get(503) ?? 0).toBeGreaterThan(refusals + 5), patient)
    await postgres.start()
    await untilWell()
    const before = acknowledged.length
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 5), patient)
    over = true
    await Promise.all(workers)

    expect(strange.slice(0, 3)).toEqual([])
    expect(counts.get(503)).toBeGreaterThan(0)
    const retained = await addressesOf(node.base, key)
    expect(acknowledged.filter((email) => !retained.has(email))).toEqual([])
    node.kill('SIGTERM')
    expect(await node.ended, node.output().slice(-3000)).toEqual({ code: 0, signal: null })
  })
})
