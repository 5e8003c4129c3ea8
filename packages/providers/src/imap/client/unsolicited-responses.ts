/**
 * Receives folder changes that a server reports without a request (NOTIFY, RFC 5465). imapflow passes every STATUS
 * and LIST to the running command of that kind. An unsolicited one would be lost, or be mistaken for the result.
 */
import type { ImapFlow } from 'imapflow'
import { isFetching } from './fast-responses.ts'
import { type Attribute, internals } from './internals.ts'
import type { Response } from './response-parser.ts'

export interface News {
  /** A folder has changed. */
  changed(): void
  /** The server stops reporting changes (RFC 5465 §5.8). */
  overflowed(): void
}

/** A running command, and the number of status items in its responses by folder. */
interface RunningCommand {
  command: 'LIST' | 'STATUS'
  folder: string | undefined
  answers: Map<string, number>
}

const reported = /^\* (?:(LIST|STATUS) |OK \[(NOTIFICATIONOVERFLOW)\b)/i

export function listenForUnsolicited(client: ImapFlow, news: News): void {
  const inside = internals(client)
  const exec = inside.exec?.bind(client)
  const handle = inside.handleResponse?.bind(client)
  if (!exec || !handle) return
  let requested: RunningCommand | undefined
  const repeats = new Repeats()

  inside.exec = async (command, attributes, options) => {
    if (command !== 'LIST' && command !== 'STATUS') return exec(command, attributes, options)
    if (command === 'LIST') repeats.begin()
    const running: RunningCommand = {
      command,
      folder: command === 'STATUS' ? textOf(attributes[0]) : undefined,
      answers: new Map(),
    }
    requested = running
    try {
      return await exec(command, attributes, options)
    } finally {
      if (requested === running) requested = undefined
    }
  }

  inside.handleResponse = async (response) => {
    const [, kind, overflow] = reported.exec(response.payload.toString('latin1', 0, 40)) ?? []
    if (overflow) news.overflowed()
    if (!kind) return handle(response)
    const text = textIn(response)
    const verdict = judge(requested, kind.toUpperCase() as RunningCommand['command'], text)
    if (verdict !== 'answer' && (!requested || repeats.isNew(text))) news.changed()
    return verdict === 'foreign' ? true : handle(response)
  }
}

/** `answer`: the result of the command. `news`: a change. `foreign`: a change that the command must not receive. */
function judge(
  requested: RunningCommand | undefined,
  kind: RunningCommand['command'],
  text: string,
): 'answer' | 'news' | 'foreign' {
  if (!requested || (requested.command === 'STATUS' && kind === 'LIST')) return 'news'
  const [folder, words] = kind === 'STATUS' ? statusIn(text) : [text, 0]
  if (requested.folder !== undefined && folder !== requested.folder) return 'foreign'
  const key = `${kind} ${folder}`
  const before = requested.answers.get(key)
  requested.answers.set(key, Math.max(before ?? 0, words))
  if (before === undefined) return kind === 'LIST' && /\(\s*"?OLDNAME/i.test(text) ? 'news' : 'answer'
  // A change has fewer items than a result.
  return words < before ? 'foreign' : 'news'
}

const textIn = ({ payload, literals }: Response): string =>
  [payload, ...literals].map((part) => Buffer.from(part).toString('latin1')).join('\n')

const status = /^\* STATUS ("(?:[^"\\]|\\.)*"|\S+) +\(([^\n]*)\)\s*([\s\S]*)$/i

/** The folder of a STATUS response and the number of its items. */
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

/**
 * Recognizes servers that send the same response twice in every listing. Counting it as a change would poll forever.
 */
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

interface NewsListener {
  /** Whether the server has reported a change of the selected folder since the listener was added. */
  readonly hasNews: boolean
  stop(): void
}

/** Detects that the selected folder changed while other commands run. `fetched` are the UIDs in a running FETCH: its responses contain their flags, so those are not news. */
export function listenForNews(client: ImapFlow, fetched: ReadonlySet<number> | undefined): NewsListener {
  const inside = internals(client)
  const handle = inside.handleResponse
  // Without access to responses the server may have reported anything.
  if (!handle) return { hasNews: true, stop: () => undefined }
  let hasNews = false
  inside.handleResponse = (response) => {
    hasNews ||= isNews(client, response, fetched)
    return handle.call(client, response)
  }
  return {
    get hasNews() {
      return hasNews
    },
    stop: () => {
      inside.handleResponse = handle
    },
  }
}

const change = /^\* (?:(\d{1,10}) )?(EXISTS|EXPUNGE|FETCH|VANISHED)\b/i
const uid = /[ (]UID (\d{1,10})[ )]/i

function isNews(client: ImapFlow, { payload }: Response, fetched: ReadonlySet<number> | undefined): boolean {
  const { mailbox } = client
  const text = payload.toString('latin1', 0, 1_000)
  const [, number, kind] = change.exec(text) ?? []
  if (kind === undefined) return false
  // Some servers repeat EXISTS with an unchanged number.
  if (/exists/i.test(kind)) return !mailbox || mailbox.exists !== Number(number)
  // After the FETCH has ended, flags of its messages are news too.
  return !(/fetch/i.test(kind) && isFetching(client) && fetched?.has(Number(uid.exec(text)?.[1])))
}
