/** An answer with several envelopes in a row, as for streaming notifications. */
import type { EgressStream } from '@waypost/platform/egress/egress'
import { XmlError } from '@waypost/platform/xml/xml'
import { unreachable } from '../../shared/exchange.ts'
import type { Refusal } from '../../shared/refusal.ts'

/** The maximum length of one envelope, in characters. */
const maxEnvelope = 4 * 1024 * 1024
/** A closing tag has a short prefix, and hardly ever spaces. */
const maxEnd = 200
const end = /<\/(?:[A-Za-z_][\w.-]{0,80}:)?Envelope\s{0,80}>/

/** Wraps a part of an answer, or all of it, as an answer. */
export function refusalOf({ status, headers }: Pick<EgressStream, 'status' | 'headers'>): (body: Buffer) => Refusal {
  const header = (name: string): string | undefined => [headers[name] ?? []].flat()[0]
  return (body) => ({ status, header, body })
}

/** Yields each envelope as soon as it is complete. Other content is yielded as it is, even if it is empty. */
export async function* envelopesIn({ status, headers, body }: EgressStream): AsyncGenerator<Refusal> {
  const partOf = refusalOf({ status, headers })
  const whole = (text: string): Refusal => partOf(Buffer.from(text))
  const decoder = new TextDecoder()
  let pending: string[] = []
  let length = 0
  /** The end of the searched text; each piece is searched once, however small the pieces are. */
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
    tail = (tail + text).slice(-maxEnd)
    if (length > maxEnvelope) throw new XmlError('an envelope is too long')
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
