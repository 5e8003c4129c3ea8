/** `waypost doctor imap`: what an IMAP server can do, and what Waypost makes of it. */
import type { ImapFlow } from 'imapflow'
import { connect } from '../../providers/imap/client/connect.ts'
import { listFolders } from '../../providers/imap/index/folder-list.ts'
import { hostsOf } from '../../providers/mail/vendors.ts'
import type { PlainRun } from '../program/command.ts'
import type { Lines } from '../program/lines.ts'
import { type Finding, ok, problem, warning } from './findings.ts'
import { approach, mailServerOf, notTried, type Protocol, type Seen, signingIn } from './mail.ts'
import { type Looking, lookAtServer, type Place } from './server.ts'

const usualPort = 993

async function answersTo(lines: Lines, command: string): Promise<string[]> {
  lines.write(`w1 ${command}\r\n`)
  const answers: string[] = []
  for (;;) {
    const line = await lines.next()
    answers.push(line)
    if (line.startsWith('w1 ')) return answers
  }
}

const protocol: Protocol = {
  async greeting(lines) {
    return /^\* (?:OK|PREAUTH) ?(.*)$/i.exec(await lines.next())?.[1]?.replace(/^\[[^\]]*\] ?/, '')
  },
  async capabilities(lines) {
    const said = (await answersTo(lines, 'CAPABILITY')).flatMap((line) => /^\* CAPABILITY (.*)$/i.exec(line)?.[1] ?? [])
    return said.flatMap((words) => words.trim().toUpperCase().split(/\s+/))
  },
  offersStartTls: (capabilities) => capabilities.includes('STARTTLS'),
  startTls: async (lines) => /^w1 OK\b/i.test((await answersTo(lines, 'STARTTLS')).at(-1) ?? ''),
  leave: 'w9 LOGOUT',
}

interface Extension {
  name: string
  /** What it gives, and what is without it. */
  gives: string
  lacks: string
}

const extensions: readonly Extension[] = [
  {
    name: 'IDLE',
    gives: 'what happens in the inbox is told at once',
    lacks: 'changes are asked for every 15 seconds, and told that much later',
  },
  {
    name: 'NOTIFY',
    gives: 'what happens in the other folders is told at once too',
    lacks: 'the folders beside the inbox are looked at once a minute',
  },
  {
    name: 'CONDSTORE',
    gives: 'of a folder only what changed is read',
    lacks: 'the marks of a folder are read and compared at each look: slower in large folders',
  },
  {
    name: 'OBJECTID',
    gives: 'a renamed folder is known by its id',
    lacks: 'a renamed folder is known by its messages; an empty one may be told as deleted and created',
  },
  {
    name: 'SPECIAL-USE',
    gives: 'the server says which folder is for sent mail, drafts, junk and trash',
    lacks: 'Sent, Drafts, Junk and Trash are known by their names',
  },
  {
    name: 'THREAD=REFS',
    gives: 'the server finds the messages of a thread',
    lacks: 'threads are found by searches: slower in large folders',
  },
  {
    name: 'MOVE',
    gives: 'a message is moved in one step',
    lacks: 'a message is moved in two: it is copied, then removed',
  },
  {
    name: 'UIDPLUS',
    gives: 'exactly the messages that are meant are removed',
    lacks: 'to remove a message, others that are marked as deleted lose their mark for a moment',
  },
]

const remedy = 'turn it on where the server has it; nothing is lost without'

/** What a server that has let us in can do. */
export const extensionFindings = (has: (name: string) => boolean): Finding[] =>
  extensions.map(({ name, gives, lacks }) => (has(name) ? ok(name, gives) : warning(name, `missing: ${lacks}`, remedy)))

const ways = ['PLAIN', 'LOGIN', 'XOAUTH2', 'OAUTHBEARER']

/** The ways to log in that the server offers and Waypost knows. */
function loginFinding(capabilities: readonly string[]): Finding {
  const offered = ways.filter((name) => capabilities.includes(`AUTH=${name}`))
  if (!capabilities.includes('LOGINDISABLED')) offered.push('the LOGIN command')
  if (offered.length === 0) {
    return problem(
      'auth',
      'the server offers no login that Waypost knows',
      'let it offer PLAIN or LOGIN over TLS, or a token',
    )
  }
  return ok('auth', `logins are taken by ${offered.join(', ')}`)
}

/** What a server says before a login is rarely all. */
function* unknownUser({ capabilities }: Seen): Generator<Finding> {
  const said = extensions.filter(({ name }) => capabilities.includes(name))
  for (const { name, gives } of said) yield ok(name, gives)
  const unsaid = extensions.filter(({ name }) => !capabilities.includes(name)).map(({ name }) => name)
  if (unsaid.length > 0) {
    yield ok('extensions', `nothing is said of ${unsaid.join(', ')}; many servers say more after a login: --user`)
  }
}

async function* knownUser(place: Place, seen: Seen, looking: Looking): AsyncGenerator<Finding> {
  const { credentials: auth, egress, signal } = looking
  if (!auth) return
  const { client } = await connect(
    { ...place, security: seen.security, auth },
    { resolve: egress.resolvePublic, secure: egress.secure, signal },
  )
  try {
    yield ok('login', `${auth.user} is let in`)
    yield* extensionFindings((name) => client.capabilities.has(name))
    yield* await folderFindings(client)
  } finally {
    await client.logout().catch(() => client.close())
  }
}

const wanted = ['\\Sent', '\\Drafts', '\\Trash', '\\Junk']

async function folderFindings(client: ImapFlow): Promise<Finding[]> {
  const folders = await listFolders(client)
  const messages = folders.reduce((sum, folder) => sum + folder.messages, 0)
  const missing = wanted.filter((use) => !folders.some((folder) => folder.use === use)).map((use) => use.slice(1))
  return [
    ok('folders', `${folders.length} folders with ${messages} messages`),
    ...(missing.length > 0
      ? [
          warning(
            'folders',
            `no folder is known as ${missing.join(', ')}`,
            'make such folders, or let the server say which they are (SPECIAL-USE)',
          ),
        ]
      : []),
  ]
}

export async function* lookAtImap(place: Place, looking: Looking): AsyncGenerator<Finding> {
  const { findings, seen, safe } = await approach(protocol, place, looking)
  yield* findings
  if (!seen) return
  yield loginFinding(seen.capabilities)
  if (!looking.credentials) yield* unknownUser(seen)
  else if (!safe) yield notTried
  else yield* signingIn(knownUser(place, seen, looking), looking)
}

export const doctorImap: PlainRun = async (call) => {
  const known = (domain: string): Place | undefined => {
    const host = hostsOf(domain)?.imap
    return host === undefined ? undefined : { host, port: usualPort }
  }
  const { place, address } = mailServerOf(call.args, { title: 'IMAP', port: usualPort, known })
  return lookAtServer(call, address, (looking) => lookAtImap(place, looking))
}
