/**
 * The content of a release, built by a rehearsal of it; and the package of the command, installed from its file into an
 * empty folder on the oldest Node, as docs/running.md says.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@waypost/testing/peers/daemon'
import { freshDatabaseUrl } from '@waypost/testing/peers/database-url'
import { Nylas } from '@waypost/testing/peers/nylas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { executable, node20 } from '../../../sdk/test/packed/runtimes.ts'
import { root, textOf, version } from './files.ts'

const run = promisify(execFile)
/** Building everything and installing from the registry takes minutes on a busy machine. */
const patienceMs = 900_000
const file = `waypost-${version}.tgz`
const page = textOf('docs/running.md')
const [commands = ''] = /```sh\n(npm init[\s\S]*?)```/.exec(page)?.slice(1) ?? []

/** The output of the release. */
let released: { version: string; folder: string; files: string[]; stores: string[] }
let folder: string
let env: Record<string, string>

/** Runs lines of the guide in the empty folder. */
const shell = async (script: string): Promise<string> =>
  (await run('bash', ['-ec', script], { cwd: folder, env, maxBuffer: 1e8 })).stdout

beforeAll(async () => {
  const release = ['run', '--silent', 'release', '--', '--rehearse', '--json']
  released = JSON.parse((await run('npm', release, { cwd: root, maxBuffer: 1e8 })).stdout)
  folder = await mkdtemp(path.join(tmpdir(), 'waypost-package-'))
  const elsewhere = (process.env.PATH ?? '').split(':').filter((each) => !each.includes('node_modules'))
  const { HOME = '', NODE_EXTRA_CA_CERTS = '' } = process.env
  const node = path.dirname(await executable(node20))
  env = { HOME, NODE_EXTRA_CA_CERTS, PATH: [node, ...elsewhere].join(':') }
  await run('cp', [path.join(root, 'build', file), folder])
  await shell(
    commands
      .split('\n')
      .filter((line) => line.startsWith('npm '))
      .join('\n'),
  )
}, patienceMs)
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Running extends AsyncDisposable {
  base: string
  printed(): string
  /** Asks it to end, and returns its exit status. */
  end(): Promise<number | null>
}

/** Starts the installed command with the oldest Node, and waits until it listens. */
async function start(command: string, settings: Record<string, string>): Promise<Running> {
  const child: ChildProcess = spawn(path.join(folder, 'node_modules/.bin/waypost'), [command], {
    cwd: folder,
    env: { ...env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  const ended = once(child, 'exit').then(([code]): number | null => code)
  const port = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        printed += text
        const [, found] = /"port":(\d+).*"msg":"listening"/.exec(printed) ?? []
        if (found) resolve(found)
      })
    }
    ended.then((code) => reject(new Error(`it ended with ${code}: ${printed}`)))
  })
  const end = (): Promise<number | null> => {
    child.kill('SIGTERM')
    return ended
  }
  return {
    base: `http://127.0.0.1:${port}`,
    printed: () => printed,
    end,
    [Symbol.asyncDispose]: async () => void (await end()),
  }
}

const keyIn = (printed: string): string => /wpk_[\w-]+/.exec(printed)?.[0] ?? ''

describe('a release', () => {
  const inRelease = (name: string): string => path.join(root, released.folder, name)

  test('has its packages, the files of the image, a bill of materials, notes and correct checksums', async () => {
    expect(released).toMatchObject({ version, folder: `build/release/${version}`, stores: [] })
    expect(released.files).toEqual([
      ...['RELEASE-NOTES.md', 'SHA256SUMS', `waypost-${version}.cdx.json`, file, `waypost-image-${version}.tar.gz`],
      ...[`waypost-sdk-${version}.tgz`, `waypost-simulators-${version}.tgz`],
    ])
    const { stdout } = await run('sha256sum', ['-c', 'SHA256SUMS'], { cwd: inRelease('.') })
    expect(stdout.trim().split('\n')).toHaveLength(released.files.length - 1)
    expect(await readFile(inRelease('RELEASE-NOTES.md'), 'utf8')).toContain(`# Waypost ${version}\n`)
  })

  test('names every package that runs in production in its bill of materials', async () => {
    const bill = JSON.parse(await readFile(inRelease(`waypost-${version}.cdx.json`), 'utf8'))
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'waypost', version } } })
    interface Part {
      purl?: string
      components?: Part[]
    }
    const purlsOf = (parts: Part[]): string[] =>
      parts.flatMap(({ purl = '', components = [] }) => [purl.replace(/\?.*/, ''), ...purlsOf(components)])
    const locked: [string, { version?: string; dev?: boolean; link?: boolean }][] = Object.entries(
      JSON.parse(textOf('package-lock.json')).packages,
    )
    const used = locked.filter(([name, { dev, link }]) => name.startsWith('node_modules/') && !dev && !link)
    const wanted = used.map(([name, { version: number }]) => {
      const plain = name.slice(name.lastIndexOf('node_modules/') + 'node_modules/'.length)
      return `pkg:npm/${plain.replace('@', '%40')}@${number}`
    })
    expect(wanted.length).toBeGreaterThan(50)
    expect(purlsOf(bill.components)).toEqual(expect.arrayContaining(wanted))
  })

  test('has the files for docker build, without tests and history', async () => {
    const { stdout } = await run('tar', ['-tzf', inRelease(`waypost-image-${version}.tar.gz`)])
    const names = stdout.split('\n').map((name) => name.slice(name.indexOf('/') + 1))
    const needed = ['Dockerfile', '.dockerignore', 'package.json', 'package-lock.json', 'scripts/package.ts']
    expect(names).toEqual(expect.arrayContaining([...needed, 'packages/server/src/main.ts', 'docs/README.md']))
    expect(names.filter((name) => /(^|\/)(test|node_modules|\.git)\//.test(name))).toEqual([])
  })
})

