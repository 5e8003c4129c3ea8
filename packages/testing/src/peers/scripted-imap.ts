/**
 * A small IMAP server in this process, for behavior that no real server shows on demand: it can lack any feature, give
 * unusual responses to any command, and break off anywhere. `script` sees every command before the server does, and may
 * answer in its place.
 */
import { once } from 'node:events'
import net from 'node:net'
import { type Argument, type Command, type Reader, readerOf } from './scripted-reader.ts'
import { matches, type ScriptedMessage } from './scripted-search.ts'

export interface ScriptedFolder {
  path: string
  attributes: string[]
  uidValidity: number
  uidNext: number
  messages: ScriptedMessage[]
}

export interface Line {
  selected: ScriptedFolder | undefined
  /** Sends lines unchanged. */
  say(...lines: string[]): void
  close(): void
}

export interface ScriptedOptions {
  capabilities?: readonly string[]
  separator?: string | null
  /** The greeting. Default: `* OK ready`. */
  greeting?: string
  /** Returns true if it has answered the command itself. */
  script?(command: Command, line: Line, server: ScriptedImap): boolean | undefined | Promise<boolean | undefined>
  /** The response to one item of FETCH, if not the usual one. */
  item?(name: string, message: ScriptedMessage): string | undefined
  /** Additional or replaced items of STATUS for a folder. */
  status?(folder: ScriptedFolder): string | undefined
}

export interface ScriptedImap extends AsyncDisposable {
  readonly port: number
  readonly folders: ScriptedFolder[]
  /** Every command so far. */
  readonly commands: Command[]
  folder(path: string): ScriptedFolder
  addFolder(path: string, attributes?: string[]): ScriptedFolder
  add(source: string, options?: { folder?: string; flags?: string[]; date?: Date }): ScriptedMessage
  /** Sends something to all connections in IDLE. */
  tell(...lines: string[]): void
  /** The number of times that a command was received. */
  count(name: string): number
}

