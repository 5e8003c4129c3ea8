/**
 * What the first start creates: the organization, the administrator, and the sandbox application with its connectors
 * and key.
 */
import type { ProviderKind } from '@waypost/contract'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import { newId, newToken } from '@waypost/platform/ids'
import type { Database, Queries } from '@waypost/store/engine/database'
import { NoInstallation } from '@waypost/store/engine/no-installation'
import { storedSchema } from '@waypost/store/migrations/migrate'
import { deleteAdminLinks } from '@waypost/store/tables/applications/admin-sessions'
import { findKeyHolder } from '@waypost/store/tables/applications/api-keys'
import { lockApplication } from '@waypost/store/tables/applications/applications'
import { keepFact, readFact, writeFact } from '@waypost/store/tables/applications/installation'
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
  /** The sandbox's key and the administrator's password, if the operator chose them. */
  apiKey?: string
  adminPassword?: string
  connectors: readonly SandboxConnector[]
}

export interface Installation {
  organizationId: string
  sandboxId: string
  /** The password comes from the settings and can only be changed there. */
  passwordIsSet: boolean
  /** Shown once: present only if this start generated them. */
  apiKey?: string
  adminPassword?: string
}

/** Whether the store contains an installation. */
export async function hasInstallation(database: Database): Promise<boolean> {
  if ((await storedSchema(database)) === undefined) return false
  return (await readFact(database, 'sandbox_application_id')) !== undefined
}

/** Throws if the store is empty, rather than creating an installation. */
export async function needInstallation(database: Database, place: string): Promise<void> {
  if (!(await hasInstallation(database))) throw new NoInstallation(`${place} is empty`)
}

/** Creates what is missing. Safe if two nodes start at once. */
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

/**
 * A key from the settings opens the sandbox, also if the store was created without it. A revoked one stays revoked.
 */
async function keepChosenKey(tx: Queries, sandboxId: string, { apiKey: key, now }: FirstStart): Promise<void> {
  if (key === undefined || (await findKeyHolder(tx, hashKey(key)))) return
  const draft = { name: 'Key from the settings', environment: 'sandbox', key, createdBy: createdBy('start') }
  await createApiKey(tx, sandboxId, draft, now)
}

/**
 * A password from the settings always takes effect and can only be changed there. Without one, the first start
 * generates a password and returns it. That one must be changed at the first sign-in, within a day.
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
      // Sessions started with another password end.
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
