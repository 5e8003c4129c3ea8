/**
 * The encrypted fields of tracking: the sender and the label of a message, the targets of its links, and the
 * visitors.
 */
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { SealContext } from '@waypost/platform/crypto/secrets'

export interface TrackedOptions {
  opens: boolean
  links: boolean
  thread_replies: boolean
  label: string
}

/** One visit, as notifications report it. `number` starts at 0. Times are in milliseconds. */
export interface Recent {
  number: number
  ip: string
  at: number
  user_agent: string
}

export interface TrackedFacts {
  /** The sender address, if it differs from that of the account. */
  sender: string | null
  options: TrackedOptions
}

/** A tracked message, or one of its links. */
export interface TrackedPlace {
  applicationId: string
  sendId: string
  link?: number
}

/** No visits yet. The same in all rows, and not encrypted. */
const noRecents = '[]'
/** For a row that was altered in the store. */
const nothing: TrackedFacts = {
  sender: null,
  options: { opens: false, links: false, thread_replies: false, label: '' },
}

const contextOf = ({ applicationId, sendId, link }: TrackedPlace, column: string): SealContext => ({
  table: link === undefined ? 'tracked_messages' : 'tracked_links',
  column,
  application: applicationId,
  row: link === undefined ? sendId : `${sendId} ${link}`,
})

export const sealTrackedFacts = (seals: DataSeals, at: TrackedPlace, { sender, options }: TrackedFacts): string =>
  seals.seal(JSON.stringify({ sender, options }), contextOf(at, 'sealed_facts'))

export function openTrackedFacts(seals: DataSeals, at: TrackedPlace, sealed: string): TrackedFacts {
  const text = seals.openOrLog(sealed, contextOf(at, 'sealed_facts'))
  return text === undefined ? nothing : JSON.parse(text)
}

export const sealUrl = (seals: DataSeals, at: TrackedPlace, url: string): string =>
  seals.seal(url, contextOf(at, 'sealed_url'))

/** The target of a link; empty if it was altered in the store. */
export const openUrl = (seals: DataSeals, at: TrackedPlace, sealed: string): string =>
  seals.openOrLog(sealed, contextOf(at, 'sealed_url')) ?? ''

export const sealRecents = (seals: DataSeals, at: TrackedPlace, recents: readonly Recent[]): string =>
  recents.length === 0 ? noRecents : seals.seal(JSON.stringify(recents), contextOf(at, 'sealed_recents'))

export const openRecents = (seals: DataSeals, at: TrackedPlace, sealed: string): Recent[] =>
  sealed === noRecents ? [] : JSON.parse(seals.openOrLog(sealed, contextOf(at, 'sealed_recents')) ?? noRecents)
