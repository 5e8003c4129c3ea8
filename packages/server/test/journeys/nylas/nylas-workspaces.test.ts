/** Workspaces through the published `nylas` client. */
import { randomUUID } from 'node:crypto'
import { oneEngineFor } from '@waypost/testing/engines'
import { failureOf, Nylas } from '@waypost/testing/peers/nylas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { doJobs } from '../../../src/node.ts'
import { openService, type TestService } from '../../harness.ts'

describe.each(oneEngineFor(import.meta.url))('workspaces of the nylas client on %s', (engine) => {
  let service: TestService
  let nylas: Nylas

  beforeAll(async () => {
    service = await openService({ engine })
    const apiUri = await service.listen()
    nylas = new Nylas({ apiKey: (await service.createApplication('Client')).key, apiUri, timeout: 60 })
    await nylas.connectors.create({ requestBody: { name: 'Virtual', provider: 'virtual-calendar' } })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const authenticate = async (email: string) =>
    (await nylas.auth.customAuthentication({ requestBody: { provider: 'virtual-calendar', settings: { email } } })).data

  test('all seven operations work, with the names of the client', async () => {
    const early = await authenticate('early@acme.test')
    const application = (await nylas.applications.getDetails()).data
    const requested = { name: 'Acme', domain: 'acme.test', autoGroup: true }
    const { data: made } = await nylas.workspaces.create({ requestBody: requested })
    expect(made).toMatchObject({ name: 'Acme', domain: 'acme.test', autoGroup: true, default: false, ruleIds: [] })
    expect(made).toMatchObject({ applicationId: application.applicationId, createdAt: expect.any(Number) })
    const listed = (await nylas.workspaces.list()).data
    expect(listed).toEqual([expect.objectContaining({ default: true }), made])
    for (const workspaceId of [made.workspaceId, 'acme.test']) {
      expect((await nylas.workspaces.find({ workspaceId })).data).toEqual(made)
    }
    const late = await authenticate('late@acme.test')
    const { workspaceId } = made
    const grants = async () =>
      (await nylas.grants.list({ queryParams: { workspaceId } as object })).data.map(({ id }) => id).toSorted()
    expect(await grants()).toEqual([late.id])
    const job = (await nylas.workspaces.autoGroup({ requestBody: { specificDomain: 'acme.test' } })).data
    expect(job).toEqual({ jobId: expect.any(String), message: expect.any(String) })
    expect((await nylas.workspaces.autoGroup()).data.jobId).not.toBe(job.jobId)
    await doJobs(service.services)
    expect(await grants()).toEqual([early.id, late.id].toSorted())
    const requestBody = { assignGrants: [randomUUID()], removeGrants: [late.id] }
    const { data: assigned } = await nylas.workspaces.manualAssign({ workspaceId: 'acme.test', requestBody })
    expect(assigned).toMatchObject({ workspaceId, domain: 'acme.test', grantsAssigned: null, grantsRemoved: [late.id] })
    const change = { name: 'Acme Ltd', autoGroup: false, policyId: null, ruleIds: null }
    const { data: changed } = await nylas.workspaces.update({ workspaceId, requestBody: change })
    expect(changed).toMatchObject({ workspaceId, name: 'Acme Ltd', autoGroup: false })
    await nylas.workspaces.destroy({ workspaceId: 'acme.test' })
    expect(await failureOf(nylas.workspaces.find({ workspaceId }))).toMatchObject({ statusCode: 404 })
    expect(await grants()).toEqual([])
    const home = (await nylas.grants.find({ grantId: early.id })).data
    expect(home).toMatchObject({ workspaceId: listed[0]?.workspaceId })
  })
})
