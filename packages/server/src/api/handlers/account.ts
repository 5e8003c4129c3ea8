/** Changes that administrators make to their own account, and how an invited person signs in for the first time. */

import { ApiError, invalidField } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import { deleteAdminSessions } from '@waypost/store/tables/applications/admin-sessions'
import { lockPerson, type PersonRow, renamePerson } from '@waypost/store/tables/applications/people'
import { writeRecoveryCodes } from '@waypost/store/tables/applications/second-factors'
import type { Acting } from '../../applications/acting.ts'
import { needPerson, personOf } from '../../applications/people.ts'
import { needInvitation, takeInvitation } from '../../applications/person-sign-in.ts'
import { beginTotp, finishTotp, makeRecoveryCodes, removeTotp, tryCode } from '../../applications/second-factor.ts'
import { needRemovable } from '../../applications/second-factor-policy.ts'
import { signIn } from '../../applications/sign-in.ts'
import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'

/** The name of the service in authenticator apps. */
const issuer = 'Waypost'

export const account = ({
  storage: { database, clock, secrets },
  administration: { hashing, adminAuthentication },
}: Pick<Services, 'storage' | 'administration'>): Handlers['account'] => {
  const ownId = ({ person }: Acting): string => {
    if (person) return person.id
    throw new ApiError('not_found', 'there is no account: no person is signed in')
  }

  /**
   * The acting person, after they have entered their password again: a session alone cannot change the second factor.
   */
  const needPassword = async (acting: Acting, password: string): Promise<PersonRow> => {
    const row = await needPerson(database, ownId(acting))
    if (row.password_hash === null) {
      throw new ApiError(
        'conflict',
        'you have no password here: the provider that you sign in with asks for a second factor',
      )
    }
    if (await adminAuthentication.tryOwnPassword(row.email, password, acting)) return row
    throw invalidField('current_password', 'is not your password')
  }

  return {
    get: async ({ acting }) => personOf(database, await needPerson(database, ownId(acting)), clock.now()),
    update: ({ acting, body, write }) =>
      write(async (tx) => {
        await renamePerson(tx, ownId(acting), { name: body.name, now: clock.now() })
        return personOf(tx, await needPerson(tx, ownId(acting)), clock.now())
      }),
    beginTotp: async ({ acting, body, write }) => {
      const row = await needPassword(acting, body.current_password)
      return write((tx) => beginTotp(tx, secrets, row, issuer))
    },
    confirmTotp: async ({ acting, body, write }) => {
      const id = ownId(acting)
      const recovery = await makeRecoveryCodes(hashing)
      return write(async (tx) => {
        await lockPerson(tx, id)
        const row = await needPerson(tx, id)
        if (!(await finishTotp(tx, secrets, row, { code: body.code, recovery, now: clock.now() }))) {
          throw invalidField('code', 'is not the code of now: look at the clock of the device')
        }
        await deleteAdminSessions(tx, id, acting.session?.id)
        return { recovery_codes: recovery.codes }
      })
    },
    removeTotp: async ({ acting, body, write }) => {
      const { id, role } = await needPassword(acting, body.current_password)
      await write(async (tx) => {
        await needRemovable(tx, role)
        await removeTotp(tx, id, clock.now())
        await deleteAdminSessions(tx, id, acting.session?.id)
      })
    },
    renewRecoveryCodes: async ({ acting, body, write }) => {
      const { id, sealed_totp } = await needPassword(acting, body.current_password)
      if (sealed_totp === null) throw new ApiError('conflict', 'you have no second factor')
      const { codes, digests } = await makeRecoveryCodes(hashing)
      return write(async (tx) => {
        await writeRecoveryCodes(tx, id, digests)
        return { recovery_codes: codes }
      })
    },
  }
}

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
