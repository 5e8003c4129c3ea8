/**
 * Access of every role to every route of the contract that accepts credentials of administrators, for an application
 * within the person's reach and for another one. The expected result is repeated here by class of routes, and a route
 * without a class fails the test.
 */
import { contract, type NamedRoute, type Role, routesOf } from '@waypost/contract'
import { enginesFor } from '@waypost/testing/engines'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { classOf, isCustomerData, judge, type RouteClass } from '../../../src/applications/rights.ts'
import { type Answer, openService, type TestService } from '../../harness.ts'
import { type SignedInPerson, signedInPerson } from '../../people-setup.ts'
import { furnish, type Tenant } from '../../world/world.ts'
import { mainMethod, pathOf } from './requests.ts'

const routes = routesOf(contract)
const judged = routes.filter(({ route }) => !['public', 'client'].includes(route.audience))
const roles: readonly Role[] = ['owner', 'administrator', 'viewer']

test('every route for administrators has a class, and no other route has one', () => {
  expect(judged.filter((each) => classOf(each) === undefined).map(({ id }) => id)).toEqual([])
  const others = routes.filter((each) => !judged.includes(each))
  expect(others.filter((each) => classOf(each) !== undefined).map(({ id }) => id)).toEqual([])
  for (const each of judged) {
    expect([each.id, classOf(each) === 'customers']).toEqual([each.id, isCustomerData(each)])
    const names = /:application_id/.test(each.route.path) || each.route.audience !== 'administrator'
    expect([each.id, ['application', 'customers'].includes(classOf(each) ?? '')]).toEqual([each.id, names])
  }
})

test('a route without a class is for owners', () => {
  const route = { method: 'GET', path: '/v3/admin/unknown', summary: '', audience: 'administrator' } as const
  const unknown: NamedRoute = { id: 'unknown.get', resource: 'unknown', operation: 'get', route }
  const answers = roles.map((role) => judge({ role, applications: 'all' }, unknown, undefined))
  expect(answers).toEqual(['allowed', 'refused', 'refused'])
})

type Expected = 'in' | 403 | 404

/** The expected result, as docs/dashboard.md describes it. */
function expectedOf(kind: RouteClass, reads: boolean, { role, reach }: Who, about: 'own' | 'other'): Expected {
  if (kind === 'account' || kind === 'listing') return 'in'
  if (kind === 'owners') return role === 'owner' ? 'in' : 403
  if (kind === 'service') return reach === 'all' && (role !== 'viewer' || reads) ? 'in' : 403
  if (reach === 'one' && about === 'other') return 404
  return role !== 'viewer' || (reads && kind === 'application') ? 'in' : 403
}

interface Who {
  role: Role
  reach: 'all' | 'one'
}
interface Somebody extends Who {
  person: SignedInPerson
}

/** These routes end the session of the test; they have their own tests. */
const ending = new Set(['session.delete', 'session.deleteAll'])

