/** Setting up a connector in the dashboard, checking it, and creating a test grant with it. */

import { oneEngineFor } from '@waypost/testing/engines'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestService } from '../../harness.ts'
import { type GooglePeer, openGoogle, openGoogleService } from '../../peers/google.ts'

interface Check {
  name: string
  ok: boolean
  message: string
}

describe.each(oneEngineFor(import.meta.url))('connectors on %s', (engine) => {
  let google: GooglePeer
  let service: TestService
  let application: { id: string; key: string }
  beforeAll(async () => {
    google = await openGoogle()
    service = await openGoogleService(google.simulator, { engine })
    application = await service.createApplication('Connectors')
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await google[Symbol.asyncDispose]()
  })

  const call = (method: string, path: string, body?: object) =>
    service.call(method, path, { key: application.key, ...(body ? { body } : {}) })
  const tried = async (provider: string): Promise<{ ok: boolean; redirect_uri: string | null; checks: Check[] }> => {
    const answer = await call('POST', `/v3/connectors/${provider}/test`)
    expect(answer.status).toBe(200)
    return answer.body.data
  }
  const wrongOf = ({ checks }: { checks: Check[] }) => checks.filter(({ ok }) => !ok).map(({ name }) => name)

  test('a check reports what is wrong with the client, the scopes and the topic', async () => {
    expect((await call('POST', '/v3/connectors/google/test')).status).toBe(404)
    const { id, secret } = google.simulator.client
    const settings = { client_id: id, client_secret: 'wrong' }
    await call('POST', '/v3/connectors', { provider: 'google', settings })
    const wrong = await tried('google')
    expect([wrong.ok, wrongOf(wrong)]).toEqual([false, ['client']])
    expect(wrong.checks[0]?.message).toMatch(/rejects client_id or client_secret: .*Unauthorized/)
    expect(wrong.redirect_uri).toBe(`${service.services.config.baseUrl}/v3/connect/callback`)
    expect(JSON.stringify(wrong)).not.toContain('wrong"')

    const change = (body: object) => call('PATCH', '/v3/connectors/google', body)
    await change({ settings: { client_id: 'nobody', client_secret: secret } })
    expect(wrongOf(await tried('google'))).toEqual(['client'])
    await change({ settings: { client_id: id, client_secret: secret }, scope: ['gmail.modify', 'calendar'] })
    const right = await tried('google')
    expect([right.ok, right.checks.map(({ name }) => name)]).toEqual([
      true,
      ['client', 'redirect_uri', 'scopes', 'topic_name'],
    ])
    await change({
      settings: { client_id: id, client_secret: secret, topic_name: 'my-topic' },
      scope: ['gmail.everything', 'https://www.googleapis.com/auth/drive.readonly'],
    })
    const typed = await tried('google')
    expect(wrongOf(typed)).toEqual(['scopes', 'topic_name'])
    expect(typed.checks[2]?.message).toContain('gmail.everything')
    expect(typed.checks[2]?.message).not.toContain('drive')
    await change({
      settings: { client_id: id, client_secret: secret, topic_name: 'projects/my-project/topics/mail' },
      scope: ['https://www.googleapis.com/auth/drive.readonly'],
    })
    expect((await tried('google')).ok).toBe(true)
    google.simulator.fail({ path: '/token', times: 1 }, { status: 503, json: { error: 'unavailable' } })
    expect(wrongOf(await tried('google'))).toEqual(['client'])
  })

  test('a check says so if there is nothing to set up', async () => {
    await call('POST', '/v3/connectors', { provider: 'imap' })
    expect(await tried('imap')).toMatchObject({ ok: true, redirect_uri: null })
  })

  test('a test grant is created by hosted sign-in, and only the administrator can complete it', async () => {
    const email = `ada-${engine}@example.com`
    google.simulator.addAccount({ email })
    const { baseUrl } = service.services.config
    const redirectUri = `${baseUrl}/dashboard/connected`
    const { id, secret } = google.simulator.client
    await call('PATCH', '/v3/connectors/google', { settings: { client_id: id, client_secret: secret }, scope: [] })
    const query = new URLSearchParams({
      client_id: application.id,
      redirect_uri: redirectUri,
      response_type: 'code',
      provider: 'google',
      state: 'from-the-page',
    })
    const begun = await service.app.request(`/v3/connect/auth?${query}`)
    expect(begun.status).toBe(302)
    const cookie = (begun.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
    const back = new URL(await google.simulator.consent(begun.headers.get('location') ?? '', { email }))
    const returned = await service.app.request(`${back.pathname}${back.search}`, { headers: { cookie } })
    const location = new URL(returned.headers.get('location') ?? '')
    expect(`${location.origin}${location.pathname}`).toBe(redirectUri)
    expect(location.searchParams.get('state')).toBe('from-the-page')
    const code = location.searchParams.get('code')

    const complete = `/v3/admin/applications/${application.id}/grants/complete`
    const body = { code, redirect_uri: redirectUri }
    expect((await call('POST', complete, body)).status).toBe(401)
    const made = await service.call('POST', complete, { admin: true, body })
    expect([made.status, made.body.data]).toMatchObject([200, { email, provider: 'google', grant_status: 'valid' }])
    const again = await service.call('POST', complete, { admin: true, body })
    expect([again.status, again.body.error.type]).toEqual([400, 'invalid_grant'])
    const audit = await service.call('GET', '/v3/admin/audit?action=adminGrants.complete', { admin: true })
    expect(audit.body.data).toMatchObject([
      { status: 400 },
      { status: 200, application_id: application.id, target: made.body.data.id },
    ])
  })

  test('no other dashboard address, and none of another origin, is accepted as a redirect URI', async () => {
    const { baseUrl } = service.services.config
    for (const redirect of [
      `${baseUrl}/dashboard`,
      `${baseUrl}/dashboard/connected/x`,
      'https://x.test/dashboard/connected',
    ]) {
      const query = new URLSearchParams({ client_id: application.id, redirect_uri: redirect, response_type: 'code' })
      const answer = await service.app.request(`/v3/connect/auth?${query}`)
      expect(answer.status).toBe(400)
    }
  })
})
