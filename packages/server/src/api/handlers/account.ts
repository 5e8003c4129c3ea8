/** What people who administer the service change of themselves. */
import type { Acting } from '../../applications/acting.ts'
import { needPerson, personOf } from '../../applications/people.ts'
import { beginTotp, finishTotp, removeTotp, renewRecoveryCodes } from '../../applications/second-factor.ts'
import { ApiError, invalidField } from '../../lib/api-error.ts'
import type { Services } from '../../services/services.ts'
import { deleteAdminSessions } from '../../store/admin-sessions.ts'
import { lockPerson, type PersonRow, renamePerson } from '../../store/people.ts'
import type { Handlers } from '../context.ts'

/** What authenticator apps call the service. */
const issuer = 'Waypost'

export const account = ({ database, clock, secrets, adminAuthentication }: Services): Handlers['account'] => {
  const ownId = ({ person }: Acting): string => {
    if (person) return person.id
    throw new ApiError('not_found', 'there is no account: no person is signed in')
  }

  /** The person who acts, once they have shown their password again: a session alone changes no second factor. */
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
    confirmTotp: ({ acting, body, write }) =>
      write(async (tx) => {
        const id = ownId(acting)
        await lockPerson(tx, id)
        const row = await needPerson(tx, id)
        const codes = await finishTotp(tx, secrets, row, { code: body.code, now: clock.now() })
        if (!codes) throw invalidField('code', 'is not the code of now: look at the clock of the device')
        await deleteAdminSessions(tx, id, acting.session?.id)
        return { recovery_codes: codes }
      }),
    removeTotp: async ({ acting, body, write }) => {
      const { id } = await needPassword(acting, body.current_password)
      await write((tx) => removeTotp(tx, id, clock.now()))
    },
    renewRecoveryCodes: async ({ acting, body, write }) => {
      const { id, sealed_totp } = await needPassword(acting, body.current_password)
      if (sealed_totp === null) throw new ApiError('conflict', 'you have no second factor')
      return write(async (tx) => ({ recovery_codes: await renewRecoveryCodes(tx, id) }))
    },
  }
}
