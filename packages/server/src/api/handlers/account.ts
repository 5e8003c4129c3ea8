/** Changes that administrators make to their own account. */

import { ApiError, invalidField } from '@waypost/platform/api-error'
import { deleteAdminSessions } from '@waypost/store/tables/applications/admin-sessions'
import { lockPerson, type PersonRow, renamePerson } from '@waypost/store/tables/applications/people'
import { writeRecoveryCodes } from '@waypost/store/tables/applications/second-factors'
import type { Acting } from '../../applications/acting.ts'
import { needPerson, personOf } from '../../applications/people.ts'
import { beginTotp, finishTotp, makeRecoveryCodes, removeTotp } from '../../applications/second-factor.ts'
import { needRemovable } from '../../applications/second-factor-policy.ts'
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
