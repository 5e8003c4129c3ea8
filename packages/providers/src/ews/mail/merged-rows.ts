/**
 * Messages of several folders as one list, newest first. FindItem searches many folders with one call and returns a
 * list for each. The lists are merged here, and more is requested only of folders whose rows are used up.
 */
import { hasCode, isMissing } from '../errors.ts'
import { FindItem, page } from '../operations/items.ts'
import { folder } from '../types/ids.ts'
import { field } from '../types/paths.ts'
import { allOf, containing, newestFirst, not, type Restriction } from '../types/restriction.ts'
import { isDenied, type Mailbox, type MailItem, mailIn } from './mail-api.ts'
import { receivedOf } from './mapping/names.ts'
import { type MessageQuery, rows, shapeOf } from './mapping/wanted.ts'

/** An account can find at most this many items per call (EWSFindCountLimit), unless its administrator changes it. */
const maxFound = 1000
/** With a restriction or a query servers return at most this many items of a folder. */
const maxOfFolder = 250
const leastOfFolder = 5
const foldersPerCall = 200
/** The maximum number of calls per request. */
const maxCalls = 40

export interface RowsOf {
  mailbox: Mailbox
  terms: readonly Restriction[]
  query?: string | undefined
  /** The number of rows that the caller needs. */
  size: number
  wanted?: MessageQuery
  /** Whether the client named the folders, so that a missing one is an error. */
  isNamed: boolean
}

interface FolderPart {
  id: string
  rows: MailItem[]
  /** The offset of the next call. */
  offset: number
  /** The multiple of rows to request, for folders that also contain other items. */
  factor: number
  /** Whether it has returned a message yet. */
  hasMail: boolean
  /** Whether the server excludes other items, which is requested if they fill a folder. */
  isNarrow: boolean
  isDone: boolean
}

export class MergedRows {
  readonly #of: RowsOf
  #parts: FolderPart[]
  #calls = 0
  #size: number

  constructor(of: RowsOf, folderIds: readonly string[]) {
    this.#of = of
    this.#size = of.size
    this.#parts = inOrder(folderIds.map(newPart))
  }

  /** Adds new folders, and removes deleted ones. */
  setFolders(folderIds: readonly string[]): void {
    const known = new Map(this.#parts.map((part) => [part.id, part]))
    this.#parts = inOrder(folderIds.map((id) => known.get(id) ?? newPart(id)))
  }

  /** Whether there are certainly no more rows. */
  get isDone(): boolean {
    return this.#parts.every((part) => part.isDone && part.rows.length === 0)
  }

  /** Whether the limit of calls is reached, so that the rest needs another request. */
  get isExhausted(): boolean {
    return this.#calls >= maxCalls
  }

  /** The next message; undefined at the end, or if the rest needs another request. */
  async next(): Promise<MailItem | undefined> {
    if (!(await this.fill())) return undefined
    let newest: FolderPart | undefined
    for (const part of this.#parts) if (dateOfNext(part) > dateOfNext(newest)) newest = part
    return newest?.rows.shift()
  }

  /** Requests rows of all folders that have none; returns whether that was possible. */
  async fill(): Promise<boolean> {
    for (;;) {
      const empty = this.#parts.filter((part) => part.rows.length === 0 && !part.isDone)
      if (empty.length === 0) return true
      if (this.isExhausted) return false
      // Folders with the same offset are requested together.
      const [first] = empty
      const together = empty.filter((part) => isAlike(part, first)).slice(0, foldersPerCall)
      await this.#ask(together)
    }
  }

  async #ask(parts: readonly FolderPart[]): Promise<void> {
    const { mailbox, terms, query, wanted = rows } = this.#of
    this.#calls += 1
    const { offset, factor, isNarrow } = parts[0] ?? newPart('')
    const max = Math.max(leastOfFolder, Math.floor(maxFound / parts.length))
    const size = Math.min(this.#size * factor, maxOfFolder, max)
    const answers = await mailbox.session.each(FindItem, (server) => ({
      Traversal: 'Shallow' as const,
      ItemShape: { ...shapeOf(wanted, server), BodyType: undefined },
      View: page(offset, size),
      Restriction: query === undefined ? allOf([...terms, ...(isNarrow ? mailAlone : [])]) : undefined,
      SortOrder: newestFirst(field('item:DateTimeReceived')),
      ParentFolderIds: parts.map(({ id }) => folder(id)),
      QueryString: query,
    }))
    for (const [place, part] of parts.entries()) {
      const answer = answers[place]
      if (answer instanceof Error) this.#refused(part, answer, size)
      else take(part, answer?.RootFolder, { size, mayNarrow: query === undefined })
    }
  }

  /** A deleted folder has no rows, and neither has an inaccessible one that the client did not name. */
  #refused(part: FolderPart, error: Error, size: number): void {
    if (hasCode(error, 'ErrorExceededFindCountLimit') && size > leastOfFolder) {
      this.#size = Math.ceil(size / 4)
      return
    }
    if (part.isNarrow && hasCode(error, ...refusedRestrictions)) {
      // The folder is then read without the restriction, more rows at a time.
      Object.assign(part, { isNarrow: false, hasMail: true, factor: part.factor * 4 })
      return
    }
    if (this.#of.isNamed || !(isMissing(error) || isDenied(error))) throw error
    part.isDone = true
  }
}

/** Whether two folders can be requested together. */
const isAlike = (a: FolderPart, b: FolderPart | undefined): boolean =>
  a.offset === b?.offset && a.factor === b.factor && a.isNarrow === b.isNarrow

/** The classes of other items in Deleted Items. */
const otherClasses = ['IPM.Appointment', 'IPM.Contact', 'IPM.DistList', 'IPM.Task', 'IPM.StickyNote', 'IPM.Activity']
const mailAlone = otherClasses.map((name) => not(containing(field('item:ItemClass'), name, 'Prefixed')))
const refusedRestrictions = ['ErrorInvalidRestriction', 'ErrorUnsupportedPathForQuery', 'ErrorContainsFilterWrongType']

const newPart = (id: string): FolderPart => ({
  id,
  rows: [],
  offset: 0,
  factor: 1,
  hasMail: false,
  isNarrow: false,
  isDone: false,
})

/** A stable order: messages of one second are ordered by folder. */
const inOrder = (parts: FolderPart[]): FolderPart[] => parts.sort((a, b) => (a.id < b.id ? -1 : 1))

const dateOfNext = (part: FolderPart | undefined): number => {
  const row = part?.rows[0]
  return row === undefined ? -1 : receivedOf(row)
}

interface RowsAnswer {
  Items?: Parameters<typeof mailIn>[0]
  IndexedPagingOffset?: number | undefined
  IncludesLastItemInRange?: boolean | undefined
}

function take(
  part: FolderPart,
  found: RowsAnswer | undefined,
  { size, mayNarrow }: { size: number; mayNarrow: boolean },
): void {
  const { Items: items = [], IndexedPagingOffset: next, IncludesLastItemInRange: isLast } = found ?? {}
  const mail = mailIn(items)
  part.rows.push(...mail.map((row) => ({ ...row, ParentFolderId: { Id: part.id } })))
  part.hasMail ||= mail.length > 0
  if (mail.length === 0) part.factor *= 4
  // Some servers announce more rows and return none.
  part.isDone = isLast ?? items.length < size
  if (items.length === 0) part.isDone = true
  part.offset = next !== undefined && next > part.offset ? next : part.offset + items.length
  if (part.isDone || part.hasMail || part.isNarrow || !mayNarrow) return
  Object.assign(part, { isNarrow: true, offset: 0, factor: 1 })
}
