/**
 * Caches the part of a calendar that a list has read, for its next pages, so that consecutive pages come from one
 * read. A new list reads from the server, and so does a page that comes late or after the account changed an event.
 */
import type { EventWindow } from '../../calendar/event-queries.ts'
import type { DavSession } from '../session.ts'
import type { ReadGroup } from './mapping/event.ts'

const pagingMs = 5_000
/** Larger parts are not cached. */
const maxGroups = 10_000

/** A part of a window with its parsed events. */
export interface ReadPart {
  range: EventWindow
  groups: ReadGroup[]
}

class ReadParts implements AsyncDisposable {
  #last: { name: string; part: ReadPart } | undefined
  #timer: NodeJS.Timeout | undefined

  find(name: string, at: number): ReadPart | undefined {
    if (this.#last?.name !== name) return undefined
    const { part } = this.#last
    return part.range.from <= at && at < part.range.to ? part : undefined
  }

  keep(name: string, part: ReadPart): void {
    this.forget()
    if (part.groups.length > maxGroups) return
    this.#last = { name, part }
    this.#timer = setTimeout(() => this.forget(), pagingMs).unref()
  }

  forget(): void {
    clearTimeout(this.#timer)
    this.#last = undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.forget()
  }
}

/** The parts of an account's calendars that this node has read recently. */
export const readPartsOf = ({ io }: DavSession): ReadParts => io.retained('caldav parts', () => new ReadParts())
