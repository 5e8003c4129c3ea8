/** Approval by the person in front of the client, in both generations, and what answers cannot do. */

import { isCheck } from '@waypost/testing/level'
import { migratedDatabase } from '@waypost/testing/peers/database-url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openService } from '../../../harness.ts'
import { type MailService, messageOf, openMailService } from '../../pipeline/mail-provider.ts'
import { fetchOf, modern, modernClient, olderClient, post } from './clients.ts'

let world: MailService
let key: string
let applicationId: string
const capabilities = { elicitation: {} }

const keyFor = async (rights: object = {}): Promise<string> => {
  const made = await world.service.call('POST', `/v3/admin/applications/${applicationId}/api-keys`, {
    admin: true,
    body: { name: 'Assistant', rights: { operations: ['mcp', 'mail.read', 'mail.send', 'mail.draft'], ...rights } },
  })
  return made.body.data.api_key
}

beforeAll(async () => {
  world = await openMailService()
  world.mailbox.messages.set('m1', messageOf('m1'))
  const application = await world.service.call('PATCH', '/v3/applications', { body: { mcp_enabled: true } })
  applicationId = application.body.data.application_id
  key = await keyFor()
})
afterAll(() => world[Symbol.asyncDispose]())

/** Messages that the provider was asked to send. */
const sent = (): number => world.mailbox.calls.filter(({ operation }) => operation === 'messages.send').length
const approvals = async (status: string): Promise<{ id: string }[]> =>
  (await world.service.call('GET', `/v3/approvals?status=${status}`)).body.data

let before: number
beforeEach(() => {
  before = sent()
})
afterEach(async () => {
  for (const { id } of await approvals('pending')) {
    await world.service.call('POST', `/v3/approvals/${id}/reject`, { body: {} })
  }
})

const text = 'Hello\u202e Bob,\nsee you.'
const message = (subject = 'Lunch') => ({
  grant_id: world.grantId,
  to: [{ email: 'bob@example.net', name: 'Bob' }],
  subject,
  body: text,
  is_plaintext: true,
})

describe('a client of 2026-07-28', () => {
  test('asks the person, sends once with consent, and shows exactly what will happen', async () => {
    const client = await modernClient({ fetch: fetchOf(world.service.app), key, capabilities })
    const requested: string[] = []
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      requested.push(params.message)
      expect(sent()).toBe(before)
      return { action: 'accept', content: { approve: true } }
    })
    const result = await client.callTool({ name: 'send_message', arguments: message() })
    expect(result.isError, JSON.stringify(result)).toBeFalsy()
    expect(result.structuredContent).toMatchObject({ approval: { status: 'executed' } })
    expect(sent()).toBe(before + 1)
    expect(requested).toHaveLength(1)
    expect(requested[0]).toContain('Assistant asks to send this message')
    expect(requested[0]).toContain('to: Bob <bob@example.net>')
    expect(requested[0]).toContain('Subject: Lunch')
    // Characters that turn the direction of text are visible, and every line of the text is quoted.
    expect(requested[0]).toContain('> Hello[U+202E] Bob,\n> see you.')
    await client.close()
  })

  test.each([
    ['declines', { action: 'decline' }, 'rejected'],
    ['says no', { action: 'accept', content: { approve: false } }, 'rejected'],
    ['closes the question', { action: 'cancel' }, 'pending'],
  ] as const)('sends nothing if the person %s', async (_name, answer, status) => {
    const client = await modernClient({ fetch: fetchOf(world.service.app), key, capabilities })
    client.setRequestHandler('elicitation/create', async () => ({ ...answer }))
    const result = await client.callTool({ name: 'send_message', arguments: message() })
    expect(result.structuredContent).toMatchObject({ approval: { status } })
    expect(sent()).toBe(before)
    await client.close()
  })

  test('that cannot ask, or whose key forbids it, gets an approval that waits', async () => {
    const quiet = await keyFor({ elicitation: false })
    for (const connection of [{ key }, { key: quiet, capabilities }]) {
      const client = await modernClient({ fetch: fetchOf(world.service.app), ...connection })
      const result = await client.callTool({ name: 'send_message', arguments: message() })
      expect(result.structuredContent).toMatchObject({ approval: { status: 'pending' } })
      await client.close()
    }
    expect(sent()).toBe(before)
  })
})

