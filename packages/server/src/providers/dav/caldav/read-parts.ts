/**
 * What a list has read of a calendar, in memory for the pages that follow: they come one after the other, and are of one
 * look. A list that begins asks the server, and so does a page that comes late, or after the account changed an event.
 */
import type { EventWindow } from '../../calendar/event-queries.ts'
import type { DavSession } from '../session.ts'
import type { ReadGroup } from './mapping/event.ts'

const pagingMs = 5_000
/** What is larger is asked for again. */
const maxGroups = 10_000

/** A part of a window, read. */
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

/** The parts that this node has read of an account's calendars just now. */
export const readPartsOf = ({ io }: DavSession): ReadParts => io.kept('caldav parts', () => new ReadParts())
