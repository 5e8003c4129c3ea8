/**
 * Settings of an application that are stored as one JSON document: `additional_settings`, which a change replaces as
 * a whole and no response returns, and some top-level fields of the application object.
 */
import type { AdditionalSettings, ApplicationChange } from '@waypost/contract'

export type Settings = AdditionalSettings & {
  expand_recurring_default?: boolean | undefined
  allow_hard_delete?: boolean | undefined
}

/** The document after a change. */
export function settingsAfter(document: string, change: ApplicationChange): Settings {
  const settings: Settings = JSON.parse(document)
  return {
    ...(change.additional_settings ?? settings),
    expand_recurring_default: change.expand_recurring_default ?? settings.expand_recurring_default,
    allow_hard_delete: change.allow_hard_delete ?? settings.allow_hard_delete,
  }
}

/** Whether lists of events expand series if the request does not say. */
export const expandsRecurring = (document: string): boolean =>
  // A fast path for the common empty document, because every list checks this.
  document === '{}' || JSON.parse(document).expand_recurring_default !== false

/** Whether messages may be deleted permanently. */
export const allowsHardDelete = (document: string): boolean => JSON.parse(document).allow_hard_delete === true
