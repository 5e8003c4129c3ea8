/**
 * Where watching an account stands: for each folder how far it was seen, and the messages told of lately. No mail.
 *
 *     { f: { path: [uidValidity, uidNext, modseq | null, messages, lookedAt, attributes, unseen, flagged, came, changed,
 *                   notNewBelow, mailboxId] },
 *       r: { hash: date }, a: { hash: date }, b: { path: [uidValidity, uidNext] }, u: true,
 *       c: { path: [uidValidity, from, to, older] } }
 *
 * `unseen`, `flagged`, `came` and `changed` are sets of UIDs: the first two are kept only where the server does not count
 * changes, the last two while there is more to tell of a folder than is told at once. Nothing stands for empty texts at
 * the end.
 * `c` says how far the people whom the mail names were gathered.
 */
import { z } from 'zod'
import { recordedAttributes } from '../../shared/list-changes.ts'
import { RecentIds } from '../../shared/recent-ids.ts'
import type { FolderState } from '../index/folder-list.ts'

export interface FolderCursor {
  uidValidity: string
  uidNext: number
  modseq: string | undefined
  messages: number
  /** When it was last looked at, Unix seconds. */
  lookedAt: number
  attributes: string
  unseen?: string | undefined
  flagged?: string | undefined
  /** Messages that came, and that changed, and are still to be told of. */
  came?: string | undefined
  changed?: string | undefined
  /** Messages that are still to be told of, below this UID, may have been elsewhere before: one of an old date is not new. */
  notNewBelow?: number | undefined
  /** The server's own name for it, where that was asked for; empty where it has none. */
  mailboxId?: string | undefined
}

/** Stands for the name of a folder that has none. */
const noId = '-'

/** Messages of a folder whose people were gathered: those with a UID of `from` or more, and less than `to`. */
export interface GatheredRange {
  uidValidity: string
  from: number
  to: number
  /** How many of them were there before. */
  older: number
}

const recentLimits = { hashLength: 10, max: 4_096 }
const appendedLimits = { hashLength: 10, max: 1_024 }

export interface WatchCursor {
  folders: Map<string, FolderCursor>
  /** The ids of messages that were told of lately, by the time at which they were received. */
  recent: RecentIds
  /** What names the messages of an old date that were told of lately: a client may save one again, as another one. */
  appended: RecentIds
  /** Messages left a folder while the last look was taken: where they went to, the next one sees. */
  isUnsettled: boolean
  /** UIDVALIDITY and UIDNEXT of each folder when watching began. */
  begun: Map<string, [uidValidity: string, uidNext: number]>
  gathered: Map<string, GatheredRange>
}

const Stored = z.object({
  f: z.record(
    z.string(),
    z.tuple(
      [
        z.string(),
        z.number(),
        z.string().nullable(),
        z.number(),
        z.number(),
        z.string(),
        z.string().nullable(),
        z.string().nullable(),
      ],
      z.string(),
    ),
  ),
  r: z.record(z.string(), z.number()),
  a: z.record(z.string(), z.number()).default({}),
  b: z.record(z.string(), z.tuple([z.string(), z.number()])).default({}),
  u: z.boolean().default(false),
  c: z.record(z.string(), z.tuple([z.string(), z.number(), z.number(), z.number()])).default({}),
})

export function parseCursor(text: string): WatchCursor {
  const { f, r, a, b, c, u } = Stored.parse(JSON.parse(text))
  const folders = Object.entries(f).map(
    ([
      path,
      [uidValidity, uidNext, modseq, messages, lookedAt, attributes, unseen, flagged, came, changed, notNew, id],
    ]) => {
      const folder: FolderCursor = {
        uidValidity,
        uidNext,
        modseq: modseq ?? undefined,
        messages,
        lookedAt,
        attributes,
        unseen: unseen ?? undefined,
        flagged: flagged ?? undefined,
        came: came || undefined,
        changed: changed || undefined,
        notNewBelow: notNew ? Number(notNew) : undefined,
        mailboxId: id === noId ? '' : id || undefined,
      }
      return [path, folder] as const
    },
  )
  const gathered = Object.entries(c).map(
    ([path, [uidValidity, from, to, older]]) => [path, { uidValidity, from, to, older }] as const,
  )
  return {
    folders: new Map(folders),
    recent: new RecentIds(r, recentLimits),
    appended: new RecentIds(a, appendedLimits),
    isUnsettled: u,
    begun: new Map(Object.entries(b)),
    gathered: new Map(gathered),
  }
}

export function writeCursor({ folders, recent, appended, isUnsettled, begun, gathered }: WatchCursor): string {
  const f = Object.fromEntries(
    [...folders].map(([path, at]) => [
      path,
      [
        at.uidValidity,
        at.uidNext,
        at.modseq ?? null,
        at.messages,
        at.lookedAt,
        at.attributes,
        at.unseen ?? null,
        at.flagged ?? null,
        ...passing(at),
      ],
    ]),
  )
  const c = Object.fromEntries(
    [...gathered].map(([path, { uidValidity, from, to, older }]) => [path, [uidValidity, from, to, older]]),
  )
  return JSON.stringify({
    f,
    r: recent.stored(),
    ...(appended.size > 0 ? { a: appended.stored() } : {}),
    b: Object.fromEntries(begun),
    ...(gathered.size > 0 ? { c } : {}),
    ...(isUnsettled ? { u: true } : {}),
  })
}

/** What is not known of every folder, or not at all times. */
function passing({ came = '', changed = '', notNewBelow, mailboxId }: FolderCursor): string[] {
  const texts = [came, changed, String(notNewBelow ?? ''), mailboxId === '' ? noId : (mailboxId ?? '')]
  return texts.slice(0, texts.findLastIndex((text) => text !== '') + 1)
}

/** Where watching a folder begins: with what comes after this look. */
export const beginAt = (state: FolderState, lookedAt: number): FolderCursor => ({
  uidValidity: state.uidValidity,
  uidNext: state.uidNext,
  modseq: state.modseq,
  messages: state.messages,
  lookedAt,
  attributes: recordedAttributes(state),
  mailboxId: state.mailboxId,
})

/** Where watching begins: with what comes after this look at all folders. */
export const cursorAt = (states: readonly FolderState[], lookedAt: number): WatchCursor => ({
  folders: new Map(states.map((state) => [state.path, beginAt(state, lookedAt)])),
  recent: new RecentIds({}, recentLimits),
  appended: new RecentIds({}, appendedLimits),
  isUnsettled: false,
  begun: new Map(states.map(({ path, uidValidity, uidNext }) => [path, [uidValidity, uidNext]])),
  gathered: new Map(),
})

/** The numbers of a set of UIDs. */
export function numbersOf(set: string | undefined): Set<number> {
  const numbers = new Set<number>()
  for (const range of set ? set.split(',') : []) {
    const [from = 0, to = from] = range.split(':').map(Number)
    for (let uid = from; uid <= to && numbers.size < 100_000; uid++) numbers.add(uid)
  }
  return numbers
}
