/**
 * What a mailbox at a real dovecot costs:
 * (a) a page of 50 of 5,000 messages, asked for by 1 and by 10 at a time, against the floor of bare imapflow fetching the
 *     same fields of the same messages on connections that are open already: the first page again and again, which was
 *     read before, and a walk through all pages, of which none was;
 * (b) the time from the arrival of a message to its notification, against the time that IDLE itself takes to tell of it;
 * (c) the memory of an idle watched grant, beside that of a socket that does the same;
 * and the time from a cold start to the first page. Only ratios and differences within one run are meant to be read.
 *
 *   npm run bench:imap [-- --quick] [-- --json] [-- --only=start|pages|arrivals|memory]
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import tls from 'node:tls'
import { fileURLToPath } from 'node:url'
import { ImapFlow } from 'imapflow'
import { readConfig } from '../packages/server/src/config.ts'
import { createHouse } from '../packages/server/src/house.ts'
import { createEgress } from '../packages/server/src/lib/egress.ts'
import { startServer } from '../packages/server/src/server.ts'
import { type BuiltServices, createServices } from '../packages/server/src/services.ts'
import { startDovecot } from '../packages/server/test/peers/dovecot.ts'
import type { Mailbox, MailServer } from '../packages/server/test/peers/mail-server.ts'

const quick = process.argv.includes('--quick')
const json = process.argv.includes('--json')
const only = process.argv.find((word) => word.startsWith('--only='))?.slice(7)
const adminPassword = 'only-for-the-benchmark'
const messages = quick ? 1_000 : 5_000
const rounds = quick ? 3 : 7
const pages = quick ? 20 : 60
const arrivals = quick ? 10 : 60
const idleGrants = quick ? [1, 20, 60] : [1, 50, 500]

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0
const round = (value: number, digits = 2): number => Math.round(value * 10 ** digits) / 10 ** digits

interface Node extends AsyncDisposable {
  services: BuiltServices
  url: string
}

/** A whole node in this process, with a store of its own. */
async function openNode(server: { ca: string }, roles: string): Promise<Node> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'waypost-bench-'))
  const { config, secrets } = readConfig({
    WAYPOST_PORT: '0',
    WAYPOST_DATA_DIR: dataDir,
    WAYPOST_ADMIN_PASSWORD: adminPassword,
    WAYPOST_RATE_LIMITS: 'off',
    WAYPOST_LOG_LEVEL: 'silent',
    WAYPOST_ROLES: roles,
  })
  const services = await createServices(config, secrets, { egress: createEgress({ mode: 'private', ca: [server.ca] }) })
  const running = await startServer(services)
  return {
    services,
    url: `http://127.0.0.1:${running.port}`,
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** What the benchmark reads of an answer. */
interface Answered {
  data: { id: string; application_id: string; api_key: string; length: number }
  next_cursor?: string
}

type Call = (method: string, target: string, body?: unknown) => Promise<Answered>

/** Requests without a port in between: what is compared is the work on the mailbox. In the name of a new application. */
async function callerOf({ services }: Node): Promise<Call> {
  const app = createHouse(services)
  let authorization = `Basic ${btoa(`admin:${adminPassword}`)}`
  const call: Call = async (method, target, body) => {
    const headers = { authorization, 'content-type': 'application/json' }
    const response = await app.request(target, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = await response.text()
    if (!response.ok) throw new Error(`${method} ${target}: ${answer}`)
    return JSON.parse(answer)
  }
  const { data: made } = await call('POST', '/v3/admin/applications', { name: 'Benchmark' })
  const { data: key } = await call('POST', `/v3/admin/applications/${made.application_id}/api-keys`, { name: 'k' })
  authorization = `Bearer ${key.api_key}`
  await call('POST', '/v3/connectors', { provider: 'imap' })
  return call
}

const settingsOf = (server: MailPlace, box: Mailbox, watch: boolean) => ({
  imap_username: box.user,
  imap_password: box.password,
  imap_host: '127.0.0.1',
  imap_port: server.imapsPort,
  watch,
})

interface MailPlace {
  imapsPort: number
  ca: string
}

async function connectGrant(call: Call, server: MailPlace, box: Mailbox, watch: boolean): Promise<string> {
  const made = await call('POST', '/v3/connect/custom', {
    provider: 'imap',
    settings: settingsOf(server, box, watch),
  })
  return made.data.id
}

const mailOf = (number: number, to: string): string => {
  const text = `Hello,\r\n\r\nthis is message ${number}. ${'The quick brown fox jumps over the lazy dog. '.repeat(20)}\r\n`
  const html = `<html><body><p>Hello,</p><p>this is <b>message ${number}</b>. ${'The quick brown fox jumps over the lazy dog. '.repeat(40)}</p></body></html>\r\n`
  return [
    `From: Sender ${number % 50} <sender${number % 50}@example.com>`,
    `To: ${to}`,
    `Subject: Message number ${number}`,
    'Date: Mon, 2 Nov 2026 10:00:00 +0000',
    `Message-ID: <${number}.bench@example.com>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="edge"',
    '',
    '--edge',
    'Content-Type: text/plain; charset=utf-8',
    '',
    text,
    '--edge',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    html,
    '--edge--',
    '',
  ].join('\r\n')
}

async function fill(server: MailServer, box: Mailbox): Promise<void> {
  const client = await server.client(box.user)
  const start = Date.UTC(2026, 0, 1)
  for (let number = 0; number < messages; number++) {
    await client.append('INBOX', mailOf(number, box.user), [], new Date(start + number * 3_600_000))
  }
  client.close()
}

async function bareClient(server: MailPlace, box: Mailbox): Promise<ImapFlow> {
  const client = new ImapFlow({
    host: '127.0.0.1',
    port: server.imapsPort,
    secure: true,
    auth: { user: box.user, pass: box.password },
    tls: { ca: [server.ca] },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
  })
  await client.connect()
  await client.mailboxOpen('INBOX')
  return client
}

/** Milliseconds per page with so many askers, each asking for one page after another. */
async function timePages(askers: number, ask: (asker: number) => Promise<number>): Promise<number> {
  const started = performance.now()
  const each = Math.ceil(pages / askers)
  await Promise.all(
    Array.from({ length: askers }, async (_, asker) => {
      for (let page = 0; page < each; page++) if ((await ask(asker)) !== 50) throw new Error('not a page of 50')
    }),
  )
  return (performance.now() - started) / (each * askers)
}

async function benchPages(server: MailServer): Promise<Record<string, number>> {
  const box = await server.addUser()
  await fill(server, box)
  await using node = await openNode(server, 'api')
  const call = await callerOf(node)
  const grant = await connectGrant(call, server, box, false)
  const ask = async (): Promise<number> => (await call('GET', `/v3/grants/${grant}/messages`)).data.length
  const cold = performance.now()
  await ask()
  const first = performance.now() - cold
  const result: Record<string, number> = { first_page_ms: round(first, 1) }
  for (const askers of [1, 10]) {
    const clients = await Promise.all(Array.from({ length: askers }, () => bareClient(server, box)))
    const floorAsk = async (asker: number): Promise<number> => {
      const found = await clients[asker]?.fetchAll(`${messages - 49}:${messages}`, {
        uid: true,
        flags: true,
        source: true,
      })
      return found?.length ?? 0
    }
    await timePages(askers, floorAsk)
    await timePages(askers, ask)
    const floors: number[] = []
    const ours: number[] = []
    for (let number = 0; number < rounds; number++) {
      floors.push(await timePages(askers, floorAsk))
      ours.push(await timePages(askers, ask))
    }
    for (const client of clients) client.close()
    result[`floor_ms_${askers}`] = round(median(floors))
    result[`page_ms_${askers}`] = round(median(ours))
    result[`page_ratio_${askers}`] = round(median(ours) / median(floors))
  }
  return { ...result, ...(await walk(call, grant, await bareClient(server, box))) }
}

/** Every page once: nothing was read before but the first one. */
async function walk(call: Call, grant: string, client: ImapFlow): Promise<Record<string, number>> {
  const walked = Math.floor(messages / 50)
  const floorStarted = performance.now()
  for (let page = 0; page < walked; page++) {
    const last = messages - page * 50
    await client.fetchAll(`${last - 49}:${last}`, { uid: true, flags: true, source: true })
  }
  const floor = (performance.now() - floorStarted) / walked
  client.close()
  const started = performance.now()
  let token = ''
  for (let page = 0; page < walked; page++) {
    const answer = await call('GET', `/v3/grants/${grant}/messages${token ? `?page_token=${token}` : ''}`)
    token = answer.next_cursor ?? ''
  }
  const ours = (performance.now() - started) / walked
  return { walk_floor_ms: round(floor), walk_page_ms: round(ours), walk_ratio: round(ours / floor) }
}

async function benchArrivals(server: MailServer): Promise<Record<string, number>> {
  const box = await server.addUser()
  // A mailbox of its own for the floor: two that watch one mailbox wake each other.
  const other = await server.addUser()
  const arrived = new Map<string, number>()
  const listener = createServer((request, response) => {
    const challenge = new URL(request.url ?? '', 'http://listener').searchParams.get('challenge')
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (challenge === null) {
        const subject = JSON.parse(Buffer.concat(chunks).toString()).data?.object?.subject
        if (subject) arrived.set(subject, performance.now())
      }
      response.end(challenge ?? 'ok')
    })
  })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  const address = listener.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await using node = await openNode(server, 'api,worker')
  const call = await callerOf(node)
  await call('POST', '/v3/webhooks', { trigger_types: ['message.created'], webhook_url: `http://127.0.0.1:${port}/` })
  await connectGrant(call, server, box, true)
  await sleep(2_000)
  const watcher = await bareClient(server, other)
  let exists = 0
  watcher.on('exists', () => {
    exists = performance.now()
  })
  void watcher.idle()
  const sender = await server.client(box.user)
  const otherSender = await server.client(other.user)
  const until = async (done: () => boolean): Promise<void> => {
    for (const end = performance.now() + 20_000; performance.now() < end && !done(); ) await sleep(2)
  }
  const idle: number[] = []
  const told: number[] = []
  for (let number = 0; number < arrivals; number++) {
    exists = 0
    const subject = `Message number ${number}`
    await sleep(200)
    const floorStarted = performance.now()
    await otherSender.append('INBOX', mailOf(number, other.user))
    await until(() => exists > 0)
    idle.push(exists - floorStarted)
    await sleep(200)
    const started = performance.now()
    await sender.append('INBOX', mailOf(number, box.user))
    await until(() => arrived.has(subject))
    told.push((arrived.get(subject) ?? Number.NaN) - started)
  }
  otherSender.close()
  watcher.close()
  sender.close()
  listener.close()
  listener.closeAllConnections()
  const missed = told.filter(Number.isNaN).length
  return {
    idle_p50_ms: round(median(idle), 1),
    webhook_p50_ms: round(median(told), 1),
    webhook_p99_ms: round(percentile(told, 0.99), 1),
    above_idle_p50_ms: round(median(told) - median(idle), 1),
    missed,
  }
}

/** In a process of its own: so many grants or so many bare sockets, then what they cost. */
async function runIdle(): Promise<void> {
  const [work]: { kind: string; server: MailPlace; boxes: Mailbox[] }[] = await once(process, 'message')
  if (!work) return
  const report = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn++) {
      globalThis.gc?.()
      await sleep(100)
    }
    const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage()
    process.send?.({ used: heapUsed + external + arrayBuffers, rss })
  }
  if (work.kind === 'sockets') {
    const sockets = await Promise.all(work.boxes.map((box) => bareSocket(work.server, box)))
    await report()
    for (const socket of sockets) socket.destroy()
  } else {
    await using node = await openNode(work.server, 'api,worker')
    const call = await callerOf(node)
    for (const box of work.boxes) await connectGrant(call, work.server, box, true)
    for (const until = performance.now() + 120_000; performance.now() < until; await sleep(200)) {
      const watched = await node.services.metrics.registry.getSingleMetric('waypost_watched_grants')?.get()
      if ((watched?.values[0]?.value ?? 0) >= work.boxes.length) break
    }
    await sleep(5_000)
    await report()
  }
  process.exit(0)
}

/** A socket that logs in and idles, and nothing else. */
async function bareSocket(server: MailPlace, box: Mailbox): Promise<tls.TLSSocket> {
  const socket = tls.connect({ host: '127.0.0.1', port: server.imapsPort, ca: [server.ca] })
  let text = ''
  socket.on('data', (chunk) => {
    text = chunk.toString('latin1')
  })
  const until = async (mark: RegExp): Promise<void> => {
    while (!mark.test(text)) await once(socket, 'data')
  }
  await until(/^\* OK/)
  socket.write(`a LOGIN ${box.user} ${box.password}\r\n`)
  await until(/^a OK/m)
  socket.write('b SELECT INBOX\r\n')
  await until(/^b OK/m)
  socket.write('c IDLE\r\n')
  await until(/^\+/m)
  return socket
}

async function memoryOf(
  kind: string,
  server: MailServer,
  boxes: readonly Mailbox[],
): Promise<{ used: number; rss: number }> {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), ['--idle'], { execArgv: ['--expose-gc'] })
  child.send({ kind, server: { imapsPort: server.imapsPort, ca: server.ca }, boxes })
  const [memory] = await once(child, 'message')
  await once(child, 'exit')
  return memory
}

