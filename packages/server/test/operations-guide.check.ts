/** docs/operations.md: the proxies it sets up, and the commands it names, run as written; only places are put in. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect as connectTls } from 'node:tls'
import { testCertificate } from '@waypost/testing/peers/certificates'
import { daemon, freePort, serverFolder, serverUser } from '@waypost/testing/peers/daemon'
import { freshDatabaseUrl } from '@waypost/testing/peers/database-url'
import { findPostgres, findProgram, postgresFolders } from '@waypost/testing/peers/debian'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { settings } from '../src/settings.ts'
import { runHere } from './command-line.ts'
import { openService, type TestService } from './harness.ts'

const guide = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
const blocksOf = (language: string): string[] =>
  Array.from(guide.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g')), (match) => match[1] ?? '')
const commands = blocksOf('sh').flatMap((block) => block.split('\n').filter((line) => line.startsWith('npx waypost')))

interface Proxy extends AsyncDisposable {
  url: string
}

/** A program with the settings of the guide, on a port of its own, in front of an address. */
const proxies: Record<string, (to: string) => Promise<Proxy>> = {
  async nginx(to) {
    const user = await serverUser('www-data', 'nobody')
    const folder = await serverFolder('nginx', user)
    const port = await freePort()
    const { cert, key } = await testCertificate()
    await writeFile(path.join(folder, 'cert.pem'), cert)
    await writeFile(path.join(folder, 'key.pem'), key)
    const [block = ''] = blocksOf('nginx')
    const server = block
      .replace('listen 443 ssl;\n  http2 on;', `listen 127.0.0.1:${port} ssl http2;`)
      .replace('/etc/ssl/api.example.com.pem', path.join(folder, 'cert.pem'))
      .replace('/etc/ssl/api.example.com.key', path.join(folder, 'key.pem'))
      .replace('http://127.0.0.1:3000', to)
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    )
    const main = `pid ${folder}/pid; error_log ${folder}/errors; daemon off; worker_processes 1;\nevents {}\nhttp { access_log off; ${paths.join(' ')}\n${server}}`
    await writeFile(path.join(folder, 'nginx.conf'), main)
    const program = findProgram('nginx') ?? 'nginx'
    const running = daemon({
      name: 'nginx',
      folder,
      user: { ...user, ids: {} },
      program,
      args: ['-p', folder, '-e', `${folder}/errors`, '-c', path.join(folder, 'nginx.conf')],
      port,
      hello: 'GET / HTTP/1.0\r\n\r\n',
      logs: [path.join(folder, 'errors')],
    })
    await running.start()
    return { url: `https://localhost:${port}`, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() }
  },
  async caddy(to) {
    const user = await serverUser('www-data', 'nobody')
    const folder = await serverFolder('caddy', user)
    const port = await freePort()
    const [block = ''] = blocksOf('caddyfile')
    // Certificates are fetched from an authority, which a test has not got.
    const site = block
      .replace('api.example.com', `http://localhost:${port}`)
      .replace('127.0.0.1:3000', new URL(to).host)
    const file = path.join(folder, 'Caddyfile')
    await writeFile(file, `{\n\tadmin off\n\tstorage file_system ${folder}\n}\n${site}`)
    const program = findProgram('caddy') ?? 'caddy'
    const running = daemon({
      name: 'caddy',
      folder,
      user,
      program,
      args: ['run', '--config', file, '--adapter', 'caddyfile'],
      port,
      hello: 'GET / HTTP/1.0\r\nHost: localhost\r\n\r\n',
    })
    await running.start()
    return { url: `http://localhost:${port}`, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() }
  },
}

describe.each(Object.keys(proxies))('behind %s, set up as the guide says,', (name) => {
  let service: TestService
  let proxy: Proxy
  let client: Agent
  beforeAll(async () => {
    service = await openService({
      env: { WAYPOST_TRUSTED_PROXIES: '127.0.0.1', WAYPOST_METRICS_TOKEN: 'a-token-for-the-guide' },
    })
    const start = proxies[name]
    if (!start) throw new Error(name)
    proxy = await start(await service.listen())
    const { ca } = await testCertificate()
    // Another address of this machine: a client that is not the proxy.
    client = new Agent({ allowH2: false, localAddress: '127.0.0.2', connect: { ca } })
  })
  afterAll(async () => {
    await client?.close()
    await proxy?.[Symbol.asyncDispose]()
    await service?.[Symbol.asyncDispose]()
  })
  const authorization = (): string => `Bearer ${service.apiKey}`

  test('the service is ready, and its figures are not shown', async () => {
    expect((await request(`${proxy.url}/ready`, { dispatcher: client })).statusCode).toBe(200)
    const figures = await request(`${proxy.url}/metrics`, {
      dispatcher: client,
      headers: { authorization: 'Bearer a-token-for-the-guide' },
    })
    expect(figures.statusCode).toBe(404)
  })

  test('an id with a slash arrives as it was sent', async () => {
    await service.createGrant('floor/1')
    const answer = await request(`${proxy.url}/v3/grants/floor%2F1`, {
      dispatcher: client,
      headers: { authorization: authorization() },
    })
    expect(answer.statusCode).toBe(200)
    expect(await answer.body.json()).toMatchObject({ data: { email: 'floor/1' } })
  })

  test('a body of 20 MB is let through to the service, whose answer it is', async () => {
    // On a route that takes less: the service refuses it by its length, and may close before all of it is there.
    const lines = ['POST /v3/connectors HTTP/1.1', 'Host: localhost', `Authorization: ${authorization()}`]
    const head = [...lines, 'Content-Type: application/json', `Content-Length: ${20 * 1024 * 1024}`, '', ''].join(
      '\r\n',
    )
    const { protocol, port } = new URL(proxy.url)
    const { ca } = await testCertificate()
    const to = { host: 'localhost', port: Number(port) }
    const socket = protocol === 'https:' ? connectTls({ ...to, ca }) : connect(to)
    socket.on('error', () => undefined)
    socket.write(head)
    socket.write(Buffer.alloc(20 * 1024 * 1024, ' '))
    let answer = ''
    socket.on('data', (chunk) => {
      answer += String(chunk)
    })
    // Only the service names a request; a proxy that closes early on a busy machine may take the body back.
    await vi.waitFor(() => expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*\r\nx-request-id: \S+\r\n/i), {
      timeout: 30_000,
    })
    socket.destroy()
  })

  test('the audit shows the address of the client', async () => {
    const basic = `Basic ${Buffer.from(`admin:${service.adminPassword}`).toString('base64')}`
    const headers = { authorization: basic, 'content-type': 'application/json' }
    const made = await request(`${proxy.url}/v3/admin/applications`, {
      method: 'POST',
      dispatcher: client,
      headers,
      body: '{"name":"Seen"}',
    })
    expect(made.statusCode).toBeLessThan(300)
    await made.body.dump()
    const audit = await request(`${proxy.url}/v3/admin/audit?limit=1`, { dispatcher: client, headers })
    expect(await audit.body.json()).toMatchObject({ data: [{ address: '127.0.0.2' }] })
  })
})

