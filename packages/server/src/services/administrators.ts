import { type AdminAuthentication, createAdminAuthentication } from '../applications/admin-authentication.ts'
import { createDeviceCookies } from '../applications/device-cookies.ts'
import type { Config } from '../config.ts'
import { createPasswordGuessing } from '../telemetry/password-guessing.ts'
import type { RateLimiter } from '../telemetry/rate-limit.ts'
import type { Storage } from './storage.ts'

/** Opens the sign-in of administrators. */
export const openAdminAuthentication = (
  { database, secrets, hashing, administrator, clock, keyRing }: Storage,
  { customerData, baseUrl }: Pick<Config, 'customerData' | 'baseUrl'>,
  limiter: RateLimiter,
): AdminAuthentication =>
  createAdminAuthentication({
    ...{ database, secrets, hashing, administrator, clock, customerData, baseUrl },
    guessing: createPasswordGuessing({ limiter, now: () => clock.now() }),
    devices: createDeviceCookies(keyRing),
  })