export async function startScriptedImap(options: ScriptedOptions = {}): Promise<ScriptedImap> {
  const { separator = '/' } = options
  const folders: ScriptedFolder[] = []
  const commands: Command[] = []
  const sockets = new Set<net.Socket>()
  const idle = new Set<Line>()
  const capabilities = ['IMAP4rev1', ...(options.capabilities ?? ['UIDPLUS', 'IDLE'])].join(' ')

  const server = net.createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    const line: Line = {
      selected: undefined,
      say: (...lines) => void socket.write(lines.map((each) => `${each}\r\n`).join(''), 'latin1'),
      close: () => void socket.end(),
    }
    line.say(options.greeting ?? '* OK ready')
    void serve(socket, line).catch(() => socket.destroy())
  })

  async function serve(socket: net.Socket, line: Line): Promise<void> {
    const reader = readerOf(socket)
    for (let command = await reader.next(line); command; command = await reader.next(line)) {
      commands.push(command)
      if ((await options.script?.(command, line, self)) === true) continue
      await answer(command, line, reader)
    }
  }

  async function answer({ tag, name, args }: Command, line: Line, reader: Reader): Promise<void> {
    const ok = (...lines: string[]): void => line.say(...lines, `${tag} OK done`)
    const folder = (): ScriptedFolder | undefined => folders.find(({ path }) => path === args[0])
    const { selected } = line
    const chosen = (): ScriptedMessage[] => inSet(selected?.messages ?? [], String(args[0]))
    switch (name) {
      case 'CAPABILITY':
        return ok(`* CAPABILITY ${capabilities}`)
      case 'LOGIN':
      case 'NOOP':
      case 'CLOSE':
      case 'SUBSCRIBE':
        return ok()
      case 'NAMESPACE':
        return ok(`* NAMESPACE (("" ${quoted(separator)})) NIL NIL`)
      case 'ENABLE':
        return ok(`* ENABLED ${args.join(' ')}`)
      case 'LIST':
        if (args[1] === '') return ok(`* LIST (\\Noselect) ${quoted(separator)} ""`)
        return ok(
          ...folders
            .filter(({ path }) => args[1] === '*' || args[1] === path)
            .map(({ path, attributes }) => `* LIST (${attributes.join(' ')}) ${quoted(separator)} ${quoted(path)}`),
        )
      case 'LSUB':
        return ok()
      case 'STATUS': {
        const found = folder()
        if (!found) return line.say(`${tag} NO [NONEXISTENT] no such folder`)
        return ok(`* STATUS ${quoted(found.path)} (${options.status?.(found) ?? statusOf(found)})`)
      }
      case 'SELECT':
      case 'EXAMINE': {
        const found = folder()
        line.selected = found
        if (!found) return line.say(`${tag} NO [NONEXISTENT] no such folder`)
        return ok(
          `* ${found.messages.length} EXISTS`,
          '* FLAGS (\\Seen \\Flagged \\Deleted \\Draft)',
          '* OK [PERMANENTFLAGS (\\Seen \\Flagged \\Deleted \\Draft \\*)] ok',
          `* OK [UIDVALIDITY ${found.uidValidity}] ok`,
          ...(found.uidNext > 0 ? [`* OK [UIDNEXT ${found.uidNext}] ok`] : []),
        )
      }
      case 'UID SEARCH': {
        const keys = args[0] === 'CHARSET' ? args.slice(2) : args
        const found = (selected?.messages ?? []).filter((message) => matches(message, keys))
        return ok(`* SEARCH ${found.map(({ uid }) => uid).join(' ')}`.trimEnd())
      }
      case 'UID FETCH':
      case 'FETCH': {
        const items = [args[1]].flat() as Argument[]
        const wanted = name === 'FETCH' ? atPlaces(selected?.messages ?? [], String(args[0])) : chosen()
        return ok(...wanted.map((message) => answerTo(message, items.map(String), selected)))
      }
      case 'UID STORE': {
        const [, operation, flags] = args
        for (const { flags: own } of chosen())
          for (const flag of [flags].flat().map(String))
            String(operation).startsWith('-') ? own.delete(flag) : own.add(flag)
        return ok()
      }
      case 'UID COPY': {
        const target = folders.find(({ path }) => path === args[1])
        if (!target) return line.say(`${tag} NO [TRYCREATE] no such folder`)
        for (const message of chosen()) {
          target.messages.push({ ...message, flags: new Set(message.flags), uid: target.uidNext++ })
        }
        return ok()
      }
      case 'UID EXPUNGE':
      case 'EXPUNGE': {
        const gone = (name === 'EXPUNGE' ? (selected?.messages ?? []) : chosen()).filter(({ flags }) =>
          flags.has('\\Deleted'),
        )
        if (selected) selected.messages = selected.messages.filter((message) => !gone.includes(message))
        return ok()
      }
      case 'CREATE':
        self.addFolder(String(args[0]))
        return ok()
      case 'IDLE': {
        line.say('+ idling')
        idle.add(line)
        await reader.raw()
        idle.delete(line)
        return ok()
      }
      case 'LOGOUT':
        line.say('* BYE bye', `${tag} OK done`)
        return line.close()
      default:
        return line.say(`${tag} BAD unknown command`)
    }
  }

  function answerTo(message: ScriptedMessage, items: readonly string[], folder: ScriptedFolder | undefined): string {
    const seq = (folder?.messages.indexOf(message) ?? 0) + 1
    const said = items.flatMap((name) => options.item?.(name, message) ?? itemOf(name, message))
    const uid = items.includes('UID') ? [] : [`UID ${message.uid}`]
    return `* ${seq} FETCH (${[...uid, ...said].filter((each) => each !== '').join(' ')})`
  }

  const self: ScriptedImap = {
    get port() {
      const address = server.address()
      return typeof address === 'object' && address ? address.port : 0
    },
    folders,
    commands,
    folder(path) {
      const found = folders.find((each) => each.path === path)
      if (!found) throw new Error(`There is no folder ${path}`)
      return found
    },
    addFolder(path, attributes = []) {
      const folder = { path, attributes, uidValidity: 1, uidNext: 1, messages: [] }
      folders.push(folder)
      return folder
    },
    add(source, { folder = 'INBOX', flags = [], date = new Date() } = {}) {
      const to = self.folder(folder)
      const last = to.messages.at(-1)?.uid ?? 0
      const message = { uid: Math.max(to.uidNext, last + 1), source, flags: new Set(flags), date }
      if (to.uidNext > 0) to.uidNext = message.uid + 1
      to.messages.push(message)
      return message
    },
    tell(...lines) {
      for (const line of idle) line.say(...lines)
    },
    count: (name) => commands.filter((command) => command.name === name).length,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
  self.addFolder('INBOX')
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return self
}

