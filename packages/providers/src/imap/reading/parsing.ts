/**
 * Parses messages in worker threads (`io.parse`). A message that cannot be parsed is marked and does not affect
 * others.
 */
import type { LeanMessage } from '@waypost/formats/parse-worker'
import { parseProblem } from '../../mail/unreadable.ts'
import type { Entry, Fetched, Parsed } from '../entry.ts'
import type { Session } from '../session.ts'

export interface Piece {
  entry: Entry
  slot: Fetched
  input: unknown
  /** Only its header was read. */
  isHeader?: boolean
}

/** Starts parsing; each message succeeds or fails alone. */
export function startParsing(session: Session, kind: 'message' | 'assemble', pieces: readonly Piece[]): void {
  if (pieces.length === 0) return
  const { parse, signal } = session.io
  const inputs = pieces.map(({ input }) => input)
  const done = parse.run<unknown, LeanMessage>(kind, inputs, { signal })
  for (const [at, { entry, slot, isHeader }] of pieces.entries()) {
    slot.parsing = done.then((results): Parsed => {
      const result = results[at]
      if (result?.ok) {
        // Caches the message for later requests.
        if (!isHeader) session.mailbox.cache.put(entry, result.value)
        return { parsed: result.value }
      }
      return { problem: parseProblem(session, result) }
    })
    // Awaited after all messages are fetched.
    slot.parsing.catch(() => undefined)
  }
}
