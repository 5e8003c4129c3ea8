/** A real PgBouncer in front of a PostgreSQL, configured as in docs/operations.md. */
import { randomUUID } from 'node:crypto'
import { chown, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { daemon, freePort, serverFolder, serverUser } from './daemon.ts'
import { findProgram } from './debian.ts'

export interface PgBouncerPeer extends AsyncDisposable {
  /** The address of a database through the pooler; `url` is the address at PostgreSQL itself. */
  through(url: string): string
  /** The response of its console to a command, such as `SHOW POOLS`. */
  console(command: string): Promise<Record<string, unknown>[]>
}

const guide = new URL('../../../../docs/operations.md', import.meta.url)

/** The configuration file of the guide, for a server on this machine. */
async function settingsOfGuide(): Promise<string> {
  const block = /```ini\n(\[databases\][\s\S]*?)```/.exec(await readFile(guide, 'utf8'))?.[1]
  if (block === undefined) throw new Error('docs/operations.md shows no pgbouncer.ini')
  return block
}

/** Puts the paths and ports of a test into the file of the guide. */
function withPlaces(settings: string, replaced: Record<string, string>): string {
  return Object.entries(replaced).reduce((text, [name, value]) => {
    const line = new RegExp(`^${name} *=.*$`, 'm')
    if (!line.test(text)) throw new Error(`pgbouncer.ini of the guide has no line ${name}`)
    return text.replace(line, () => `${name} = ${value}`)
  }, settings)
}

/** Starts a PgBouncer for all databases of the server at the given address. */
export async function startPgBouncer(
  serverUrl: string,
  options: { pooling?: 'transaction' | 'session'; poolSize?: number } = {},
): Promise<PgBouncerPeer> {
  const program = findProgram('pgbouncer')
  if (program === undefined) throw new Error('No PgBouncer found: run node scripts/test-setup.ts')
  const user = await serverUser('postgres', 'nobody')
  const folder = await serverFolder('pgbouncer', user)
  const port = await freePort()
  const server = new URL(serverUrl)
  const password = randomUUID()
  const users = join(folder, 'userlist.txt')
  const file = join(folder, 'pgbouncer.ini')
  const settings = withPlaces(await settingsOfGuide(), {
    waypost: `host=${server.hostname} port=${server.port}`,
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    auth_file: users,
    pool_mode: options.pooling ?? 'transaction',
    default_pool_size: String(options.poolSize ?? 8),
  })
  const places = `unix_socket_dir =\nlogfile = ${folder}/log\npidfile = ${folder}/pid\nadmin_users = waypost\n`
  // Tests create databases with any name.
  await writeFile(file, `${settings.replace(/^waypost = /m, '* = ')}\n${places}`)
  await writeFile(users, `"waypost" "${password}"\n`)
  if (user.ids.uid !== undefined && user.ids.gid !== undefined) {
    for (const each of [file, users]) await chown(each, user.ids.uid, user.ids.gid)
  }
  const running = daemon({
    ...{ name: 'PgBouncer', folder, user, program, args: [file], port },
    // The first message of a client. PgBouncer answers with a password request or a refusal.
    hello: '\0\0\0\x10\0\x03\0\0user\0x\0\0',
    logs: [join(folder, 'log')],
  })
  await using unfinished = new AsyncDisposableStack()
  unfinished.use(running)
  await running.start()
  unfinished.move()
  const through = (url: string): string =>
    Object.assign(new URL(url), { host: `127.0.0.1:${port}`, username: 'waypost', password }).href
  return {
    through,
    async console(command) {
      const client = new Client({ connectionString: through(`postgres://127.0.0.1/pgbouncer`) })
      await client.connect()
      try {
        return (await client.query<Record<string, unknown>>(command)).rows
      } finally {
        await client.end()
      }
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  }
}
