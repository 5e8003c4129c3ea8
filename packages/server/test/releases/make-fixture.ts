/** Makes the store fixtures of a release: starts its real service on each kind of store, fills it, and packs the store. */
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { constants, gzipSync } from 'node:zlib'
import { openListener } from '@waypost/testing/listener'
import { isExecutable, postgresFolders } from '@waypost/testing/peers/debian'
import { startPostgres } from '@waypost/testing/peers/postgres'
import { startScriptedImap } from '@waypost/testing/peers/scripted-imap'
import { seededGoogle } from '../../../simulators/src/google/seed.ts'
import type { ReleaseSource } from './checkout.ts'
import { fillStore } from './fill-store.ts'
import { clientOf } from './fixture-client.ts'
import { type Engine, type Inventory, inventoryFile, storeFiles } from './store-fixture.ts'

const run = promisify(execFile)

/** Same bytes for the same content: gzip writes no time. */
const pack = (content: string | Buffer): Buffer => gzipSync(content, { level: constants.Z_BEST_COMPRESSION })

/** Writes the fixtures of a release into a folder. Returns the names of the files. */
export async function makeFixtures(source: ReleaseSource, folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const files: string[] = []
  for (const engine of ['sqlite', 'postgresql'] as const) {
    const { inventory, store } = await filledStore(source, engine)
    await writeFile(path.join(folder, storeFiles[engine]), pack(store))
    await writeFile(path.join(folder, inventoryFile(engine)), pack(`${JSON.stringify(inventory, null, 1)}\n`))
    files.push(storeFiles[engine], inventoryFile(engine))
  }
  return files
}

async function filledStore(source: ReleaseSource, engine: Engine): Promise<{ inventory: Inventory; store: Buffer }> {
  await using resources = new AsyncDisposableStack()
  const data = resources.use(await mkdtempDisposable(path.join(tmpdir(), 'waypost-fixture-')))
  const databaseUrl = engine === 'postgresql' ? await resources.use(await startPostgres()).createDatabase() : undefined
  const google = resources.use(await seededGoogle())
  const imap = resources.use(await startScriptedImap())
  const listener = resources.use(await openListener())
  const adminPassword = 'fixture-administrator'
  const settings = {
    WAYPOST_SECRET_KEY: randomBytes(32).toString('base64'),
    WAYPOST_ADMIN_PASSWORD: adminPassword,
    WAYPOST_API_KEY: 'wpk_fixture_0123456789abcdefghijklmn',
  }
  const surroundings = {
    WAYPOST_PORT: '0',
    WAYPOST_DATA_DIR: data.path,
    WAYPOST_EGRESS: 'private',
    WAYPOST_GOOGLE_URL: google.url,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  }
  const service = await startService(source, { ...settings, ...surroundings })
  const filled = await service
    .whileRunning((base) =>
      fillStore({
        ...{ call: clientOf(base), adminPassword, listener, imapPort: imap.port },
        googleClient: google.client,
      }),
    )
    .finally(service.stop)
  const store = databaseUrl ? await dump(databaseUrl) : await sqliteFile(source, data.path, settings)
  return { inventory: { madeAt: Date.now(), settings, ...filled }, store }
}

interface RunningService {
  whileRunning<T>(work: (base: string) => Promise<T>): Promise<T>
  stop(): Promise<void>
}

async function startService({ program }: ReleaseSource, env: Record<string, string>): Promise<RunningService> {
  const child = spawn(process.execPath, [program, 'serve'], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = once(child, 'close').then(([code]): never => {
    throw new Error(`the service ended with ${code}: ${output.slice(-4000)}`)
  })
  ended.catch(() => undefined)
  const base = await Promise.race([
    ended,
    new Promise<string>((resolve) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text
          const port = /"port":(\d+).*"msg":"listening"/.exec(output)?.[1]
          if (port) resolve(`http://127.0.0.1:${port}`)
        })
      }
    }),
  ])
  return {
    whileRunning: (work) => Promise.race([ended, work(base)]),
    async stop() {
      child.kill('SIGTERM')
      await ended.catch(() => undefined)
    },
  }
}

/** A copy without free pages or a log. */
async function sqliteFile(source: ReleaseSource, dataDir: string, settings: Record<string, string>): Promise<Buffer> {
  const copy = path.join(dataDir, 'copy.db')
  const env = { PATH: process.env.PATH ?? '', WAYPOST_DATA_DIR: dataDir, ...settings }
  await run(process.execPath, [source.program, 'backup', copy], { env })
  return readFile(copy)
}

/** The dump as SQL alone: no comments, and none of the commands of psql. */
async function dump(databaseUrl: string): Promise<Buffer> {
  const folders = postgresFolders(process.env.PATH ?? '')
  const program = folders.map((folder) => path.join(folder, 'pg_dump')).find(isExecutable)
  if (!program) throw new Error('pg_dump was not found: install the client programs of PostgreSQL')
  const options = ['--no-owner', '--no-privileges', '--inserts', '--rows-per-insert=50']
  const { stdout } = await run(program, [...options, databaseUrl], { maxBuffer: 64 * 1024 ** 2 })
  const lines = stdout.split('\n').filter((line) => line !== '' && !/^(--|\\)/.test(line))
  return Buffer.from(`${lines.join('\n')}\n`)
}
