/** Sign-in of administrators, and their sessions. */
import type { PasswordChange, SignIn } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { oidcPaths } from '@waypost/platform/settings/oidc-settings'
import {
  deleteAdminLinks,
  deleteAdminSession,
  deleteAdminSessions,
  deleteEveryAdminSession,
  findSessionOwner,
  type SessionsOf,
} from '@waypost/store/tables/applications/admin-sessions'
import { hasPersonWithPassword, type PersonRow, writePassword } from '@waypost/store/tables/applications/people'
import { z } from 'zod'
import type { Acting } from '../../applications/acting.ts'
import { listedSession, sessionOf, sessionsOf } from '../../applications/admin-sessions.ts'
import {
  endInstallationSessions,
  isInstallationPasswordOn,
  setAdminPassword,
} from '../../applications/administrator.ts'
import type { Visitor } from '../../applications/own-page.ts'
import type { PasswordOwner } from '../../applications/password-policy.ts'
import { needPerson } from '../../applications/people.ts'
import { signIn } from '../../applications/sign-in.ts'
import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'
import { cutPage } from './lists/keyset-page.ts'

const Place = z.tuple([z.number(), z.string()])

export const session = (services: Pick<Services, 'storage' | 'administration'>): Handlers['session'] => {
  const { database, clock } = services.storage
  const { administrator, adminAuthentication, installation, hashing, oidc, passwords } = services.administration

  /** Verifies the credentials of a sign-in and returns the person; throws if they are wrong. */
  const needProof = async (body: SignIn, visitor: Visitor): Promise<PersonRow | null> => {
    const { email, password, link } = body
    if (link !== undefined) {
      if (await adminAuthentication.tryLink(link, visitor.address)) return null
      throw new ApiError('administrator_required', 'the link was used before, or has expired')
    }
    const by = { actor: 'session', guesser: adminAuthentication.guesserOf(visitor, email) } as const
    if (email === undefined) {
      if (await adminAuthentication.tryPassword(password, by)) return null
      throw new ApiError('administrator_required', 'wrong administrator password')
    }
    const person = await adminAuthentication.tryPerson({ email, password: password ?? '', code: body.code }, by)
    if (!person) throw new ApiError('administrator_required', 'wrong address or password')
    return person
  }

  /** Throws if the new password is the old one or too weak. */
  const needOther = async (change: PasswordChange, owner?: PasswordOwner): Promise<void> => {
    if (change.new_password === change.current_password) {
      throw invalidField('new_password', 'is your password already: choose another one')
    }
    await passwords.need(change.new_password, 'new_password', owner)
  }

  /** The sessions that a request asks for; those of others are visible to owners only. */
  const requestedFor = ({ person, rights }: Acting, query: { everybody?: boolean; person_id?: string }): SessionsOf => {
    if (query.everybody !== true && query.person_id === undefined) return { personId: person?.id ?? null }
    if (rights.role !== 'owner') throw new ApiError('insufficient_rights', 'only owners see the sessions of others')
    return query.person_id === undefined ? 'everybody' : { personId: query.person_id }
  }

  /**
   * Has the browser delete its data of the session. `cookies` is not included: it would affect every host of the
   * domain, and delete the device cookie, which distinguishes a recognized browser.
   */
  const signedOut = (): Record<string, string> => ({
    'set-cookie': adminAuthentication.cookieOf(undefined),
    'clear-site-data': '"cache", "storage"',
  })

  return {
    create: async ({ body, visitor, responseHeaders }) => {
      adminAuthentication.needOwnPage(visitor)
      if ((body.password === undefined) === (body.link === undefined)) {
        throw invalidField('password', 'give this or link')
      }
      const person = await needProof(body, visitor)
      const way = body.link === undefined ? 'password' : 'link'
      const signedIn = await signIn(
        { database, clock, adminAuthentication },
        { visitor, way, action: 'session.create', find: async () => person },
      )
      // One cookie per line.
      responseHeaders['set-cookie'] = signedIn.cookies.join('\n')
      return signedIn.session
    },
    ways: async () => ({
      installation_password: await isInstallationPasswordOn(database),
      people: await hasPersonWithPassword(database),
      oidc: oidc ? { name: oidc.name, url: oidcPaths.begin } : null,
    }),
    get: ({ acting }) => {
      if (!acting.session) throw new ApiError('not_found', 'there is no session: a password came with the request')
      return sessionOf(acting.session, acting)
    },
    delete: async ({ acting, responseHeaders, write }) => {
      Object.assign(responseHeaders, signedOut())
      await write(async (tx) => {
        if (acting.session) await deleteAdminSession(tx, acting.session.id)
      })
    },
    list: async ({ acting, query, position }) => {
      const [time, id] = position === undefined ? [] : Place.parse(position)
      const after = time === undefined || id === undefined ? undefined : { time, id }
      const of = requestedFor(acting, query)
      const rows = await sessionsOf(database, { of, after, limit: query.limit + 1, now: clock.now() })
      const page = cutPage(rows, query.limit, (last) => [last.signed_in_at, last.id])
      return { ...page, items: page.items.map((row) => listedSession(row, acting.session?.id)) }
    },
    end: ({ acting, params, responseHeaders, write }) =>
      write(async (tx) => {
        const found = await findSessionOwner(tx, params.session_id)
        const isOwn = found !== undefined && found.person_id === (acting.person?.id ?? null)
        // To anyone but owners, a session of another person looks like one that does not exist.
        if (!found || !(isOwn || acting.rights.role === 'owner'))
          throw new ApiError('not_found', 'no session with this id')
        await deleteAdminSession(tx, params.session_id)
        if (params.session_id === acting.session?.id) Object.assign(responseHeaders, signedOut())
      }),
    deleteAll: async ({ acting, query, responseHeaders, write }) => {
      const of = requestedFor(acting, query)
      const own = acting.person?.id ?? null
      if (of === 'everybody' || of.personId === own) Object.assign(responseHeaders, signedOut())
      await write(async (tx) => {
        if (of === 'everybody') await deleteEveryAdminSession(tx)
        else {
          if (query.person_id !== undefined) await needPerson(tx, query.person_id)
          await deleteAdminSessions(tx, of.personId)
        }
        if (of === 'everybody' || of.personId === null) await deleteAdminLinks(tx)
      })
    },
    password: async ({ acting, body, write }) => {
      if (acting.person) {
        const { id, email, name } = acting.person
        await needOther(body, { email, names: [name] })
        const { password_hash: before } = await needPerson(database, id)
        if (before === null) throw new ApiError('conflict', 'you have no password: an owner can make you a link')
        if (!(await adminAuthentication.tryOwnPassword(email, body.current_password, acting))) {
          throw invalidField('current_password', 'is not your password')
        }
        const after = await hashing.digest(body.new_password)
        await write(async (tx) => {
          if (!(await writePassword(tx, id, { before, after, now: clock.now() }))) {
            throw new ApiError('conflict', 'the password was changed in the meantime')
          }
          await deleteAdminSessions(tx, id, acting.session?.id)
        })
        return
      }
      if (installation.passwordIsSet) {
        throw new ApiError('conflict', 'the operator set the password with WAYPOST_ADMIN_PASSWORD: change it there')
      }
      await needOther(body)
      if (!(await adminAuthentication.tryPassword(body.current_password, acting))) {
        throw invalidField('current_password', 'is not the password of the administrator')
      }
      const digest = await administrator.digest(body.new_password)
      await write(async (tx) => {
        await setAdminPassword(tx, digest)
        await endInstallationSessions(tx, acting.session?.id)
        await deleteAdminLinks(tx)
      })
    },
  }
}
