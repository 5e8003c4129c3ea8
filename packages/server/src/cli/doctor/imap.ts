/** `waypost doctor imap`: what an IMAP server supports, and how Waypost uses it. */

import { connect } from '@waypost/providers/imap/client/connect'
import { listFolders } from '@waypost/providers/imap/index/folder-list'
import { hostsOf } from '@waypost/providers/mail/vendors'
import type { ImapFlow } from 'imapflow'
import type { PlainRun } from '../program/command.ts'
import type { Lines } from '../program/lines.ts'
import { type Finding, ok, problem, warning } from './findings.ts'
import { approach, mailServerOf, notTried, type Protocol, type Seen, signingIn } from './mail.ts'
import { type CheckContext, checkServer, type Place } from './server.ts'

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

/** By extension: its effect, and the effect of its absence. */
const extensions: readonly (readonly [name: string, gives: string, lacks: string])[] = [
  ['IDLE', 'changes in the inbox are detected immediately', 'the inbox is polled every 15 seconds'],
  ['NOTIFY', 'changes in other folders are detected immediately too', 'other folders are polled once a minute'],
  [
    'CONDSTORE',
    'only changes of a folder are read',
    'all flags of a folder are read and compared on every poll: slower in large folders',
  ],
  [
    'OBJECTID',
    'a renamed folder is recognized by its id',
    'a renamed folder is recognized by its messages; an empty one may be reported as deleted and created',
  ],
  [
    'SPECIAL-USE',
    'the server reports the folders for sent mail, drafts, junk and trash',
    'Sent, Drafts, Junk and Trash are recognized by their names',
  ],
  [
    'THREAD=REFS',
    'the server finds the messages of a thread',
    'threads are found by searches: slower in large folders',
  ],
  ['MOVE', 'a message is moved in one step', 'a message is moved in two steps: copied, then deleted'],
  [
    'UIDPLUS',
    'only the intended messages are deleted',
    'deleting a message briefly unmarks other messages that are marked as deleted',
  ],
]

const remedy = 'turn it on if the server supports it; everything works without it'

/** What a server supports after the login. */
export const extensionFindings = (has: (name: string) => boolean): Finding[] =>
  extensions.map(([name, gives, lacks]) => (has(name) ? ok(name, gives) : warning(name, `missing: ${lacks}`, remedy)))

const mechanisms = ['PLAIN', 'LOGIN', 'XOAUTH2', 'OAUTHBEARER']

/** Login methods supported by both the server and Waypost. */
function loginFinding(capabilities: readonly string[]): Finding {
  const offered = mechanisms.filter((name) => capabilities.includes(`AUTH=${name}`))
  if (!capabilities.includes('LOGINDISABLED')) offered.push('the LOGIN command')
  if (offered.length === 0) {
    return problem(
      'auth',
      'the server offers no login method that Waypost supports',
      'make it offer PLAIN or LOGIN over TLS, or a token',
    )
  }
  return ok('auth', `login methods: ${offered.join(', ')}`)
}

/** Servers rarely report everything before a login. */
function* unknownUser({ capabilities }: Seen): Generator<Finding> {
  const said = extensions.filter(([name]) => capabilities.includes(name))
  for (const [name, gives] of said) yield ok(name, gives)
  const unsaid = extensions.filter(([name]) => !capabilities.includes(name)).map(([name]) => name)
  if (unsaid.length > 0) {
    yield ok('extensions', `unknown before a login: ${unsaid.join(', ')}; many servers report more with --user`)
  }
}

async function* knownUser(place: Place, seen: Seen, polling: CheckContext): AsyncGenerator<Finding> {
  const { credentials: auth, egress, signal } = polling
  if (!auth) return
  const { client } = await connect(
    { ...place, security: seen.security, auth },
    { resolve: egress.resolvePublic, secure: egress.secure, signal },
  )
  try {
    yield ok('login', `${auth.user} is logged in`)
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
            `no folder found for ${missing.join(', ')}`,
            'create these folders, or configure SPECIAL-USE on the server',
          ),
        ]
      : []),
  ]
}

export async function* inspectImap(place: Place, polling: CheckContext): AsyncGenerator<Finding> {
  const { findings, seen, safe } = await approach(protocol, place, polling)
  yield* findings
  if (!seen) return
  yield loginFinding(seen.capabilities)
  if (!polling.credentials) yield* unknownUser(seen)
  else if (!safe) yield notTried
  else yield* signingIn(knownUser(place, seen, polling), polling)
}

export const doctorImap: PlainRun = async (call) => {
  const known = (domain: string): Place | undefined => {
    const host = hostsOf(domain)?.imap
    return host === undefined ? undefined : { host, port: usualPort }
  }
  const { place, address } = mailServerOf(call.args, { title: 'IMAP', port: usualPort, known })
  return checkServer(call, address, (polling) => inspectImap(place, polling))
}
