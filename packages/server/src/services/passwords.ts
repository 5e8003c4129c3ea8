import type { Log } from '@waypost/platform/log'
import { openPasswordFile } from '../applications/password-file.ts'
import { createPasswordPolicy, type PasswordPolicy } from '../applications/password-policy.ts'
import type { Config, ConfigSecrets } from '../config.ts'

/**
 * Opens the password policy. The operator's own password is not refused, because scripts and deployments rely on it.
 * The log reports if it is weak.
 */
export async function openPasswords(
  { baseUrl, passwordList }: Pick<Config, 'baseUrl' | 'passwordList'>,
  { adminPassword }: Pick<ConfigSecrets, 'adminPassword'>,
  log: Log | undefined,
): Promise<PasswordPolicy> {
  const file = passwordList === undefined ? undefined : await openPasswordFile(passwordList)
  const passwords = createPasswordPolicy({ baseUrl, file })
  const problem = log && adminPassword !== undefined ? await passwords.problemWith(adminPassword) : undefined
  if (problem) log?.warn({}, `WAYPOST_ADMIN_PASSWORD ${problem}: set a random one (openssl rand -hex 24)`)
  return passwords
}