test('the commands of the guide run on the oldest Node, without any other installed program', async () => {
  expect(await shell('node --version')).toMatch(/^v20\./)
  const lines = commands.split('\n').filter((line) => line.startsWith('npx ') && !line.endsWith(' serve'))
  expect(lines).toHaveLength(2)
  const printed = await shell(lines.join('\n').replace('doctor', 'doctor || true'))
  expect(printed).toMatch(/^ +serve +Run the service$/m)
  expect(printed).toMatch(/[✓!] store/)
  expect((await shell('ls node_modules')).trim().split('\n')).toEqual([expect.stringMatching(/^node-/), 'waypost'])
  expect((await stat(path.join(folder, file))).size).toBeLessThan(12 * 2 ** 20)
  expect(await readFile(path.join(folder, 'node_modules/waypost/THIRD-PARTY-NOTICES.txt'), 'utf8')).toContain('undici ')
  const pages = path.join(folder, 'node_modules/waypost/packages/dashboard/dist/THIRD-PARTY-NOTICES.md')
  expect(await readFile(pages, 'utf8')).toMatch(/## react-dom - [\d.]+ \(MIT\)/)
})

describe.each(['SQLite', 'PostgreSQL'])('on %s', (store) => {
  test('it serves the API, the dashboard and the reference, and shuts down cleanly', async () => {
    const settings = {
      WAYPOST_PORT: '0',
      WAYPOST_DATA_DIR: path.join(folder, store),
      ...(store === 'SQLite' ? {} : { DATABASE_URL: await freshDatabaseUrl() }),
    }
    const service = await start('serve', settings)
    expect(service.printed()).toContain(`running on ${store}`)
    const apiKey = keyIn(service.printed())
    const connector = ['-sS', '-H', `Authorization: Bearer ${apiKey}`, '-H', 'Content-Type: application/json']
    const { stdout } = await run('curl', [
      ...connector,
      '-d',
      '{"provider":"virtual-calendar"}',
      `${service.base}/v3/connectors`,
    ])
    expect(JSON.parse(stdout)).toMatchObject({ data: { provider: 'virtual-calendar' } })
    const nylas = new Nylas({ apiKey, apiUri: service.base })
    const { data: grant } = await nylas.auth.customAuthentication({
      requestBody: { provider: 'virtual-calendar' as 'imap', settings: { email: 'room-1' } },
    })
    const { data: calendar } = await nylas.calendars.create({ identifier: grant.id, requestBody: { name: 'Bookings' } })
    expect(calendar.name).toBe('Bookings')
    for (const address of ['/dashboard', '/docs', '/openapi.json']) await opens(`${service.base}${address}`)
    expect(await service.end()).toBe(0)
    // A command on the same store. What is printed only once is not printed again.
    const listed = await run(path.join(folder, 'node_modules/.bin/waypost'), ['grants', 'list', '--json'], {
      cwd: folder,
      env: { ...env, ...settings },
    })
    expect(listed.stdout).toContain(grant.id)
  })
})

/** Opens a page, and every file that it refers to by its own path. */
async function opens(address: string): Promise<void> {
  const answer = await fetch(address)
  expect(answer.status, address).toBe(200)
  const text = await answer.text()
  if (!answer.headers.get('content-type')?.startsWith('text/html')) return
  const named = Array.from(text.matchAll(/(?:src|href)="([^"#:]+\.(?:js|css|svg))"/g), ([, name = '']) => name)
  for (const name of named) expect((await fetch(new URL(name, answer.url))).status, name).toBe(200)
}

test('waypost dev starts the service with simulated providers, and threads read and compose mail', async () => {
  const [port = '', google = '', microsoft = '', yahoo = '', exchange = '', zoom = ''] = await Promise.all(
    Array.from({ length: 6 }, async () => String(await freePort())),
  )
  await using service = await start('dev', {
    WAYPOST_PORT: port,
    WAYPOST_DATA_DIR: path.join(folder, 'dev'),
    SIMULATED_GOOGLE_PORT: google,
    SIMULATED_MICROSOFT_PORT: microsoft,
    SIMULATED_YAHOO_PORT: yahoo,
    SIMULATED_EWS_PORT: exchange,
    SIMULATED_ZOOM_PORT: zoom,
  })
  const nylas = new Nylas({ apiKey: keyIn(service.printed()), apiUri: service.base })
  const { data: grant } = await nylas.auth.customAuthentication({
    requestBody: {
      provider: 'google',
      settings: { refresh_token: 'simulated-refresh-token-of-ada@example.com' },
    },
  })
  const identifier = grant.id
  const { data: messages } = await nylas.messages.list({ identifier, queryParams: { limit: 5 } })
  expect(messages.length).toBeGreaterThan(0)
  const cleaned = await nylas.messages.cleanMessages({
    identifier,
    requestBody: { messageId: [messages[0]?.id ?? ''] },
  })
  expect(cleaned.data).toHaveLength(1)
  const attachment = {
    filename: 'large.txt',
    contentType: 'text/plain',
    content: Buffer.alloc(4_000_000, 'a'),
    size: 4_000_000,
  }
  const { data: sent } = await nylas.messages.send({
    identifier,
    requestBody: { to: [{ email: 'ada@example.com' }], subject: 'Composed', body: 'Text', attachments: [attachment] },
  })
  expect(sent.subject).toBe('Composed')
})
