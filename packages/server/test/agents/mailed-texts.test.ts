/**
 * Texts that the service mails later to recipients who are not known yet count as sent when a restricted key writes
 * them.
 */
import type { KeyRights } from '@waypost/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, sharedService, type TestService } from '../harness.ts'

const text = { name: 'News', subject: 'An offer', body: '<p>Buy <b>now</b></p>', engine: 'mustache' }
const page = (email: string, isPrivate: boolean): object => ({
  ...{ name: 'Talk', requires_session_auth: isPrivate, event_booking: { title: 'An offer' } },
  participants: [
    { email, is_organizer: true, availability: { calendar_ids: ['primary'] }, booking: { calendar_id: 'primary' } },
  ],
  availability: { duration_minutes: 30 },
})

describe('a key that may write texts', () => {
  let service: TestService
  let application: { id: string; key: string }
  let grant: string
  let pages: { open: string; closed: string }
  /** Requests that write a text, with the method and the path. */
  let writes: [method: string, path: string, body: object][]

  const call = async (method: string, path: string, body?: object): Promise<Answer['body']['data']> => {
    const answer = await service.call(method, path, { key: application.key, body })
    expect([answer.status, answer.body.error]).toEqual([expect.toBeOneOf([200, 201]), undefined])
    return answer.body.data
  }
  const keyWith = async (rights: Partial<KeyRights>): Promise<string> => {
    const body = { name: 'Limited', rights: { operations: ['administration', 'scheduling'], ...rights } }
    const path = `/v3/admin/applications/${application.id}/api-keys`
    return (await service.call('POST', path, { admin: true, body })).body.data.api_key
  }
  const as = (key: string, [method, path, body]: (typeof writes)[number]) => service.call(method, path, { key, body })

  beforeAll(async () => {
    service = await sharedService()
    application = await service.createApplication('Texts')
    const email = 'host@virtual.test'
    grant = `/v3/grants/${(await service.createGrant(email, application.key)).id}`
    const configurations = `${grant}/scheduling/configurations`
    pages = {
      open: (await call('POST', configurations, page(email, false))).id,
      closed: (await call('POST', configurations, page(email, true))).id,
    }
    const signature = await call('POST', `${grant}/signatures`, { name: 'S', body: '<p>Regards</p>' })
    writes = [
      ['POST', `${grant}/signatures`, { name: 'News', body: '<p>Buy now</p>' }],
      ['PUT', `${grant}/signatures/${signature.id}`, { body: '<p>Buy now</p>' }],
      ['POST', configurations, page(email, false)],
      ['PUT', `${configurations}/${pages.open}`, { name: 'Buy now' }],
      ['POST', '/v3/scheduling/sessions', { configuration_id: pages.closed }],
    ]
    for (const at of ['/v3', grant]) {
      const template = await call('POST', `${at}/templates`, text)
      const flow = { name: 'Flow', template_id: template.id, trigger_event: 'booking.created' }
      const workflow = await call('POST', `${at}/workflows`, { ...flow, is_enabled: false })
      writes.push(
        ['POST', `${at}/templates`, text],
        ['PUT', `${at}/templates/${template.id}`, { body: '<p>Buy now</p>' }],
        ['POST', `${at}/workflows`, flow],
        ['PUT', `${at}/workflows/${workflow.id}`, { is_enabled: true }],
      )
    }
  })
  afterAll(() => service[Symbol.asyncDispose]())

  test('waits for a person, who sees the text that will be mailed', async () => {
    for (const approval of [undefined, ['send'] as const]) {
      const key = await keyWith(approval ? { approval: [...approval] } : {})
      for (const write of writes) {
        const { status, body } = await as(key, write)
        expect([write, status, body.data.kinds]).toEqual([write, 202, expect.arrayContaining(['send'])])
        expect(`${body.data.preview.subject} ${body.data.preview.text}`).toMatch(/Buy now|An offer|Talk/)
        await service.call('POST', `/v3/approvals/${body.data.id}/reject`, { key: application.key, body: {} })
      }
    }
  })

  test('is refused if its recipients are limited, with or without approval', async () => {
    for (const approval of [['send', 'invite', 'delete'], []] as KeyRights['approval'][]) {
      const key = await keyWith({ recipients: ['example.com'], approval })
      for (const write of writes) {
        const { status, body } = await as(key, write)
        expect([write, status, body.error?.type]).toEqual([write, 403, 'api.recipient_not_allowed'])
      }
    }
  })

  test('counts each text as a message', async () => {
    for (const write of writes) {
      const key = await keyWith({ messages_per_hour: 1, approval: [] })
      expect([write, (await as(key, write)).status]).toEqual([write, expect.toBeOneOf([200, 201])])
      expect([write, (await as(key, write)).status]).toEqual([write, 429])
    }
  })

  test('opens a session of a public page, which gives no further access', async () => {
    const key = await keyWith({ recipients: ['example.com'] })
    expect((await as(key, ['POST', '/v3/scheduling/sessions', { configuration_id: pages.open }])).status).toBe(200)
  })

  test('writes the text that the person saw, or nothing if the text was changed since then', async () => {
    const template = await call('POST', '/v3/templates', { ...text, body: 'One' })
    const at = `/v3/templates/${template.id}`
    const flow = { name: 'Seen', template_id: template.id, trigger_event: 'booking.created' }
    const key = await keyWith({})
    const held = [await as(key, ['PUT', at, { subject: 'Two' }]), await as(key, ['POST', '/v3/workflows', flow])]
    const approve = async ({ body }: Answer) =>
      (await service.call('POST', `/v3/approvals/${body.data.id}/approve`, { key: application.key })).body.data
    await call('PUT', at, { body: 'Three' })
    for (const each of held) {
      expect(await approve(each)).toMatchObject({ status: 'failed', reason: expect.stringContaining('changed') })
    }
    expect(await call('GET', at)).toMatchObject({ subject: 'An offer', body: 'Three' })
    const again = await as(key, ['PUT', at, { subject: 'Two' }])
    expect(again.body.data.preview).toMatchObject({ subject: 'Two', text: 'Three' })
    expect(await approve(again)).toMatchObject({ status: 'executed' })
    expect(await call('GET', at)).toMatchObject({ subject: 'Two', body: 'Three' })
  })
})
