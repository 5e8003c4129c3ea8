/** How a change tells of itself. Grants and providers are given the function; `webhooks/` makes it. */
import type { Trigger } from '@waypost/contract'
import type { Queries } from '../store/engine/database.ts'
import type { GrantRecord } from '../store/tables/grants/grants.ts'
import type { GrantChange } from './states.ts'

export type Sync = 'realtime' | 'incremental'

export interface Notified {
  applicationId: string
  grantId: string
  provider: string
  trigger: Trigger
  /** The object that changed, as it is now; of one that is gone, what names it. */
  object: object | null
  /** Says behind the trigger that the object is not whole. */
  suffix?: 'metadata' | undefined
  /** How it was noticed: `incremental` where nobody told of it and it was found by looking. `realtime` when absent. */
  sync?: Sync | undefined
  /** What the trigger tells beside the object. */
  data?: Record<string, unknown>
}

/** Writes a notification in the transaction of the change: both are kept, or neither. */
export type Notify = (tx: Queries, told: Notified) => Promise<void>

/** Whether it is told that a grant was authenticated again. */
export const isReauthentication = ({ trigger, object }: Notified): boolean =>
  trigger === 'grant.updated' && object !== null && Reflect.get(object, 'reauthentication_flag') === true

/** For changes that nobody is told of: those of an import, which brings what was there before. */
export const silently: Notify = async () => undefined

/** A change of a grant, as its notification tells it. */
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
