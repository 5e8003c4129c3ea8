/**
 * Messages that were read lately, for as long as their mailbox is in use: what a message says never changes in IMAP, only
 * its marks and places do. Marks hold as long as the server's count of changes of the folder stays the same; servers that
 * do not count are asked each time. In memory, bounded, and gone with the connections.
 */
import type { LeanMessage } from '../../../formats/mime/parse-worker.ts'
import type { Entry } from '../entry.ts'
import type { Marked } from '../reading/fetched.ts'

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
    // Last in the order of use.
    this.#messages.delete(entry)
    this.#messages.set(entry, found)
    return found
  }

  put(entry: Entry, message: LeanMessage): void {
    const { headers: _, ...kept } = message
    const size = sizeOf(kept)
    if (size > maxCharacters / 10 || this.#messages.has(entry)) return
    this.#messages.set(entry, kept)
    this.#characters += size
    for (const [oldest, read] of this.#messages) {
      if (this.#characters <= maxCharacters) break
      this.#messages.delete(oldest)
      this.#characters -= sizeOf(read)
    }
  }

  /** The marks of a message, if nothing in its folder changed since they were read. */
  marks(entry: Entry, modseq: string | undefined): Set<string> | undefined {
    const known = this.#marks.get(entry)
    return known && known.modseq === modseq ? known.flags : undefined
  }

  /** `modseq` is the folder's count of changes; the marks must have been read by a connection that knew these changes. */
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