const quoted = (text: string | null): string => (text === null ? 'NIL' : `"${text.replace(/["\\]/g, '\\$&')}"`)

export const literal = (text: string): string => `{${Buffer.byteLength(text, 'latin1')}}\r\n${text}`

const statusOf = ({ messages, uidNext, uidValidity }: ScriptedFolder): string => {
  const unseen = messages.filter(({ flags }) => !flags.has('\\Seen')).length
  return `MESSAGES ${messages.length} UNSEEN ${unseen} UIDNEXT ${uidNext} UIDVALIDITY ${uidValidity}`
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function itemOf(name: string, { uid, source, flags, date }: ScriptedMessage): string {
  const header = `${source.split('\r\n\r\n')[0] ?? ''}\r\n`
  const [, section = '', start, length] = /^BODY(?:\.PEEK)?\[(.*)\](?:<(\d+)\.(\d+)>)?$/.exec(name) ?? []
  if (name === 'UID') return `UID ${uid}`
  if (name === 'FLAGS') return `FLAGS (${[...flags].join(' ')})`
  if (name === 'RFC822.SIZE') return `RFC822.SIZE ${source.length}`
  if (name === 'INTERNALDATE') {
    const day = `${String(date.getUTCDate()).padStart(2, ' ')}-${months[date.getUTCMonth()]}-${date.getUTCFullYear()}`
    return `INTERNALDATE "${day} ${date.toISOString().slice(11, 19)} +0000"`
  }
  if (section === '' && name.startsWith('BODY')) {
    const bytes = start === undefined ? source : source.slice(Number(start), Number(start) + Number(length))
    return `BODY[]${start === undefined ? '' : `<${start}>`} ${literal(bytes)}`
  }
  if (section === 'HEADER') return `BODY[HEADER] ${literal(`${header}\r\n`)}`
  if (section.startsWith('HEADER.FIELDS')) {
    const names = section
      .replace(/^HEADER\.FIELDS \(|\)$/g, '')
      .toLowerCase()
      .split(' ')
    const lines = header
      .split(/\r\n(?![ \t])/)
      .filter((line) => names.includes(line.split(':')[0]?.toLowerCase() ?? ''))
    return `BODY[${section}] ${literal([...lines, '', ''].join('\r\n'))}`
  }
  return ''
}

function inSet(messages: readonly ScriptedMessage[], set: string): ScriptedMessage[] {
  const last = messages.at(-1)?.uid ?? 0
  const number = (text: string | undefined, other: number): number => (text === '*' ? last : Number(text ?? other))
  return messages.filter(({ uid }) =>
    set.split(',').some((range) => {
      const [a, b] = range.split(':')
      const from = number(a, 0)
      const to = number(b, from)
      return uid >= Math.min(from, to) && uid <= Math.max(from, to)
    }),
  )
}

/** Messages by their sequence numbers in the folder. */
function atPlaces(messages: readonly ScriptedMessage[], range: string): ScriptedMessage[] {
  const [from = 0, to = from] = range.split(':').map((place) => (place === '*' ? messages.length : Number(place)))
  return messages.slice(Math.min(from, to) - 1, Math.max(from, to))
}
