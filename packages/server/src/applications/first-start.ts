/** What the first start makes: the organization, the administrator, and the sandbox application with its connectors and key. */
import type { ProviderKind } from '@waypost/contract'
import type { Secrets } from '../lib/crypto/secrets.ts'
import { newId, newToken } from '../lib/ids.ts'
import type { Database, Queries } from '../store/engine/database.ts'
import { NoInstallation } from '../store/engine/no-installation.ts'
import { countMigrations } from '../store/migrations/migrate.ts'
import { deleteAdminLinks } from '../store/tables/applications/admin-sessions.ts'
import { findKeyHolder } from '../store/tables/applications/api-keys.ts'
import { lockApplication } from '../store/tables/applications/applications.ts'
import { keepFact, readFact, writeFact } from '../store/tables/applications/installation.ts'
import {
  type Administrator,
  endInstallationSessions,
  keepAdminPassword,
  proposeAdminPassword,
  setAdminPassword,
} from './administrator.ts'
import { createApiKey, createdBy, hashKey } from './api-keys.ts'
import { createApplication } from './applications.ts'
import { createSandboxConnector } from './connectors.ts'

export interface SandboxConnector {
  provider: ProviderKind
  settings: Record<string, unknown>
  scope: string[]
}

export interface FirstStart {
  secrets: Secrets
  administrator: Administrator
  now: number
  /** The sandbox's key and the administrator's password, where the operator chose them. */
  apiKey?: string
  adminPassword?: string
  connectors: readonly SandboxConnector[]
}

export interface Installation {
  organizationId: string
  sandboxId: string
  /** The password is the one of the settings: nobody else can change it. */
  passwordIsSet: boolean
  /** Shown once: present only when this start made them up. */
  apiKey?: string
  adminPassword?: string
}

/** Whether the first start of a server has made an installation in this store. */
export async function hasInstallation(database: Database): Promise<boolean> {
  if ((await countMigrations(database)) === undefined) return false
  return (await readFact(database, 'sandbox_application_id')) !== undefined
}

/** Fails where the store is empty, instead of making an installation there. */
export async function needInstallation(database: Database, place: string): Promise<void> {
  if (!(await hasInstallation(database))) throw new NoInstallation(`${place} is empty`)
}

/** Makes what is missing; safe when two nodes start at once. */
export async function ensureInstallation(database: Database, start: FirstStart): Promise<Installation> {
  const made = await database.exclusively(async (tx) => {
    const organizationId = await keepFact(tx, 'organization_id', newId())
    const existing = await readFact(tx, 'sandbox_application_id')
    if (existing && (await lockApplication(tx, existing))) {
      await keepChosenKey(tx, existing, start)
      return { organizationId, sandboxId: existing }
    }
    const sandbox = await createApplication(tx, { name: 'Sandbox', environment: 'sandbox' }, start.now)
    for (const connector of start.connectors) await createSandboxConnector(tx, sandbox.id, connector, start)
    const draft = { name: 'First key', environment: 'sandbox', key: start.apiKey, createdBy: createdBy('start') }
    const key = await createApiKey(tx, sandbox.id, draft, start.now)
    await writeFact(tx, 'sandbox_application_id', sandbox.id)
    return { organizationId, sandboxId: sandbox.id, apiKey: start.apiKey ? undefined : key.api_key }
  })
  const adminPassword = await ensureAdministrator(database, start)
  return { ...made, passwordIsSet: start.adminPassword !== undefined, adminPassword }
}

/** A key from the settings opens the sandbox, also where the store was begun without it; one that was revoked stays so. */
async function keepChosenKey(tx: Queries, sandboxId: string, { apiKey: key, now }: FirstStart): Promise<void> {
  if (key === undefined || (await findKeyHolder(tx, hashKey(key)))) return
  const draft = { name: 'Key of the settings', environment: 'sandbox', key, createdBy: createdBy('start') }
  await createApiKey(tx, sandboxId, draft, now)
}

/**
 * A password from the settings always stands, and is the operator's to change. Without one, the first start makes one and
 * answers it; that one must be changed at the first sign-in, and within a day.
 */
async function ensureAdministrator(
  database: Database,
  { administrator, adminPassword: chosen, now }: FirstStart,
): Promise<string | undefined> {
  if (chosen !== undefined) {
    if (await administrator.verify(chosen)) {
      await keepAdminPassword(database)
      return undefined
    }
    const digest = await administrator.digest(chosen)
    await database.transaction(async (tx) => {
      await setAdminPassword(tx, digest)
      // Whoever signed in with another password does not stay.
      await endInstallationSessions(tx)
      await deleteAdminLinks(tx)
    })
    return undefined
  }
  if (await readFact(database, 'administrator')) return undefined
  const password = newToken()
  const digest = await administrator.digest(password)
  const isFirst = await database.transaction((tx) => proposeAdminPassword(tx, digest, now))
  return isFirst ? password : undefined
}
