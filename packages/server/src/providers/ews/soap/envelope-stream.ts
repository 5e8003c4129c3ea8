/** An answer that is several envelopes, one behind the other, as streaming notifications come. */
import type { EgressStream } from '../../../lib/egress.ts'
import { XmlError } from '../../../lib/xml.ts'
import { unreachable } from '../../shared/exchange.ts'
import type { Refusal } from '../../shared/refusal.ts'

/** The most that one envelope may be long, in characters. */
const longestEnvelope = 4 * 1024 * 1024
const end = /<\/(?:[A-Za-z_][\w.-]*:)?Envelope\s*>/g

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
  let pending = ''
  let isEmpty = true
  for await (const piece of readable(body)) {
    pending += decoder.decode(piece, { stream: true })
    let from = 0
    for (const found of pending.matchAll(end)) {
      const to = found.index + found[0].length
      yield whole(pending.slice(from, to))
      isEmpty = false
      from = to
    }
    pending = pending.slice(from)
    if (pending.length > longestEnvelope) throw new XmlError('an envelope is too long')
  }
  if (isEmpty || pending.trim() !== '') yield whole(pending)
}

async function* readable(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body
  } catch (error) {
    throw unreachable(error, 'Exchange')
  }
}
