/** Audits changes made by commands, each under the id of the equivalent route. */
import type { Queries } from '@waypost/store/engine/database'
import { keepAudit } from '../applications/audit.ts'
import type { BuiltServices } from '../services/services.ts'

interface AuditedCommand {
  action: string
  applicationId?: string | undefined
  target?: string | undefined
}

export const noteCommand = (
  queries: Queries,
  { storage: { clock } }: Pick<BuiltServices, 'storage'>,
  { action, applicationId, target }: AuditedCommand,
): Promise<void> =>
  keepAudit(queries, {
    actor: 'command',
    address: null,
    action,
    applicationId: applicationId ?? null,
    target: target ?? null,
    status: 200,
    now: clock.now(),
  })

/** Makes a change and its audit entry in one transaction. */
export const audited = <T>(
  services: Pick<BuiltServices, 'storage'>,
  { target, ...what }: Omit<AuditedCommand, 'target'> & { target?: string | ((made: T) => string) },
  change: (tx: Queries, now: number) => Promise<T>,
): Promise<T> =>
  services.storage.database.transaction(async (tx) => {
    const made = await change(tx, services.storage.clock.now())
    await noteCommand(tx, services, { ...what, target: typeof target === 'function' ? target(made) : target })
    return made
  })
