/** IMAP commands as a server reads them: lines with literals. */
import type net from 'node:net'

/** One argument: a word, a quoted text or literal, or a list. */
export type Argument = string | Argument[]

export interface Command {
  tag: string
  /** In upper case; `UID FETCH` and the like in one. */
  name: string
  args: Argument[]
  /** The whole line as received, without literals. */
  line: string
}

export interface Reader {
  /** `say` sends the requests for literals. */
  next(line: { say(...lines: string[]): void }): Promise<Command | undefined>
  /** The next line, as received. */
  raw(): Promise<string | undefined>
}

export function readerOf(socket: net.Socket): Reader {
  let buffer = ''
  let wake: (() => void) | undefined
  socket.on('data', (chunk) => {
    buffer += chunk.toString('latin1')
    wake?.()
  })
  socket.on('close', () => wake?.())
  const more = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve
    })
  const raw = async (): Promise<string | undefined> => {
    for (;;) {
      const end = buffer.indexOf('\r\n')
      if (end !== -1) {
        const line = buffer.slice(0, end)
        buffer = buffer.slice(end + 2)
        return line
      }
      if (socket.destroyed) return undefined
      await more()
    }
  }
  const bytes = async (length: number): Promise<string> => {
    while (buffer.length < length && !socket.destroyed) await more()
    const text = buffer.slice(0, length)
    buffer = buffer.slice(length)
    return text
  }
  return {
    raw,
    async next(line) {
      let text = await raw()
      if (text === undefined) return undefined
      const literals: string[] = []
      for (let size = /\{(\d+)(\+?)\}$/.exec(text); size; size = /\{(\d+)(\+?)\}$/.exec(text)) {
        if (size[2] === '') line.say('+ go on')
        literals.push(Buffer.from(await bytes(Number(size[1])), 'latin1').toString())
        text = `${text.slice(0, size.index)}\0${(await raw()) ?? ''}`
      }
      const [tag = '', first = '', ...rest] = argumentsIn(text, literals)
      const isUid = String(first).toUpperCase() === 'UID'
      const name = isUid ? `UID ${String(rest[0]).toUpperCase()}` : String(first).toUpperCase()
      return { tag: String(tag), name, args: isUid ? rest.slice(1) : rest, line: text }
    },
  }
}

/** Parses words, quoted texts, literals and lists. Text in square brackets is part of its word. */
function argumentsIn(text: string, literals: string[]): Argument[] {
  const root: Argument[] = []
  const open: Argument[][] = [root]
  const token = /\s*(?:([()])|"((?:[^"\\]|\\.)*)"|(\0)|((?:[^\s()"[\]\0]|\[[^\]]*\])+))/y
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [, bracket, quote, isLiteral, word] = found
    if (bracket === '(') {
      const list: Argument[] = []
      open.at(-1)?.push(list)
      open.push(list)
    } else if (bracket === ')') open.pop()
    else open.at(-1)?.push(quote?.replace(/\\(.)/g, '$1') ?? (isLiteral ? (literals.shift() ?? '') : (word ?? '')))
  }
  return root
}
