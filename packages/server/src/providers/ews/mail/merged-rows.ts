/**
 * Messages of several folders as one list, newest first. FindItem looks into many folders with one call and answers for each
 * of them, in the order of its own; here they are merged, and more is asked for of those folders alone whose part ran out.
 */
import { hasCode, isMissing } from '../errors.ts'
import { FindItem, page } from '../operations/items.ts'
import { folder } from '../types/ids.ts'
import { field } from '../types/paths.ts'
import { allOf, containing, not, type Restriction } from '../types/restriction.ts'
import { newestFirst } from '../types/sorting.ts'
import { isDenied, type Mailbox, type MailItem, mailIn } from './mail-api.ts'
import { receivedOf } from './mapping/names.ts'
import { rows, shapeOf, type Wanted } from './mapping/wanted.ts'

/** An account may have so many found at a time (EWSFindCountLimit), unless its administrator says otherwise. */
const mostFound = 1000
/** With a restriction or a query servers give no more of a folder at a time. */
const mostOfFolder = 250
const leastOfFolder = 5
const foldersPerCall = 200
/** Calls that one request may make. */
const maxCalls = 40

export interface RowsOf {
  mailbox: Mailbox
  terms: readonly Restriction[]
  query?: string | undefined
  /** How many are wanted of all folders together, if they are all of one. */
  size: number
  wanted?: Wanted
  /** Whether the folders were named by the client: then it is an error if one is not there. */
  isNamed: boolean
}

interface FolderPart {
  id: string
  rows: MailItem[]
  /** Of the next call. */
  offset: number
  /** How many times as many are asked for: where other things than mail lie in a folder, more at a time. */
  factor: number
  /** Whether it has given any message yet. */
  hasMail: boolean
  /** Whether other things than mail are left out by the server: it is told so where they fill a folder. */
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

  /** Takes up folders that were not known of, and leaves out those that are gone. */
  setFolders(folderIds: readonly string[]): void {
    const known = new Map(this.#parts.map((part) => [part.id, part]))
    this.#parts = inOrder(folderIds.map((id) => known.get(id) ?? newPart(id)))
  }

  /** Whether there is no more, for certain. */
  get isDone(): boolean {
    return this.#parts.every((part) => part.isDone && part.rows.length === 0)
  }

  /** Whether so much was asked for that the rest must wait for another request. */
  get isExhausted(): boolean {
    return this.#calls >= maxCalls
  }

  /** The next message; undefined where there is none, or the rest must wait. */
  async next(): Promise<MailItem | undefined> {
    if (!(await this.fill())) return undefined
    let newest: FolderPart | undefined
    for (const part of this.#parts) if (dateOfNext(part) > dateOfNext(newest)) newest = part
    return newest?.rows.shift()
  }

  /** Asks for the messages of all folders of which none is here; answers whether that could be done. */
  async fill(): Promise<boolean> {
    for (;;) {
      const empty = this.#parts.filter((part) => part.rows.length === 0 && !part.isDone)
      if (empty.length === 0) return true
      if (this.isExhausted) return false
      // Those that stand at the same place are asked for together.
      const [first] = empty
      const together = empty.filter((part) => isAlike(part, first)).slice(0, foldersPerCall)
      await this.#ask(together)
    }
  }

  async #ask(parts: readonly FolderPart[]): Promise<void> {
    const { mailbox, terms, query, wanted = rows } = this.#of
    this.#calls += 1
    const { offset, factor, isNarrow } = parts[0] ?? newPart('')
    const most = Math.max(leastOfFolder, Math.floor(mostFound / parts.length))
    const size = Math.min(this.#size * factor, mostOfFolder, most)
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

  /** A folder that is gone meanwhile has nothing; one that nobody named and that is closed neither. */
  #refused(part: FolderPart, error: Error, size: number): void {
    if (hasCode(error, 'ErrorExceededFindCountLimit') && size > leastOfFolder) {
      this.#size = Math.ceil(size / 4)
      return
    }
    if (part.isNarrow && hasCode(error, ...refusedRestrictions)) {
      // Then it is gone through, more at a time.
      Object.assign(part, { isNarrow: false, hasMail: true, factor: part.factor * 4 })
      return
    }
    if (this.#of.isNamed || !(isMissing(error) || isDenied(error))) throw error
    part.isDone = true
  }
}

/** Whether two folders can be asked for together. */
const isAlike = (a: FolderPart, b: FolderPart | undefined): boolean =>
  a.offset === b?.offset && a.factor === b.factor && a.isNarrow === b.isNarrow

/** What lies in Deleted Items beside mail. */
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

/** Some order that stays: messages of one second come by their folders. */
const inOrder = (parts: FolderPart[]): FolderPart[] => parts.sort((a, b) => (a.id < b.id ? -1 : 1))

const dateOfNext = (part: FolderPart | undefined): number => {
  const row = part?.rows[0]
  return row === undefined ? -1 : receivedOf(row)
}

interface Answered {
  Items?: Parameters<typeof mailIn>[0]
  IndexedPagingOffset?: number | undefined
  IncludesLastItemInRange?: boolean | undefined
}

function take(
  part: FolderPart,
  found: Answered | undefined,
  { size, mayNarrow }: { size: number; mayNarrow: boolean },
): void {
  const { Items: items = [], IndexedPagingOffset: next, IncludesLastItemInRange: isLast } = found ?? {}
  const mail = mailIn(items)
  part.rows.push(...mail.map((row) => ({ ...row, ParentFolderId: { Id: part.id } })))
  part.hasMail ||= mail.length > 0
  if (mail.length === 0) part.factor *= 4
  // Some servers say that there is more and give nothing.
  part.isDone = isLast ?? items.length < size
  if (items.length === 0) part.isDone = true
  part.offset = next !== undefined && next > part.offset ? next : part.offset + items.length
  if (part.isDone || part.hasMail || part.isNarrow || !mayNarrow) return
  Object.assign(part, { isNarrow: true, offset: 0, factor: 1 })
}
