/**
 * Recently read messages of a mailbox in use. In IMAP the content of a message never changes, only its flags and
 * places. Cached flags are valid while the folder's change counter is unchanged; servers without one are queried each
 * time. In memory, bounded, dropped with the connections.
 */
import type { LeanMessage } from '@waypost/formats/parse-worker'
import type { Entry, Marked } from '../entry.ts'

/** Characters of all bodies together. */
const maxCharacters = 4_000_000
const maxMarks = 5_000

export class MessageCache {
  readonly #messages = new Map<Entry, LeanMessage>()
  readonly #marks = new Map<Entry, { flags: Set<string>; modseq: string }>()
  #characters = 0

  get(entry: Entry): LeanMessage | undefined {
    const found = this.#messages.get(entry)
    if (!found) return undefined
    // Moves it to the end of the order of use.
    this.#messages.delete(entry)
    this.#messages.set(entry, found)
    return found
  }

  put(entry: Entry, message: LeanMessage): void {
    const { headers: _, ...retained } = message
    const size = sizeOf(retained)
    if (size > maxCharacters / 10 || this.#messages.has(entry)) return
    this.#messages.set(entry, retained)
    this.#characters += size
    for (const [oldest, read] of this.#messages) {
      if (this.#characters <= maxCharacters) break
      this.#messages.delete(oldest)
      this.#characters -= sizeOf(read)
    }
  }

  /** The flags of a message, if nothing in its folder changed since they were read. */
  marks(entry: Entry, modseq: string | undefined): Set<string> | undefined {
    const known = this.#marks.get(entry)
    return known && known.modseq === modseq ? known.flags : undefined
  }

  /**
   * `modseq` is the folder's change counter. The flags must have been read on a connection that had received these
   * changes.
   */
  putMarks(marked: readonly Marked[], modseq: string | undefined): void {
    if (modseq === undefined) return
    if (this.#marks.size >= maxMarks) this.#marks.clear()
    for (const { entry, flags } of marked) this.#marks.set(entry, { flags, modseq })
  }

  clear(): void {
    this.#marks.clear()
    this.#messages.clear()
    this.#characters = 0
  }
}

const sizeOf = ({ body, to, cc }: LeanMessage): number => body.length + 100 * (to.length + cc.length) + 1_000