describe.each(enginesFor(import.meta.url))('on %s', (engine) => {
  let service: TestService
  let own: Tenant
  let other: Tenant
  const people: Somebody[] = []

  beforeAll(async () => {
    service = await openService({ engine, stream: true })
    own = await furnish(service)
    other = await furnish(service)
    for (const role of roles) {
      for (const reach of ['all', 'one'] as const) {
        if (role === 'owner' && reach === 'one') continue
        const email = `${role}-${reach}@example.com`
        const applications = reach === 'all' ? 'all' : [own.applicationId]
        people.push({ role, reach, person: await signedInPerson(service, { email, role, applications }) })
      }
    }
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const call = (named: NamedRoute, world: Tenant, person: SignedInPerson): Promise<Answer> => {
    const path = pathOf(named, { ...world.params(named), person_id: 'nobody', session_id: 'none' })
    const isAdministrators = named.route.audience === 'administrator'
    const headers: Record<string, string> = isAdministrators ? {} : { 'x-waypost-application': world.applicationId }
    // A body that no route accepts, so that an allowed request changes nothing.
    const body = mainMethod(named) === 'GET' ? {} : { body: { 'no such field': 1 } }
    return person.call(mainMethod(named), path, { headers, ...body })
  }

  const outcomeOf = ({ status, body }: Answer): Expected => {
    if (status === 403 && body.error?.message === 'Your role does not allow this') return 403
    return status === 404 && body.error?.message === 'no application with this id' ? 404 : 'in'
  }

  test('an application out of reach looks like one that does not exist', async () => {
    for (const { person } of people.filter(({ reach }) => reach === 'one')) {
      const nowhere = '00000000-0000-4000-8000-000000000000'
      for (const method of ['GET', 'PATCH']) {
        const answers = await Promise.all(
          [other.applicationId, nowhere].map((id) =>
            person.call(method, `/v3/admin/applications/${id}`, method === 'GET' ? {} : { body: { blocked: false } }),
          ),
        )
        const [one, two] = answers.map(({ status, body }) => ({ status, error: body.error }))
        expect(one).toEqual(two)
      }
      const named = await Promise.all(
        [other.applicationId, nowhere].map((id) =>
          person.call('GET', '/v3/connectors', { headers: { 'x-waypost-application': id } }),
        ),
      )
      expect(named.map(({ status, body }) => [status, body.error.message])).toEqual(
        Array(2).fill([404, 'no application with this id']),
      )
      // Objects of the other application cannot be reached through a person's own application.
      const crossed = await person.call('GET', `/v3/grants/${other.grantId}`, {
        headers: { 'x-waypost-application': own.applicationId },
      })
      expect(crossed.status).toBe(404)
      const activity = await person.call(
        'GET',
        `/v3/admin/applications/${own.applicationId}/grants/${other.grantId}/activity`,
      )
      expect(activity.status).toBe(404)
    }
  })

  test('lists over applications contain only those within reach', async () => {
    const idsOf = (answer: Answer): string[] => [
      ...new Set<string>(answer.body.data.map((each: { application_id: string }) => each.application_id)),
    ]
    const limited = people.filter(({ reach }) => reach === 'one')
    expect(limited).toHaveLength(2)
    for (const { person } of limited) {
      expect(idsOf(await person.call('GET', '/v3/admin/applications'))).toEqual([own.applicationId])
      expect(idsOf(await person.call('GET', '/v3/admin/usage'))).toEqual([own.applicationId])
      expect(idsOf(await person.call('GET', '/v3/admin/audit?limit=200'))).toEqual([own.applicationId])
      const query = `application_id=${other.applicationId}`
      for (const path of ['applications', 'usage', 'audit']) {
        expect((await person.call('GET', `/v3/admin/${path}?${query}`)).body.data).toEqual([])
      }
      expect((await person.call('GET', '/metrics')).status).toBe(403)
    }
    const [owner] = people
    expect(idsOf((await owner?.person.call('GET', '/v3/admin/applications')) as Answer)).toHaveLength(3)
  })

  test('an Idempotency-Key of one person is separate from those of others', async () => {
    const [one, two] = people.filter(({ role }) => role === 'administrator')
    if (!one || !two) throw new Error('no administrators')
    const path = `/v3/admin/applications/${own.applicationId}/api-keys`
    const make = (person: SignedInPerson): Promise<Answer> =>
      person.call('POST', path, { body: { name: 'Same' }, headers: { 'idempotency-key': 'same' } })
    const first = await make(one.person)
    expect((await make(one.person)).body).toEqual(first.body)
    const second = await make(two.person)
    expect(second.status).toBe(200)
    expect(second.body.data.api_key).not.toBe(first.body.data.api_key)
    const named = (person: SignedInPerson): Promise<Answer> =>
      person.call('POST', '/v3/templates', {
        body: { name: 'Same', subject: 'Same', body: 'Same', engine: 'mustache' },
        headers: { 'idempotency-key': 'same', 'x-waypost-application': own.applicationId },
      })
    const template = await named(one.person)
    expect(template.status).toBeLessThan(300)
    expect((await named(two.person)).body.data.id).not.toBe(template.body.data.id)
  })

  test('refusals are audited with the name of the person', async () => {
    const viewer = people.find(({ role }) => role === 'viewer')?.person
    await viewer?.call('POST', '/v3/admin/applications', { body: { name: 'Never' } })
    const { data } = (
      await service.call('GET', `/v3/admin/audit?person_id=${viewer?.id}&action=adminApplications.create`, {
        admin: true,
      })
    ).body
    expect(data[0]).toMatchObject({ person_id: viewer?.id, person_name: viewer?.email, status: 403 })
  })

  // The last test, because allowed requests have effects.
  test.each(judged.filter(({ id }) => !ending.has(id)).map((each) => [each.id, each] as const))(
    '%s is open to exactly the roles of its class',
    async (_, named) => {
      const kind = classOf(named)
      if (!kind) throw new Error('no class')
      for (const { role, reach, person } of people) {
        for (const about of ['own', 'other'] as const) {
          const outcome = outcomeOf(await call(named, about === 'own' ? own : other, person))
          const expected = expectedOf(kind, named.route.method === 'GET', { role, reach }, about)
          expect({ role, reach, about, outcome }).toEqual({ role, reach, about, outcome: expected })
        }
      }
    },
  )
})
