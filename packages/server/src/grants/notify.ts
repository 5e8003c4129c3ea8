/** The function that writes notifications, as grants and providers see it. `webhooks/` implements it. */
import type { Trigger } from '@waypost/contract'
import type { Queries } from '@waypost/store/engine/database'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import type { GrantChange } from './states.ts'

export type Sync = 'realtime' | 'incremental'

export interface Notified {
  applicationId: string
  grantId: string
  provider: string
  trigger: Trigger
  /** The changed object in its current state, or the identifying fields of a deleted one. */
  object: object | null
  /** Appended to the trigger if the object is incomplete. */
  suffix?: 'metadata' | undefined
  /** How the change was noticed: `incremental` if it was found by polling. Default `realtime`. */
  sync?: Sync | undefined
  /** Further data of the trigger. */
  data?: Record<string, unknown>
}

/** Writes a notification in the transaction of the change: both are committed, or neither. */
export type Notify = (tx: Queries, reported: Notified) => Promise<void>

/** Whether the notification says that a grant was re-authenticated. */
export const isReauthentication = ({ trigger, object }: Notified): boolean =>
  trigger === 'grant.updated' && object !== null && Reflect.get(object, 'reauthentication_flag') === true

/** For changes that cause no notification, such as those of an import. */
export const silently: Notify = async () => undefined

/** The notifications for a change of a grant. */
export function notificationsOf(
  { applicationId, connectorId, grant }: GrantRecord,
  trigger: NonNullable<GrantChange['notification']>,
  { reauthentication = false, loginId }: { reauthentication?: boolean | undefined; loginId?: string | undefined } = {},
): Notified {
  const { id: grantId, provider, email } = grant
  const names = { grant_id: grantId, integration_id: connectorId, provider, email }
  const objects = {
    'grant.created': () => ({
      code: 25012,
      ...names,
      ...(loginId === undefined ? {} : { login_id: loginId }),
      name: grant.name,
      scope: grant.scope,
    }),
    'grant.updated': () => ({
      code: reauthentication ? 25027 : 25014,
      ...names,
      reauthentication_flag: reauthentication,
    }),
    'grant.expired': () => ({ code: 25009, ...names, grant_updated_at: grant.updated_at }),
    'grant.deleted': () => ({ code: 25013, ...names }),
  }
  return { applicationId, grantId, provider, trigger, object: objects[trigger]() }
}