async function benchMemory(server: MailServer): Promise<Record<string, number>> {
  const most = Math.max(...idleGrants)
  const boxes: Mailbox[] = []
  for (let number = 0; number < most; number++) boxes.push(await server.addUser())
  const result: Record<string, number> = {}
  const grants = new Map<number, { used: number; rss: number }>()
  for (const count of idleGrants) {
    const memory = await memoryOf('grants', server, boxes.slice(0, count))
    grants.set(count, memory)
    result[`used_mb_${count}`] = round(memory.used / 1e6, 1)
    result[`rss_mb_${count}`] = round(memory.rss / 1e6, 1)
  }
  const least = Math.min(...idleGrants)
  const few = await memoryOf('sockets', server, boxes.slice(0, least))
  const many = await memoryOf('sockets', server, boxes)
  const socket = (many.used - few.used) / (most - least) / 1024
  const grant = ((grants.get(most)?.used ?? 0) - (grants.get(least)?.used ?? 0)) / (most - least) / 1024
  const rss =
    ((grants.get(most)?.rss ?? 0) - (grants.get(least)?.rss ?? 0) - (many.rss - few.rss)) / (most - least) / 1024
  return {
    ...result,
    socket_kb: round(socket, 1),
    grant_kb: round(grant, 1),
    beside_socket_kb: round(grant - socket, 1),
    beside_socket_rss_kb: round(rss, 1),
  }
}

/** From the start of a process to the answer to a first list. */
async function benchStart(server: MailServer): Promise<Record<string, number>> {
  const box = await server.addUser()
  await server.deliver(box.user, mailOf(1, box.user))
  const started = performance.now()
  await using node = await openNode(server, 'api')
  const call = await callerOf(node)
  const grant = await connectGrant(call, server, box, false)
  await call('GET', `/v3/grants/${grant}/messages`)
  return { start_connect_list_ms: round(performance.now() - started, 0) }
}

async function main(): Promise<void> {
  await using server = await startDovecot({ connectionsPerUser: 100 })
  const parts = only
    ? [{ start: benchStart, pages: benchPages, arrivals: benchArrivals, memory: benchMemory }[only] ?? benchPages]
    : [benchStart, benchPages, benchArrivals, benchMemory]
  const all: Record<string, number> = {}
  for (const part of parts) {
    const result = await part(server)
    Object.assign(all, result)
    if (!json) for (const [name, value] of Object.entries(result)) console.log(`${name.padEnd(28)} ${value}`)
  }
  if (json) console.log(JSON.stringify(all))
}

await (process.argv.includes('--idle') ? runIdle() : main())
