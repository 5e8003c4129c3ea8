// The sync state that a client returns: the changes already reported to it. As at Exchange, it is self-contained.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { EwsError } from '../soap/errors.ts'
import type { Range } from './seen.ts'

export interface SyncState {
  readonly mailbox: string
  /** The folder whose items it covers, or `hierarchy` and the folder whose subfolders it covers. */
  readonly of: string
  /** States of another epoch are invalid. */
  readonly epoch: number
  readonly seen: readonly Range[]
}

const head = 'H4sIAAA'

export function writeState(state: SyncState): string {
  return head + deflateRawSync(JSON.stringify(state)).toString('base64')
}

/** Throws if the text is not a sync state, or belongs to something else. */
export function readState(text: string | undefined, wanted: Omit<SyncState, 'seen'>): readonly Range[] {
  if (text === undefined || text === '') return []
  const state = parse(text)
  const isGood = state?.mailbox === wanted.mailbox && state.of === wanted.of && state.epoch === wanted.epoch
  if (!isGood) throw invalidState()
  return state.seen
}

export function invalidState(): EwsError {
  return new EwsError('ErrorInvalidSyncStateData', 'Synchronization state data is corrupt or otherwise invalid.')
}

function parse(text: string): SyncState | undefined {
  if (!text.startsWith(head)) return undefined
  try {
    return JSON.parse(inflateRawSync(Buffer.from(text.slice(head.length), 'base64')).toString())
  } catch {
    return undefined
  }
}
