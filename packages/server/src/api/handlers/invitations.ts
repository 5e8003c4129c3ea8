/** How an invited person signs in for the first time. */

import { ApiError } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import type { PersonRow } from '@waypost/store/tables/applications/people'
import { needInvitation, takeInvitation } from '../../applications/person-sign-in.ts'
import { tryCode } from '../../applications/second-factor.ts'
import { signIn } from '../../applications/sign-in.ts'
import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'

export const invitations = (services: Pick<Services, 'storage' | 'administration'>): Handlers['invitations'] => {
  const { database, clock, secrets } = services.storage
  const { adminAuthentication, hashing, passwords } = services.administration

  /** The second factor of a person stays when they receive a new password. */
  const needCode = async (person: PersonRow, code: string | undefined): Promise<void> => {
    if (person.sealed_totp === null) return
    if (code === undefined) throw new ApiError('second_factor_required')
    const outcome = await tryCode({ queries: database, secrets, hashing }, person, { code, now: clock.now() })
    if (outcome === 'too many') throw new ApiError('rate_limited', 'too many wrong codes', { retryAfter: 3600 })
    if (outcome === 'wrong') throw new ApiError('second_factor_required', 'the code is wrong, or was used before')
  }

  return {
    read: async ({ body, visitor }) => {
      adminAuthentication.needOwnPage(visitor)
      const row = await needInvitation(database, body.token, clock.now())
      return {
        email: row.email,
        name: row.name,
        role: row.role,
        needs_code: row.sealed_totp !== null,
        expires_at: seconds(row.invitation_expires_at ?? 0),
      }
    },
    accept: async ({ body, visitor, responseHeaders }) => {
      adminAuthentication.needOwnPage(visitor)
      const row = await needInvitation(database, body.token, clock.now())
      const names = [row.name, ...(body.name === undefined ? [] : [body.name])]
      await passwords.need(body.password, 'password', { email: row.email, names })
      await needCode(row, body.code)
      const passwordHash = await hashing.digest(body.password)
      const signedIn = await signIn(
        { database, clock, adminAuthentication },
        {
          visitor,
          way: 'invitation',
          action: 'invitations.accept',
          find: (tx) => takeInvitation(tx, row, { ...body, passwordHash, now: clock.now() }),
        },
      )
      responseHeaders['set-cookie'] = signedIn.cookies.join('\n')
      return signedIn.session
    },
  }
}
