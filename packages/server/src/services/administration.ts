/** The administrators: their passwords and sign-in, and the installation that they administer. */

import type { ProviderKind } from '@waypost/contract'
import type { Log } from '@waypost/platform/log'
import { sandboxScopes } from '@waypost/providers/settings'
import { type AdminAuthentication, createAdminAuthentication } from '../applications/admin-authentication.ts'
import { type Administrator, createAdministrator } from '../applications/administrator.ts'
import type { Place } from '../applications/applications.ts'
import { type CustomerData, createCustomerData } from '../applications/customer-data.ts'
import { createDeviceCookies } from '../applications/device-cookies.ts'
import { ensureInstallation, type Installation } from '../applications/first-start.ts'
import { openPasswordFile } from '../applications/forbidden-passwords.ts'
import { type OidcSignIn, openOidcSignIn } from '../applications/oidc-sign-in.ts'
import { createPasswordHashing, type PasswordHashing } from '../applications/password-hashing.ts'
import { createPasswordPolicy, type PasswordPolicy } from '../applications/password-policy.ts'
import { createPasswordGuessing } from '../telemetry/password-guessing.ts'
import type { Given } from './build-options.ts'
import type { Network } from './network.ts'
import type { Storage } from './storage.ts'
import type { Telemetry } from './telemetry.ts'

/** The installation, and the password of its administrator. */
interface Installed {
  /** Hashes passwords and verifies them. */
  hashing: PasswordHashing
  /** The password of the installation. */
  administrator: Administrator
  installation: Installation
}

export interface Administration extends Installed {
  /** Decides which passwords are too weak. */
  passwords: PasswordPolicy
  /** Authenticates administrators. */
  adminAuthentication: AdminAuthentication
  /** Sign-in of administrators at an OpenID provider, where the settings name one. */
  oidc: OidcSignIn | undefined
  customerData: CustomerData
  place: Place
}

/** Creates the installation at the first start. */
export async function openInstallation(
  { configSecrets, overrides }: Given,
  { database, secrets, clock }: Storage,
): Promise<Installed> {
  const hashing = createPasswordHashing(overrides.passwordCost)
  const administrator = createAdministrator(database, hashing)
  const installation = await ensureInstallation(database, {
    secrets,
    administrator,
    now: clock.now(),
    apiKey: configSecrets.apiKey,
    adminPassword: configSecrets.adminPassword,
    connectors: Object.entries(sandboxScopes).flatMap(([provider, scope]) => {
      const client = configSecrets.sandboxClients[provider]
      if (!client) return []
      const secret = client.clientSecret ? { client_secret: client.clientSecret } : {}
      return [{ provider: provider as ProviderKind, settings: { ...client.settings, ...secret }, scope: [...scope] }]
    }),
  })
  return { hashing, administrator, installation }
}

interface AdministrationParts extends Pick<Network, 'egress'>, Pick<Telemetry, 'limiter'> {
  storage: Storage
  installed: Installed
}

export async function openAdministration(given: Given, parts: AdministrationParts): Promise<Administration> {
  const { config, configSecrets, overrides } = given
  const { storage, installed, egress, limiter } = parts
  const { database, secrets, clock, log, keyRing } = storage
  const { hashing, administrator, installation } = installed
  const adminAuthentication = createAdminAuthentication({
    database,
    secrets,
    clock,
    hashing,
    administrator,
    customerData: config.customerData,
    baseUrl: config.baseUrl,
    guessing: createPasswordGuessing({ limiter, now: () => clock.now() }),
    devices: createDeviceCookies(keyRing),
  })
  const opening = { database, clock, egress, secrets, log, adminAuthentication, clientSecret: configSecrets.oidcSecret }
  return {
    ...installed,
    passwords: await openPasswords(given, overrides.serving === true ? log : undefined),
    adminAuthentication,
    oidc: openOidcSignIn(config, opening),
    customerData: createCustomerData({ isShown: config.customerData }),
    place: {
      organizationId: installation.organizationId,
      region: config.region,
      notificationDays: config.notificationDays,
    },
  }
}

/**
 * Opens the password policy. The operator's own password is not refused, because scripts and deployments rely on it.
 * The log reports if it is weak.
 */
async function openPasswords(
  { config: { baseUrl, passwordList }, configSecrets: { adminPassword } }: Given,
  log: Log | undefined,
): Promise<PasswordPolicy> {
  const file = passwordList === undefined ? undefined : await openPasswordFile(passwordList)
  const passwords = createPasswordPolicy({ baseUrl, file })
  const problem = log && adminPassword !== undefined ? await passwords.problemWith(adminPassword) : undefined
  if (problem) log?.warn({}, `WAYPOST_ADMIN_PASSWORD ${problem}: set a random one (openssl rand -hex 24)`)
  return passwords
}
