/** A real Radicale in a temporary folder: CalDAV and CardDAV without scheduling, expansion and free/busy. */
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { daemon, freePort, serverFolder, serverUser } from './daemon.ts'
import { type DavServer, davRequest } from './dav-server.ts'
import { findProgram } from './debian.ts'
import { newMailbox } from './mail-server.ts'
import { sharedByFiles } from './shared-by-files.ts'

/** The collections of every user: Radicale creates none by itself. */
export const radicaleCalendar = 'personal'
export const radicaleBook = 'contacts'

export interface Radicale extends DavServer {
  /** Ends the user's access. The user's data stays. */
  removeDavUser(user: string): Promise<void>
  changeDavPassword(user: string, password: string): Promise<void>
}

/**
 * The Radicale that the test files of a worker share. Disposing it removes the data of the users that were added
 * through it.
 */
export async function sharedRadicale(): Promise<Radicale> {
  const { server, forget } = await running('radicale')
  const users = new Set<string>()
  return {
    ...server,
    async addDavUser(name, password) {
      const mailbox = await server.addDavUser(name, password)
      users.add(mailbox.user)
      return mailbox
    },
    [Symbol.asyncDispose]: async () => void (await Promise.all([...users].map(forget))),
  }
}

const running = sharedByFiles(async () => {
  const radicale = await openRadicale()
  radicale.unref()
  return radicale
})

/** Starts a new Radicale without users, for programs that are not tests. Tests share one. */
export const startRadicale = async (): Promise<Radicale> => (await openRadicale()).server

interface OpenRadicale {
  server: Radicale
  /** Removes the data of a user. */
  forget(user: string): Promise<void>
  unref(): void
}

async function openRadicale(): Promise<OpenRadicale> {
  const program = findProgram('radicale')
  if (program === undefined) throw new Error('No Radicale found: run node scripts/test-setup.ts')
  const user = await serverUser('radicale', 'nobody')
  const folder = await serverFolder('radicale', user)
  const port = await freePort()
  const users = join(folder, 'users')
  const config = join(folder, 'config')

  await using resources = new AsyncDisposableStack()
  const hello = 'GET /.web HTTP/1.0\r\n\r\n'
  const server = resources.use(
    daemon({ name: 'radicale', folder, user, program, args: ['--config', config], port, hello }),
  )
  await writeFile(users, '')
  await writeFile(config, configuration(folder, port))
  await server.start()
  const open = resources.move()
  const root = `http://127.0.0.1:${port}/`
  const home = (name: string): string => `${root}${name}/`

  const rewrite = async (name: string, line: string): Promise<void> => {
    const others = (await readFile(users, 'utf8')).split('\n').filter((each) => !each.startsWith(`${name}:`))
    await writeFile(users, `${others.join('\n')}${line}`)
  }

  const radicale: Radicale = {
    name: 'radicale',
    davUrl: root,
    calendarHome: home,
    addressbookHome: home,
    async addDavUser(name, password) {
      const mailbox = { ...newMailbox(name), ...(password ? { password } : {}) }
      await appendFile(users, `${mailbox.user}:${mailbox.password}\n`)
      const make = async (method: string, path: string, body?: string): Promise<void> => {
        const url = `${home(mailbox.user)}${path}`
        const { status, text } = await davRequest(mailbox, method, url, body === undefined ? {} : { body })
        if (status >= 300) throw new Error(`radicale answered ${status} to ${method} ${path}: ${text}`)
      }
      await make('MKCALENDAR', `${radicaleCalendar}/`)
      await make('MKCOL', `${radicaleBook}/`, addressbook)
      return mailbox
    },
    removeDavUser: (name) => rewrite(name, ''),
    changeDavPassword: (name, password) => rewrite(name, `${name}:${password}\n`),
    request: davRequest,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
  return {
    server: radicale,
    forget: (name) => rm(join(folder, 'collections/collection-root', name), { recursive: true, force: true }),
    unref: server.unref,
  }
}

const addressbook = `<D:mkcol xmlns:D="DAV:" xmlns:CR="urn:ietf:params:xml:ns:carddav"><D:set><D:prop>
<D:resourcetype><D:collection/><CR:addressbook/></D:resourcetype><D:displayname>Contacts</D:displayname>
</D:prop></D:set></D:mkcol>`

const configuration = (folder: string, port: number): string => `[server]
hosts = 127.0.0.1:${port}
max_connections = 50
[auth]
type = htpasswd
htpasswd_filename = ${join(folder, 'users')}
htpasswd_encryption = plain
delay = 0
[rights]
type = owner_only
[storage]
filesystem_folder = ${join(folder, 'collections')}
[logging]
level = warning
`
