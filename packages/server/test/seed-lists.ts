/** Long lists, written into the store as the service itself would have: what is slow to make through the API. */
import { newId, newOrderedId } from '../src/lib/ids.ts'
import type { Database } from '../src/store/engine/database.ts'
import { insertApplication } from '../src/store/tables/applications/applications.ts'
import { insertAudit } from '../src/store/tables/applications/audit.ts'
import { findGrantByEmail, type GrantRecord, insertGrant } from '../src/store/tables/grants/grants.ts'
import { sql } from './statement.ts'

const noteUse = sql('seed.use', 'insert into grant_uses (grant_id, application_id, last_used_at) values ($1, $2, $3)')

/** A number of many places that differs for each, always the same: so that no order is that of another. */
const scatter = (index: number): number => (index * 7_919) % 100_003

export const seededEmail = (index: number): string => `person${scatter(index)}@seeded.example`

/**
 * Copies of a grant of the application: `person<n>@seeded.example`, a second apart, the last one newest. Every tenth is
 * invalid, every fifteenth blocked, and two of three were used.
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

/** The record of a grant that a test made, to be copied. */
export async function recordLike(database: Database, applicationId: string, email: string): Promise<GrantRecord> {
  const record = await findGrantByEmail(database, applicationId, email)
  if (!record) throw new Error(`no grant of ${email}`)
  return record
}

const actions = ['apiKeys.create', 'apiKeys.delete', 'webhooks.update', 'adminGrants.update', 'session.create'] as const

/** Entries a second apart, the last one newest; every fiftieth was refused. */
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

/** Applications named `Tenant <n>`, a second apart, the last one newest; every tenth is blocked. */
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
