/**
 * Settings of an application: those that are stored as one JSON document (`additional_settings`, which a change replaces
 * as a whole and no response returns, and some top-level fields of the application object), and those of its
 * notifications: whether the stream is available, and how long they are retained.
 */
import type { AdditionalSettings, ApplicationChange } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Queries } from '@waypost/store/engine/database'
import {
  type ApplicationRow,
  getApplication,
  keepNotificationStream,
} from '@waypost/store/tables/applications/applications'

type Settings = AdditionalSettings & {
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

type NotificationSettings = Pick<ApplicationRow, 'notification_stream_until' | 'notification_days'>

/** A time in the far future: the stream stays on until it is turned off. */
const always = 9_000_000_000_000

/** Housekeeping turns an expired stream off within a minute. */
export const isStreamOn = (row: NotificationSettings): boolean => row.notification_stream_until > 0

/** The settings after a change. Absent fields stay. */
export function notificationSettingsAfter(
  row: NotificationSettings,
  change: { notification_stream?: boolean | undefined; notification_days?: number | null | undefined },
): NotificationSettings {
  const { notification_stream: stream, notification_days: days } = change
  return {
    notification_stream_until: stream === undefined ? row.notification_stream_until : stream ? always : 0,
    notification_days: days === undefined ? row.notification_days : days,
  }
}

/**
 * Refuses to read a stream that is off. If it is on for a limited time, as after an update from a version in which
 * every application had it, reading it keeps it on. Returns the settings.
 */
export async function needStream(
  queries: Queries,
  applicationId: string,
  { follows }: { follows: boolean },
): Promise<NotificationSettings> {
  const row = await getApplication(queries, applicationId)
  if (!row || !isStreamOn(row)) {
    throw new ApiError(
      'conflict',
      'the stream of notifications is off: turn it on with PATCH /v3/applications {"notification_stream": true}; it contains notifications from then on',
    )
  }
  const forATime = row.notification_stream_until < always
  if (follows && forATime) await keepNotificationStream(queries, applicationId, always)
  return row
}
