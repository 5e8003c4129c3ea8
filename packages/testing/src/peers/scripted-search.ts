/** SEARCH (RFC 3501 §6.4.4) of the scripted server. */
import type { Argument } from './scripted-reader.ts'

export interface ScriptedMessage {
  uid: number
  source: string
  flags: Set<string>
  date: Date
}

type Test = (message: ScriptedMessage) => boolean

/** Whether all keys match a message. */
export const matches = (message: ScriptedMessage, keys: readonly Argument[]): boolean => {
  const rest = [...keys]
  while (rest.length > 0) if (!next(rest)(message)) return false
  return true
}

const headerOf = ({ source }: ScriptedMessage, name: string): string =>
  (source.split('\r\n\r\n')[0] ?? '')
    .split(/\r\n(?![ \t])/)
    .filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
    .join('\n')
    .slice(name.length + 1)

const dayOf = (date: Date): number => Math.floor(date.getTime() / 86_400_000)
const holds = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase())

function next(keys: Argument[]): Test {
  const key = keys.shift()
  if (Array.isArray(key)) return (message) => matches(message, key)
  const text = (): string => String(keys.shift())
  const has =
    (flag: string): Test =>
    ({ flags }) =>
      flags.has(flag)
  const not =
    (test: Test): Test =>
    (message) =>
      !test(message)
  const inHeader =
    (name: string, part: string): Test =>
    (message) =>
      holds(headerOf(message, name), part)
  switch (key?.toUpperCase()) {
    case 'ALL':
      return () => true
    case 'NOT':
      return not(next(keys))
    case 'OR': {
      const [a, b] = [next(keys), next(keys)]
      return (message) => a(message) || b(message)
    }
    case 'UID': {
      const ranges = text()
        .split(',')
        .map((range) => range.split(':'))
      const number = (word: string | undefined): number => (word === '*' ? Number.POSITIVE_INFINITY : Number(word))
      return ({ uid }) => ranges.some(([from, to = from]) => uid >= number(from) && uid <= number(to))
    }
    case 'SEEN':
      return has('\\Seen')
    case 'UNSEEN':
      return not(has('\\Seen'))
    case 'FLAGGED':
      return has('\\Flagged')
    case 'UNFLAGGED':
      return not(has('\\Flagged'))
    case 'DELETED':
      return has('\\Deleted')
    case 'SINCE': {
      const day = dayOf(new Date(`${text()} UTC`))
      return ({ date }) => dayOf(date) >= day
    }
    case 'BEFORE': {
      const day = dayOf(new Date(`${text()} UTC`))
      return ({ date }) => dayOf(date) < day
    }
    case 'LARGER': {
      const size = Number(text())
      return ({ source }) => source.length > size
    }
    case 'SMALLER': {
      const size = Number(text())
      return ({ source }) => source.length < size
    }
    case 'HEADER':
      return inHeader(text(), text())
    case 'SUBJECT':
    case 'FROM':
    case 'TO':
    case 'CC':
    case 'BCC':
      return inHeader(key, text())
    default:
      throw new Error(`unknown search key ${key}`)
  }
}
