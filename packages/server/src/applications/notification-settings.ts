/**
 * An application's notification settings: whether the stream is available, and how long notifications are retained.
 */
import { ApiError } from '@waypost/platform/api-error'
import type { Queries } from '@waypost/store/engine/database'
import {
  type ApplicationRow,
  getApplication,
  keepNotificationStream,
} from '@waypost/store/tables/applications/applications'

type Settings = Pick<ApplicationRow, 'notification_stream_until' | 'notification_days'>

/** A time in the far future: the stream stays on until it is turned off. */
const always = 9_000_000_000_000

/** Housekeeping turns an expired stream off within a minute. */
export const isStreamOn = (row: Settings): boolean => row.notification_stream_until > 0

/** The settings after a change. Absent fields stay. */
export function notificationSettingsAfter(
  row: Settings,
  change: { notification_stream?: boolean | undefined; notification_days?: number | null | undefined },
): Settings {
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
): Promise<Settings> {
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
