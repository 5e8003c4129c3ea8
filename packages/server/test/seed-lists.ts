/** Long lists, written directly into the store, because creating them through the API is slow. */
import { newId, newOrderedId } from '@waypost/platform/ids'
import type { Database } from '@waypost/store/engine/database'
import { insertApplication } from '@waypost/store/tables/applications/applications'
import { insertAudit } from '@waypost/store/tables/applications/audit'
import { findGrantByEmail, type GrantRecord, insertGrant } from '@waypost/store/tables/grants/grants'
import { sql } from '@waypost/testing/statement'

const noteUse = sql('seed.use', 'insert into grant_uses (grant_id, application_id, last_used_at) values ($1, $2, $3)')

/** A reproducible number with many digits that differs for each index, so that no two orders are the same. */
const scatter = (index: number): number => (index * 7_919) % 100_003

export const seededEmail = (index: number): string => `person${scatter(index)}@seeded.example`

/**
 * Copies of a grant of the application: `person<n>@seeded.example`, one second apart, the last one newest. Every tenth
 * is invalid, every fifteenth blocked, and two of three were used.
 */
export async function seedGrants(
  database: Database,
  like: GrantRecord,
  { count, now, from = 0 }: { count: number; now: number; from?: number },
): Promise<void> {
  await database.transaction(async (tx) => {
    for (let index = from; index < from + count; index++) {
      const id = newId()
      const email = seededEmail(index)
      const createdAt = now - (from + count - index) * 1000
      const status = index % 10 === 0 ? 'invalid' : 'valid'
      const time = Math.floor(createdAt / 1000)
      const made = { id, email, name: `Person ${index}`, external_id: null, created_at: time, updated_at: time }
      const grant = { ...like.grant, ...made, grant_status: status, blocked: index % 15 === 0 } as const
      await insertGrant(tx, { ...like, grant, emailKey: email, status, createdAt, updatedAt: createdAt })
      if (index % 3 !== 0) await tx.run(noteUse, [id, like.applicationId, now - scatter(index) * 100])
    }
  })
}

/** The row of an existing grant, as the template of the copies. */
export async function recordLike(database: Database, applicationId: string, email: string): Promise<GrantRecord> {
  const record = await findGrantByEmail(database, applicationId, email)
  if (!record) throw new Error(`no grant of ${email}`)
  return record
}

const actions = ['apiKeys.create', 'apiKeys.delete', 'webhooks.update', 'adminGrants.update', 'session.create'] as const

/** Entries one second apart, the last one newest; every fiftieth was refused. */
export async function seedAudit(
  database: Database,
  { count, now, applicationId }: { count: number; now: number; applicationId: string },
): Promise<void> {
  await database.transaction(async (tx) => {
    for (let index = 0; index < count; index++) {
      await insertAudit(tx, {
        id: newOrderedId(),
        at: now - (count - index) * 1000,
        actor: index % 4 === 0 ? 'password' : 'session',
        address: '127.0.0.1',
        action: actions[index % actions.length] ?? 'session.create',
        application_id: index % 2 === 0 ? applicationId : null,
        target: `target-${index % 1000}`,
        status: index % 50 === 0 ? 403 : 200,
      })
    }
  })
}

/** Applications named `Tenant <n>`, one second apart, the last one newest; every tenth is blocked. */
export async function seedApplications(
  database: Database,
  { count, now }: { count: number; now: number },
): Promise<void> {
  await database.transaction(async (tx) => {
    for (let index = 0; index < count; index++) {
      const at = now - (count - index) * 1000
      await insertApplication(tx, {
        id: newId(),
        environment: index % 2 === 0 ? 'production' : 'staging',
        default_workspace_id: newId(),
        grant_limit: null,
        blocked: index % 10 === 0 ? 1 : 0,
        domain: null,
        branding: JSON.stringify({ name: `Tenant ${scatter(index)}` }),
        hosted_authentication: '{}',
        idp_settings: '{}',
        additional_settings: '{}',
        notification_stream_until: 0,
        mcp_enabled: 0,
        notification_days: null,
        created_at: at,
        updated_at: at,
      })
    }
  })
}
