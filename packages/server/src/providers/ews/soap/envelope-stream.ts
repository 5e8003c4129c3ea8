/** An answer that is several envelopes, one behind the other, as streaming notifications come. */
import type { EgressStream } from '../../../lib/egress/egress.ts'
import { XmlError } from '../../../lib/xml/xml.ts'
import { unreachable } from '../../shared/exchange.ts'
import type { Refusal } from '../../shared/refusal.ts'

/** The most that one envelope may be long, in characters. */
const longestEnvelope = 4 * 1024 * 1024
/** A closing tag has a prefix of a few letters, and hardly ever blanks. */
const longestEnd = 200
const end = /<\/(?:[A-Za-z_][\w.-]{0,80}:)?Envelope\s{0,80}>/

/** A part of an answer, or all of it, as an answer. */
export function refusalOf({ status, headers }: Pick<EgressStream, 'status' | 'headers'>): (body: Buffer) => Refusal {
  const header = (name: string): string | undefined => [headers[name] ?? []].flat()[0]
  return (body) => ({ status, header, body })
}

/** Each envelope as soon as it is whole. What is none is given as it is, also where that is nothing at all. */
export async function* envelopesIn({ status, headers, body }: EgressStream): AsyncGenerator<Refusal> {
  const partOf = refusalOf({ status, headers })
  const whole = (text: string): Refusal => partOf(Buffer.from(text))
  const decoder = new TextDecoder()
  let pending: string[] = []
  let length = 0
  /** The end of what was looked through: each piece is looked at once, however small the pieces are. */
  let tail = ''
  let isEmpty = true
  for await (const piece of readable(body)) {
    let text = decoder.decode(piece, { stream: true })
    for (let found = end.exec(tail + text); found !== null; found = end.exec(text)) {
      const to = found.index + found[0].length - tail.length
      yield whole(pending.join('') + text.slice(0, to))
      isEmpty = false
      text = text.slice(to)
      pending = []
      length = 0
      tail = ''
    }
    pending.push(text)
    length += text.length
    tail = (tail + text).slice(-longestEnd)
    if (length > longestEnvelope) throw new XmlError('an envelope is too long')
  }
  const rest = pending.join('')
  if (isEmpty || rest.trim() !== '') yield whole(rest)
}

async function* readable(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body
  } catch (error) {
    throw unreachable(error, 'Exchange')
  }
}
