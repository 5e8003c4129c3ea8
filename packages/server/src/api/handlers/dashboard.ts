/** Signing in, who did what, and how the service fares. */
import type { AuditEntry, ServiceHealth } from '@waypost/contract'
import { z } from 'zod'
import { beginSession, sessionOf } from '../../applications/admin-sessions.ts'
import { setAdminPassword } from '../../applications/administrator.ts'
import { keepAudit } from '../../applications/audit.ts'
import { weaknessOf } from '../../applications/passwords.ts'
import { ApiError, invalidField } from '../../lib/api-error.ts'
import { seconds } from '../../lib/clock.ts'
import type { Services } from '../../services/services.ts'
import { deleteAdminLinks, deleteAdminSession, deleteAdminSessions } from '../../store/admin-sessions.ts'
import { type AuditRow, listAudit } from '../../store/audit.ts'
import { countWaiting } from '../../store/deliveries.ts'
import { countSendsWaiting, figuresSince, tallyDestinations, tallyGrants } from '../../store/health-figures.ts'
import { seenNodes } from '../../store/nodes.ts'
import { outboxDepth } from '../../store/outbox.ts'
import { seriesOf, stepsOf } from '../../telemetry/health-counters.ts'
import type { Handlers } from '../context.ts'

export const session = ({
  database,
  clock,
  administrator,
  adminAuthentication,
  installation,
}: Services): Handlers['session'] => ({
  create: async ({ body, visitor, responseHeaders }) => {
    adminAuthentication.needOwnPage(visitor)
    const { password, link } = body
    if ((password === undefined) === (link === undefined)) throw invalidField('password', 'give this or link')
    const { address } = visitor
    const isRight =
      link === undefined
        ? await adminAuthentication.tryPassword(password, {
            actor: 'session',
            guesser: adminAuthentication.guesserOf(visitor),
          })
        : await adminAuthentication.tryLink(link, address)
    if (!isRight) {
      const wrong = link === undefined ? 'wrong administrator password' : 'the link was used before, or has expired'
      throw new ApiError('administrator_required', wrong)
    }
    const now = clock.now()
    const former = await adminAuthentication.findSession(visitor)
    const { token, row } = await database.transaction(async (tx) => {
      if (former) await deleteAdminSession(tx, former.id)
      const begun = await beginSession(tx, now)
      const facts = { actor: 'session', address, action: 'session.create', status: 200 } as const
      await keepAudit(tx, { ...facts, applicationId: null, target: begun.row.id, now })
      return begun
    })
    // One to a line.
    responseHeaders['set-cookie'] = `${adminAuthentication.cookieOf(token)}\n${adminAuthentication.deviceCookie()}`
    return sessionOf(row)
  },
  get: ({ acting }) => {
    if (!acting.session) throw new ApiError('not_found', 'there is no session: the password came with the request')
    return sessionOf(acting.session)
  },
  delete: async ({ acting, responseHeaders, write }) => {
    responseHeaders['set-cookie'] = adminAuthentication.cookieOf(undefined)
    await write(async (tx) => {
      if (acting.session) await deleteAdminSession(tx, acting.session.id)
    })
  },
  deleteAll: async ({ responseHeaders, write }) => {
    responseHeaders['set-cookie'] = adminAuthentication.cookieOf(undefined)
    await write(async (tx) => {
      await deleteAdminSessions(tx)
      await deleteAdminLinks(tx)
    })
  },
  password: async ({ acting, body, write }) => {
    if (installation.passwordIsSet) {
      throw new ApiError('conflict', 'the operator set the password with WAYPOST_ADMIN_PASSWORD: change it there')
    }
    const weakness = weaknessOf(body.new_password)
    if (weakness) throw invalidField('new_password', `${weakness}: take a longer or less usual one`)
    if (!(await adminAuthentication.tryPassword(body.current_password, acting))) {
      throw invalidField('current_password', 'is not the password of the administrator')
    }
    const digest = await administrator.digest(body.new_password)
    await write(async (tx) => {
      await setAdminPassword(tx, digest)
      await deleteAdminSessions(tx, acting.session?.id)
      await deleteAdminLinks(tx)
    })
  },
})

const Place = z.tuple([z.number(), z.string()])

const entryOf = ({ at, ...row }: AuditRow): AuditEntry => ({ ...row, at: seconds(at) })

export const audit = ({ database }: Services): Handlers['audit'] => ({
  list: async ({ query, position }) => {
    const [at, id] = position === undefined ? [] : Place.parse(position)
    const filter = { applicationId: query.application_id, action: query.action }
    const after = at === undefined || id === undefined ? undefined : { at, id }
    const rows = await listAudit(database, filter, { after, limit: query.limit + 1 })
    const page = rows.slice(0, query.limit)
    const last = page.at(-1)
    const items = page.map(entryOf)
    return rows.length > page.length && last ? { items, next: [last.at, last.id] } : { items }
  },
})

const rolesOf = (text: string): ServiceHealth['nodes'][number]['roles'] =>
  (['api', 'worker'] as const).filter((role) => text.split(',').includes(role))

export const health = ({ database, clock }: Services): Handlers['health'] => ({
  get: async () => {
    const nodes = await seenNodes(database, clock.now())
    const { valid = 0, invalid = 0 } = await tallyGrants(database)
    const { active = 0, failing = 0, failed = 0, pause = 0 } = await tallyDestinations(database)
    return {
      nodes: nodes.map((node) => ({
        id: node.id,
        started_at: seconds(node.started_at),
        seen_at: seconds(node.seen_at),
        roles: rolesOf(node.roles),
        watched_grants: node.watched_grants,
      })),
      outbox_jobs: await outboxDepth(database),
      deliveries_waiting: await countWaiting(database),
      sends_waiting: await countSendsWaiting(database),
      grants: { valid, invalid },
      destinations: { active, failing, failed, pause },
    }
  },
  series: async ({ query }) => {
    const steps = stepsOf(query.hours ?? 6, clock.now())
    return seriesOf(await figuresSince(database, steps.from), steps)
  },
})
