/** Agents in the API, and the access that their tokens give. */

import { enginesFor } from '@waypost/testing/engines'
import { sql } from '@waypost/testing/statement'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findAgentHolder } from '../../src/api/pipeline/agent-holder.ts'
import type { Caller } from '../../src/grants/caller.ts'
import { purgeExpired } from '../../src/housekeeping.ts'
import { openService, type TestService } from '../harness.ts'
import { storeAgent } from './stored-agent.ts'

describe.each(enginesFor(import.meta.url))('agents on %s', (engine) => {
  let clock: TestClock
  let service: TestService
  let applicationId: string
  let key: string
  let grants: string[]
  beforeAll(async () => {
    clock = testClock()
    service = await openService({ engine, overrides: { clock } })
    ;({ id: applicationId, key } = await service.createApplication('Agents'))
    grants = []
    for (const name of ['ada', 'bob']) grants.push((await service.createGrant(`${name}@one.test`, key)).id)
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const resource = (): string => `${service.services.config.baseUrl}/mcp`
  const holderOf = (token: string, at = resource()): Promise<Caller> => {
    const { database } = service.services.storage
    const { keyUse } = service.services.telemetry
    return findAgentHolder({ queries: database, clock: service.services.storage.clock, keyUse }, token, at)
  }
  const rights = { operations: ['mail.read', 'mail.send'] as const, approval: ['send'] as const }
  const connect = () =>
    storeAgent(service, {
      applicationId,
      grantIds: grants,
      rights: { operations: [...rights.operations], approval: [...rights.approval] },
    })
  const change = (id: string, body: object) => service.call('PATCH', `/v3/agents/${id}`, { key, body })

  test('an access token gives access to the endpoint that it was issued for, and not to the plain API', async () => {
    const agent = await connect()
    const caller = await holderOf(agent.accessToken)
    expect(caller).toMatchObject({
      id: applicationId,
      credential: { type: 'agent', id: agent.id, grantIds: grants.toSorted() },
    })
    await expect(holderOf(agent.accessToken, `${resource()}/${applicationId}`)).rejects.toThrow('another endpoint')
    await expect(holderOf(agent.refreshToken)).rejects.toThrow('unknown')
    await expect(holderOf(key)).rejects.toThrow('unknown')
    for (const token of [agent.accessToken, agent.refreshToken]) {
      const answer = await service.call('GET', '/v3/grants', { key: token })
      expect(answer.status).toBe(401)
    }
    clock.advance(3_600_001)
    await expect(holderOf(agent.accessToken)).rejects.toThrow('expired')
  })

  test('the API lists agents, by grant too, with the last use', async () => {
    const one = await storeAgent(service, { applicationId, grantIds: [grants[1] ?? ''] })
    await holderOf(one.accessToken)
    await service.services.telemetry.keyUse.flush()
    const all = await service.call('GET', '/v3/agents', { key })
    const ofFirst = await service.call('GET', `/v3/agents?grant_id=${grants[0]}`, { key })
    const ids = (answer: typeof all): string[] => answer.body.data.map(({ id }: { id: string }) => id)
    expect(ids(all)).toContain(one.id)
    expect(ids(ofFirst)).not.toContain(one.id)
    expect(ids(ofFirst).length).toBeGreaterThan(0)
    const { body } = await service.call('GET', `/v3/agents/${one.id}`, { key })
    expect(body.data).toMatchObject({ status: 'active', grant_ids: [grants[1]], connected_by: 'user@one.test' })
    expect(body.data.last_used_at).toBe(Math.floor(clock.now() / 1000))
  })

  test('changed rights count at the next request, and never exceed what the person agreed to', async () => {
    const agent = await connect()
    const fewer = await change(agent.id, { rights: { operations: ['mail.read'], grants: { ids: [grants[0]] } } })
    expect(fewer.body.data).toMatchObject({ grant_ids: [grants[0]], rights: { operations: ['mail.read', 'mcp'] } })
    const { credential } = await holderOf(agent.accessToken)
    expect(credential).toMatchObject({ grantIds: [grants[0]], rights: { operations: ['mail.read', 'mcp'] } })
    // A right that was removed can be granted again.
    const again = await change(agent.id, {
      name: 'Desk',
      rights: { operations: ['mail.read', 'mail.send'], grants: { ids: grants } },
    })
    expect(again.body.data).toMatchObject({ name: 'Desk', grant_ids: grants.toSorted() })
    const other = (await service.createGrant('eve@one.test', key)).id
    const beyond: [string, object][] = [
      ['rights.operations', { operations: ['mail.delete'] }],
      ['rights.approval', { operations: ['mail.read'], approval: [] }],
      ['rights.grants.ids', { operations: ['mail.read'], grants: { ids: [other] } }],
      ['rights.grants', { operations: ['mail.read'], grants: { metadata: { key1: 'all' } } }],
      ['rights.recipient', { operations: ['mail.read'], recipient: ['example.com'] }],
      ['rights.grants', { operations: ['mail.read'], grants: { ids: grants, metadata: { key1: 'all' } } }],
    ]
    for (const [field, refused] of beyond) {
      const answer = await change(agent.id, { rights: refused })
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { validation_errors: { [field]: expect.any(String) } } },
      })
    }
    expect((await change(agent.id, { permissions: ['mail.read'], name: 'Desk' })).status).toBe(400)
    expect((await holderOf(agent.accessToken)).credential?.rights.operations).toEqual(['mail.read', 'mail.send', 'mcp'])
  })

  test('a disconnected agent loses access at once, and stays in the list until its tokens would have expired', async () => {
    const agent = await connect()
    expect((await service.call('DELETE', `/v3/agents/${agent.id}`, { key })).status).toBe(200)
    await expect(holderOf(agent.accessToken)).rejects.toThrow('revoked')
    expect((await service.call('GET', `/v3/agents/${agent.id}`, { key })).body.data.status).toBe('disconnected')
    expect((await service.call('DELETE', `/v3/agents/${agent.id}`, { key })).status).toBe(200)
    expect((await change(agent.id, { name: 'x' })).status).toBe(400)
    clock.advance(130 * 86_400_000)
    await purgeExpired(service.services)
    expect((await service.call('GET', `/v3/agents/${agent.id}`, { key })).status).toBe(404)
  })

  test('an agent whose last grant is deleted is disconnected', async () => {
    const { id: grant } = await service.createGrant('gone@one.test', key)
    const agent = await storeAgent(service, { applicationId, grantIds: [grant] })
    await holderOf(agent.accessToken)
    await service.call('DELETE', `/v3/grants/${grant}`, { key })
    await expect(holderOf(agent.accessToken)).rejects.toThrow('disconnected')
    expect((await service.call('GET', `/v3/agents/${agent.id}`, { key })).body.data).toMatchObject({
      status: 'disconnected',
      grant_ids: [],
    })
  })

  test('an agent of a blocked application is refused', async () => {
    const other = await service.createApplication('Blocked')
    const { id: grant } = await service.createGrant('x@blocked.test', other.key)
    const agent = await storeAgent(service, { applicationId: other.id, grantIds: [grant] })
    await service.call('PATCH', `/v3/admin/applications/${other.id}`, { admin: true, body: { blocked: true } })
    await expect(holderOf(agent.accessToken)).rejects.toMatchObject({ code: 'resource_blocked' })
  })

  test('the store has no token, only hashes', async () => {
    const agent = await connect()
    const rows = await service.services.storage.database.all(sql('', 'select * from agent_tokens'))
    expect(rows.length).toBeGreaterThan(0)
    const text = JSON.stringify(rows)
    for (const token of [agent.accessToken, agent.refreshToken]) expect(text).not.toContain(token.slice(5))
  })
})
