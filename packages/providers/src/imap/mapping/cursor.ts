/**
 * The watch cursor of an account: the state of each folder, and recently reported messages. It contains no mail.
 *
 *     { f: { path: [uidValidity, uidNext, modseq | null, messages, polledAt, attributes, unseen, flagged, came, changed,
 *                   notNewBelow, mailboxId] },
 *       r: { hash: date }, a: { hash: date }, b: { path: [uidValidity, uidNext] }, u: true,
 *       c: { path: [uidValidity, from, to, older] }, p: { path: [uidValidity, uidNext, messages] }, d: [ids], n: count }
 *
 * `unseen`, `flagged`, `came` and `changed` are sets of UIDs. The first two are set only if the server has no change
 * counter, the last two while a folder has more changes than one round reports. Empty values at the end are left out.
 * `c` is the progress of collecting contacts. `p`, `d` and `n` are set if deletions are reported: how far the places of
 * messages are stored, messages that left their places, and the number of places.
 */
import { z } from 'zod'
import type { Departures } from '../../mail/message-places.ts'
import { recordedAttributes } from '../../shared/list-changes.ts'
import { RecentIds } from '../../shared/recent-ids.ts'
import type { FolderState } from '../folder-state.ts'

export interface FolderCursor {
  uidValidity: string
  uidNext: number
  modseq: string | undefined
  messages: number
  /** When it was last polled, Unix seconds. */
  polledAt: number
  attributes: string
  unseen?: string | undefined
  flagged?: string | undefined
  /** New and changed messages that are not reported yet. */
  came?: string | undefined
  changed?: string | undefined
  /** Unreported messages below this UID may have been moved here: one with an old date is not new. */
  notNewBelow?: number | undefined
  /** The server's folder id, once queried; empty if there is none. */
  mailboxId?: string | undefined
}

/** Stored for a folder without an id. */
const noId = '-'

/** Messages of a folder whose addresses were collected: UIDs from `from`, below `to`. */
export interface GatheredRange {
  uidValidity: string
  from: number
  to: number
  /** How many of them existed when watching began. */
  older: number
}

/** The messages of a folder whose places are stored: those below a UID. */
export interface FolderPlaces {
  uidValidity: string
  uidNext: number
  /** The number of messages in the folder when it was read. */
  messages: number
}

const recentLimits = { hashLength: 10, max: 4_096 }
const appendedLimits = { hashLength: 10, max: 1_024 }

export interface WatchCursor {
  folders: Map<string, FolderCursor>
  /** Ids of recently reported messages, with the time they were received. */
  recent: RecentIds
  /** Recently reported messages with an old date: a client may save one again as another message. */
  appended: RecentIds
  /** Messages left a folder during the last poll; the next poll sees where they went. */
  isUnsettled: boolean
  /** UIDVALIDITY and UIDNEXT of each folder when watching began. */
  begun: Map<string, [uidValidity: string, uidNext: number]>
  gathered: Map<string, GatheredRange>
  /** How far the places of messages are stored. */
  places: Map<string, FolderPlaces>
  departures: Departures
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
  p: z.record(z.string(), z.tuple([z.string(), z.number(), z.number()])).default({}),
  d: z.array(z.string()).default([]),
  n: z.number().default(0),
})

export function parseCursor(text: string): WatchCursor {
  const { f, r, a, b, c, u, p, d, n } = Stored.parse(JSON.parse(text))
  const folders = Object.entries(f).map(
    ([
      path,
      [uidValidity, uidNext, modseq, messages, polledAt, attributes, unseen, flagged, came, changed, notNew, id],
    ]) => {
      const folder: FolderCursor = {
        uidValidity,
        uidNext,
        modseq: modseq ?? undefined,
        messages,
        polledAt,
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
    places: new Map(
      Object.entries(p).map(([path, [uidValidity, uidNext, messages]]) => [path, { uidValidity, uidNext, messages }]),
    ),
    departures: { departed: d, count: n },
  }
}

export function writeCursor(cursor: WatchCursor): string {
  const { folders, recent, appended, isUnsettled, begun, gathered } = cursor
  const f = Object.fromEntries(
    [...folders].map(([path, at]) => [
      path,
      [
        at.uidValidity,
        at.uidNext,
        at.modseq ?? null,
        at.messages,
        at.polledAt,
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
    ...placesOf(cursor),
  })
}

/** The values for deletions; none if they are not reported. */
function placesOf({ places, departures: { departed, count } }: WatchCursor): object {
  const p = Object.fromEntries(
    [...places].map(([path, { uidValidity, uidNext, messages }]) => [path, [uidValidity, uidNext, messages]]),
  )
  return {
    ...(places.size > 0 ? { p } : {}),
    ...(departed.length > 0 ? { d: departed } : {}),
    ...(count > 0 ? { n: count } : {}),
  }
}

/** Values that are not set for every folder. */
function passing({ came = '', changed = '', notNewBelow, mailboxId }: FolderCursor): string[] {
  const texts = [came, changed, String(notNewBelow ?? ''), mailboxId === '' ? noId : (mailboxId ?? '')]
  return texts.slice(0, texts.findLastIndex((text) => text !== '') + 1)
}

/** The initial cursor of a folder: only later messages are new. */
export const beginAt = (state: FolderState, polledAt: number): FolderCursor => ({
  uidValidity: state.uidValidity,
  uidNext: state.uidNext,
  modseq: state.modseq,
  messages: state.messages,
  polledAt,
  attributes: recordedAttributes(state),
  mailboxId: state.mailboxId,
})

/** The initial cursor of all folders. */
export const cursorAt = (states: readonly FolderState[], polledAt: number): WatchCursor => ({
  folders: new Map(states.map((state) => [state.path, beginAt(state, polledAt)])),
  recent: new RecentIds({}, recentLimits),
  appended: new RecentIds({}, appendedLimits),
  isUnsettled: false,
  begun: new Map(states.map(({ path, uidValidity, uidNext }) => [path, [uidValidity, uidNext]])),
  gathered: new Map(),
  places: new Map(),
  departures: { departed: [], count: 0 },
})

/** Expands a set of UIDs. */
export function numbersOf(set: string | undefined): Set<number> {
  const numbers = new Set<number>()
  for (const range of set ? set.split(',') : []) {
    const [from = 0, to = from] = range.split(':').map(Number)
    for (let uid = from; uid <= to && numbers.size < 100_000; uid++) numbers.add(uid)
  }
  return numbers
}
