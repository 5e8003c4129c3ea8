/** What strangers wrote is parsed apart from this thread (`io.parse`): a message that cannot be read is marked, alone. */

import type { LeanMessage } from '../../../formats/mime/parse-worker.ts'
import { parseProblem } from '../../mail/unreadable.ts'
import type { Entry } from '../entry.ts'
import type { Session } from '../session.ts'
import type { Fetched, Parsed } from './fetched.ts'

export interface Piece {
  entry: Entry
  slot: Fetched
  input: unknown
  /** Its header is all that was read of it. */
  isHeader?: boolean
}

/** Has messages parsed; each is alone in its fate. */
export function startParsing(session: Session, kind: 'message' | 'assemble', pieces: readonly Piece[]): void {
  if (pieces.length === 0) return
  const { parse, signal } = session.io
  const inputs = pieces.map(({ input }) => input)
  const done = parse.run<unknown, LeanMessage>(kind, inputs, { signal })
  for (const [at, { entry, slot, isHeader }] of pieces.entries()) {
    slot.parsing = done.then((results): Parsed => {
      const result = results[at]
      if (result?.ok) {
        // For the next who asks.
        if (!isHeader) session.mailbox.cache.put(entry, result.value)
        return { parsed: result.value }
      }
      return { problem: parseProblem(session, result) }
    })
    // It is waited for once all are fetched.
    slot.parsing.catch(() => undefined)
  }
}
