/**
 * Where watching an account stands: for each folder how far it was seen, and the messages told of lately. No mail.
 *
 *     { f: { path: [uidValidity, uidNext, modseq | null, messages, lookedAt, attributes, unseen, flagged, came, changed] },
 *       r: { hash: date }, b: { path: [uidValidity, uidNext] } }
 *
 * `unseen`, `flagged`, `came` and `changed` are sets of UIDs: the first two are kept only where the server does not count
 * changes, the last two while there is more to tell of a folder than is told at once.
 */
import { z } from 'zod'
import { RecentIds } from '../../shared/recent-ids.ts'
import type { FolderState } from '../index/directory.ts'

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
}

const recentLimits = { hashLength: 10, max: 4_096 }

export interface WatchCursor {
  folders: Map<string, FolderCursor>
  /** The ids of messages that were told of lately, by the time at which they were received. */
  recent: RecentIds
  /** UIDVALIDITY and UIDNEXT of each folder when watching began. */
  begun: Map<string, [uidValidity: string, uidNext: number]>
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
  b: z.record(z.string(), z.tuple([z.string(), z.number()])).default({}),
})

export function parseCursor(text: string): WatchCursor {
  const { f, r, b } = Stored.parse(JSON.parse(text))
  const folders = Object.entries(f).map(
    ([path, [uidValidity, uidNext, modseq, messages, lookedAt, attributes, unseen, flagged, came, changed]]) => {
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
      }
      return [path, folder] as const
    },
  )
  return { folders: new Map(folders), recent: new RecentIds(r, recentLimits), begun: new Map(Object.entries(b)) }
}

export function writeCursor({ folders, recent, begun }: WatchCursor): string {
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
        ...(at.came || at.changed ? [at.came ?? '', at.changed ?? ''] : []),
      ],
    ]),
  )
  return JSON.stringify({ f, r: recent.stored(), b: Object.fromEntries(begun) })
}

/** Where watching a folder begins: with what comes after this look. */
export const beginAt = (state: FolderState, lookedAt: number): FolderCursor => ({
  uidValidity: state.uidValidity,
  uidNext: state.uidNext,
  modseq: state.modseq,
  messages: state.messages,
  lookedAt,
  attributes: attributesOf(state),
})

/** Where watching begins: with what comes after this look at all folders. */
export const cursorAt = (states: readonly FolderState[], lookedAt: number): WatchCursor => ({
  folders: new Map(states.map((state) => [state.path, beginAt(state, lookedAt)])),
  recent: new RecentIds({}, recentLimits),
  begun: new Map(states.map(({ path, uidValidity, uidNext }) => [path, [uidValidity, uidNext]])),
})

/** What makes a folder another one to a client, beside its name. */
export const attributesOf = ({ attributes }: FolderState): string =>
  attributes.filter((name) => !/^\\(has(no)?children|noinferiors)$/i.test(name)).join(' ')
