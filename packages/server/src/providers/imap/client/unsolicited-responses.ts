/**
 * Hears what a server tells of folders by itself (NOTIFY, RFC 5465). imapflow gives every STATUS and LIST that comes while
 * such a command runs to that command: news among the answers would be lost, or be taken for what was asked.
 */
import type { ImapFlow } from 'imapflow'
import { type Attribute, internals } from './internals.ts'
import type { Response } from './response-parser.ts'

export interface News {
  /** A folder is not as it was. */
  changed(): void
  /** The server tells nothing more by itself (RFC 5465 §5.8). */
  overflowed(): void
}

/** A command that runs, and how many words its answers had, by the folder that they are about. */
interface Asked {
  command: 'LIST' | 'STATUS'
  folder: string | undefined
  answers: Map<string, number>
}

const told = /^\* (?:(LIST|STATUS) |OK \[(NOTIFICATIONOVERFLOW)\b)/i

export function listenForUnsolicited(client: ImapFlow, news: News): void {
  const inside = internals(client)
  const exec = inside.exec?.bind(client)
  const handle = inside.handleResponse?.bind(client)
  if (!exec || !handle) return
  let asked: Asked | undefined
  const repeats = new Repeats()

  inside.exec = async (command, attributes, options) => {
    if (command !== 'LIST' && command !== 'STATUS') return exec(command, attributes, options)
    if (command === 'LIST') repeats.begin()
    const running: Asked = {
      command,
      folder: command === 'STATUS' ? textOf(attributes[0]) : undefined,
      answers: new Map(),
    }
    asked = running
    try {
      return await exec(command, attributes, options)
    } finally {
      if (asked === running) asked = undefined
    }
  }

  inside.handleResponse = async (response) => {
    const [, kind, overflow] = told.exec(response.payload.toString('latin1', 0, 40)) ?? []
    if (overflow) news.overflowed()
    if (!kind) return handle(response)
    const text = textIn(response)
    const verdict = judge(asked, kind.toUpperCase() as Asked['command'], text)
    if (verdict !== 'answer' && (!asked || repeats.isNew(text))) news.changed()
    return verdict === 'foreign' ? true : handle(response)
  }
}

/** `answer` to what was asked; `news`; or `foreign`, news that the command must not get. */
function judge(asked: Asked | undefined, kind: Asked['command'], text: string): 'answer' | 'news' | 'foreign' {
  if (!asked || (asked.command === 'STATUS' && kind === 'LIST')) return 'news'
  const [folder, words] = kind === 'STATUS' ? statusIn(text) : [text, 0]
  if (asked.folder !== undefined && folder !== asked.folder) return 'foreign'
  const key = `${kind} ${folder}`
  const before = asked.answers.get(key)
  asked.answers.set(key, Math.max(before ?? 0, words))
  if (before === undefined) return kind === 'LIST' && /\(\s*"?OLDNAME/i.test(text) ? 'news' : 'answer'
  // News say less than answers.
  return words < before ? 'foreign' : 'news'
}

const textIn = ({ payload, literals }: Response): string =>
  [payload, ...literals].map((part) => Buffer.from(part).toString('latin1')).join('\n')

const status = /^\* STATUS ("(?:[^"\\]|\\.)*"|\S+) +\(([^\n]*)\)\s*([\s\S]*)$/i

/** The folder that a STATUS is about, and how many words say how it is. */
function statusIn(text: string): [folder: string, words: number] {
  const [, name = '', items = '', literal = ''] = status.exec(text) ?? []
  const plain = /^\{\d/.test(name) ? literal : unquoted(name.trim())
  return [inboxAsOne(plain), items.trim().split(/\s+/).length]
}

const unquoted = (name: string): string => (name.startsWith('"') ? name.slice(1, -1).replace(/\\(["\\])/g, '$1') : name)

const inboxAsOne = (name: string): string => (/^inbox$/i.test(name) ? 'INBOX' : name)

function textOf(attribute: Attribute | undefined): string | undefined {
  const text = typeof attribute === 'string' || !attribute || !('value' in attribute) ? attribute : attribute.value
  return typeof text === 'string' ? inboxAsOne(Buffer.from(text).toString('latin1')) : undefined
}

/** Servers that answer twice with the same in every listing would be asked without end. */
class Repeats {
  #last = new Set<string>()
  #now = new Set<string>()

  begin(): void {
    this.#last = this.#now
    this.#now = new Set()
  }

  isNew(text: string): boolean {
    this.#now.add(text)
    return !this.#last.has(text)
  }
}
