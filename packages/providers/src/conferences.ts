/** Conferences that an account creates for an event of any account. The event then describes them as existing ones. */
import type { Conferencing } from '@waypost/contract'

export interface ConferenceDraft {
  title: string
  /** Absent for whole days, and for series: such a conference has no fixed time. Unix seconds. */
  time?: { start: number; end: number } | undefined
  /** `conf_settings` of the client: passed on as the provider's own settings. */
  settings: Readonly<Record<string, unknown>>
}

export interface MadeConference {
  /** The provider's id, for `remove`. */
  id: string
  details: NonNullable<Conferencing['details']>
}

export interface Conferences<S> {
  /** The provider of the conference, as events name it. */
  readonly name: 'Google Meet' | 'Microsoft Teams' | 'Zoom Meeting'
  create(session: S, draft: ConferenceDraft): Promise<MadeConference>
  /** Removes a conference whose event was not created. Absent if the provider has nothing to remove. */
  remove?(session: S, id: string): Promise<void>
}

/** A time of the API as providers write it: in UTC, without fractions. */
export const utcTime = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