describe('the state of a question', () => {
  const ask = async (args: object = message()) => {
    const { body, headers } = modern('tools/call', { name: 'send_message', arguments: args }, capabilities)
    const answer = await post(world.service.app, body, { key, headers })
    expect(answer.body.result.resultType).toBe('input_required')
    return answer.body.result.requestState as string
  }
  const yes = { approval: { action: 'accept', content: { approve: true } } }
  const repeat = async (params: object, by = key, can: object = capabilities) => {
    const call = modern(
      'tools/call',
      { name: 'send_message', arguments: message(), inputResponses: yes, ...params },
      can,
    )
    return post(world.service.app, call.body, { key: by, headers: call.headers })
  }

  test.each([
    ['for another call', async () => repeat({ requestState: await ask(message('Dinner')) })],
    ['for another tool', async () => repeat({ requestState: await ask(), name: 'reply', arguments: message() })],
    ['of another credential', async () => repeat({ requestState: await ask() }, await keyFor())],
    ['that was changed', async () => repeat({ requestState: `${(await ask()).slice(0, -2)}AA` })],
    ['with an answer that says nothing', async () => repeat({ requestState: await ask(), inputResponses: {} })],
    [
      'with an answer without consent',
      async () =>
        repeat({ requestState: await ask(), inputResponses: { approval: { action: 'accept', content: {} } } }),
    ],
  ])('%s is refused, and nothing is sent', async (_name, refused) => {
    expect((await refused()).body.error.code).toBe(-32602)
    expect(sent()).toBe(before)
  })

  test('works once', async () => {
    const requestState = await ask()
    expect((await repeat({ requestState })).body.result.structuredContent.approval.status).toBe('executed')
    expect((await repeat({ requestState })).body.error).toMatchObject({ code: -32602 })
    expect(sent()).toBe(before + 1)
  })

  test('sent several times at once works once', async () => {
    const requestState = await ask()
    await Promise.all(Array.from({ length: 5 }, () => repeat({ requestState })))
    expect(sent()).toBe(before + 1)
  })

  test('of a client that does not declare elicitation is refused with -32021', async () => {
    const answer = await repeat({ requestState: await ask() }, key, {})
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: -32021, data: { requiredCapabilities: { elicitation: {} } } } },
    })
    expect(sent()).toBe(before)
  })
})

describe('a client of 2025-11-25', () => {
  test.each([
    ['consents', { action: 'accept', content: { approve: true } }, 'executed', 1],
    ['declines', { action: 'decline' }, 'rejected', 0],
    ['closes the question', { action: 'cancel' }, 'pending', 0],
  ] as const)('is asked within the call; the person %s', async (_name, answer, status, count) => {
    const { ElicitRequestSchema } = await import('@modelcontextprotocol/sdk/types.js')
    const client = await olderClient({ fetch: fetchOf(world.service.app), key, capabilities })
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      expect(params.message).toContain('Subject: Lunch')
      return { ...answer }
    })
    const result = await client.callTool({ name: 'send_message', arguments: message() })
    expect(result.structuredContent).toMatchObject({ approval: { status } })
    expect(sent()).toBe(before + count)
    await client.close()
  })

  test('an answer of another credential decides nothing', async () => {
    const { ElicitRequestSchema } = await import('@modelcontextprotocol/sdk/types.js')
    const stranger = await keyFor()
    const app = fetchOf(world.service.app)
    const refused: number[] = []
    const client = await olderClient({
      key,
      capabilities,
      fetch: async (input, init) => {
        const isAnswer = typeof init?.body === 'string' && init.body.includes('"result"')
        if (isAnswer) {
          const answer = await post(world.service.app, init.body, { key: stranger })
          refused.push(answer.status)
        }
        return app(input, init)
      },
    })
    client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'decline' }))
    await client.callTool({ name: 'send_message', arguments: message() })
    expect(refused).toEqual([400])
    expect(sent()).toBe(before)
    await client.close()
  })
})

test.runIf(isCheck)('the answer may arrive at another node than the call that waits for it', async () => {
  const { ElicitRequestSchema } = await import('@modelcontextprotocol/sdk/types.js')
  await using database = await migratedDatabase()
  await using first = await openMailService({ databaseUrl: database.url })
  const { dataDir } = first.service.services.config
  await using second = await openService({ databaseUrl: database.url, dataDir })
  await first.service.call('PATCH', '/v3/applications', { body: { mcp_enabled: true } })
  const [here, there] = [fetchOf(first.service.app), fetchOf(second.app)]
  const client = await olderClient({
    key: first.service.apiKey,
    capabilities,
    fetch: (input, init) => (String(init?.body).includes('"action":"decline"') ? there : here)(input, init),
  })
  client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'decline' }))
  const args = { ...message(), grant_id: first.grantId }
  const result = await client.callTool({ name: 'send_message', arguments: args })
  expect(result.structuredContent).toMatchObject({ approval: { status: 'rejected' } })
  expect(first.mailbox.calls.filter(({ operation }) => operation === 'messages.send')).toEqual([])
  await client.close()
})
