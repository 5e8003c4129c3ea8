/**
 * The settings of an application that its row keeps as one JSON document: `additional_settings`, which a change replaces
 * whole and no answer tells, and beside them what stands at the top of the application object.
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

/** Whether lists of events show the instances of a series where the request does not say. */
export const expandsRecurring = (document: string): boolean =>
  // Most applications have chosen nothing, and this is asked at every list.
  document === '{}' || JSON.parse(document).expand_recurring_default !== false

/** Whether messages may be deleted for ever. */
export const allowsHardDelete = (document: string): boolean => JSON.parse(document).allow_hard_delete === true
