import type { Queries } from '@waypost/store/engine/database'
import { keepAudit } from '../applications/audit.ts'
import type { BuiltServices } from '../services/services.ts'

/** Audits a change made by a command, under the id of the equivalent route. */
export const noteCommand = (
  queries: Queries,
  { storage: { clock } }: Pick<BuiltServices, 'storage'>,
  what: { action: string; applicationId?: string; target?: string },
): Promise<void> =>
  keepAudit(queries, {
    actor: 'command',
    address: null,
    action: what.action,
    applicationId: what.applicationId ?? null,
    target: what.target ?? null,
    status: 200,
    now: clock.now(),
  })