describe('the commands of the guide', () => {
  test('of backup and restore have the documented effect', async () => {
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-guide-'))
    const env = { WAYPOST_DATA_DIR: path.join(folder.path, 'data') }
    await (await openService({ dataDir: env.WAYPOST_DATA_DIR }))[Symbol.asyncDispose]()
    const copies = path.join(folder.path, 'copies')
    await mkdir(copies)
    let copy = ''
    const wanted = commands.filter((line) => /waypost (?:backup|restore)/.test(line))
    expect(wanted).toHaveLength(3)
    for (const line of wanted) {
      const words = line.replace(/#.*/, '').trim().split(/ +/).slice(2)
      const args = words.map((word) => (word.endsWith('.db') ? copy : word.replace('/var/backups/waypost', copies)))
      const run = await runHere([...args, '--json'], env)
      expect(run, line).toMatchObject({ code: 0 })
      copy ||= JSON.parse(run.stdout).file
    }
  })

  test('of incidents with a destination have the documented effect', async () => {
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-guide-'))
    await using service = await openService({ dataDir: folder.path })
    await using receiver = createServer((requested, answer) => {
      answer.end(new URL(requested.url ?? '', 'http://receiver').searchParams.get('challenge') ?? '')
    })
    const port = await freePort()
    await new Promise<void>((resolve) => receiver.listen(port, '127.0.0.1', resolve))
    const body = { webhook_url: `http://127.0.0.1:${port}/`, trigger_types: ['event.created'] }
    const made = await service.call('POST', '/v3/webhooks', { body })
    expect(made.status).toBe(200)
    await service.call('PUT', `/v3/webhooks/${made.body.data.id}`, { body: { status: 'pause' } })
    const wanted = commands.filter((line) => line.includes('waypost webhooks'))
    expect(wanted).toHaveLength(4)
    // A paused one takes no deliveries: it is made active before what waits is sent.
    for (const line of wanted.toSorted((a, b) => Number(b.includes('activate')) - Number(a.includes('activate')))) {
      const words = line.replace(/#.*/, '').replace('WEBHOOK_ID', made.body.data.id).trim().split(/ +/).slice(2)
      expect(await runHere([...words, '--json'], { WAYPOST_DATA_DIR: folder.path }), line).toMatchObject({ code: 0 })
    }
  })

  test('of PostgreSQL make a copy that can be served', async () => {
    const url = await freshDatabaseUrl()
    const scratch = await freshDatabaseUrl()
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-guide-'))
    const key = { WAYPOST_SECRET_KEY: Buffer.alloc(32, 'a key of the guide 0123456789').toString('base64') }
    await (await openService({ dataDir: folder.path, databaseUrl: url, env: key }))[Symbol.asyncDispose]()
    const first = await runHere(['apps', 'list', '--json'], { DATABASE_URL: url, ...key })
    expect(first.code).toBe(0)
    const [block = ''] = blocksOf('sh').filter((each) => each.includes('pg_dump'))
    const script = block
      .replace('createdb waypost_restored\n', '')
      .replace('--dbname=waypost_restored', '--dbname="$RESTORED"')
    const programs = path.dirname(findPostgres(postgresFolders(process.env.PATH ?? ''))?.postgres ?? '')
    const env = { PATH: `${programs}:${process.env.PATH}`, DATABASE_URL: url, RESTORED: scratch }
    const run = spawnSync('bash', ['-ec', script], { cwd: folder.path, env, encoding: 'utf8' })
    expect(run, run.stderr).toMatchObject({ status: 0 })
    const again = await runHere(['apps', 'list', '--json'], { DATABASE_URL: scratch, ...key })
    expect(again).toMatchObject({ code: 0, stdout: first.stdout })
  })
})

test('every setting that the guide names is one', () => {
  const known = new Set(Object.keys(settings.shape))
  const named = new Set(guide.match(/\bWAYPOST_[A-Z_]+\b/g))
  expect(named.size).toBeGreaterThan(10)
  expect([...named].filter((name) => !known.has(name))).toEqual([])
})
