/** The tools as a whole: schemas, rights, and responses to invalid arguments. */
import { KeyOperation } from '@waypost/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tools } from '../../../src/api/mcp/catalog.ts'
import { toolLists } from '../../../src/api/mcp/protocol/tool-list.ts'
import type { ToolContext, ToolDefinition } from '../../../src/api/mcp/tool.ts'
import { holderOf } from '../../../src/api/pipeline/authenticate.ts'
import type { Caller } from '../../../src/grants/caller.ts'
import { type MailService, messageOf, openMailService } from '../pipeline/mail-provider.ts'
import { toolNamed } from './tool-named.ts'

let world: MailService
let context: ToolContext
let grant: string

beforeAll(async () => {
  world = await openMailService()
  for (const id of ['m1', 'm2']) world.mailbox.messages.set(id, messageOf(id))
  grant = world.at.split('/').at(-1) ?? ''
  const { services, apiKey, app } = world.service
  const authentication = {
    queries: services.storage.database,
    keyUse: services.telemetry.keyUse,
    clock: services.storage.clock,
  }
  context = {
    api: app.api,
    caller: await holderOf(authentication, apiKey),
    address: '203.0.113.5',
    signal: new AbortController().signal,
  }
})
afterAll(() => world[Symbol.asyncDispose]())

const call = (name: string, args: unknown, by: Partial<Caller> = {}) => {
  return toolNamed(name).call({ ...context, caller: { ...context.caller, ...by } }, args)
}

type Listed = Pick<ToolDefinition, 'name' | 'inputSchema'>
const lists = toolLists(tools)
/** The tools that a restricted credential sees. */
const listed = (operations: KeyOperation[], ids?: string[]): Listed[] => {
  const rights = { operations, approval: [], elicitation: true, ...(ids ? { grants: { ids } } : {}) }
  return JSON.parse(lists({ type: 'api_key', id: 'k', name: 'k', rights }))
}
const inputOf = (list: Listed[], name: string) => list.find((tool) => tool.name === name)?.inputSchema

describe('every tool', () => {
  test.for(tools.map((tool) => [tool.name, tool] as const))(
    '%s has schemas, a description and hints',
    ([name, tool]) => {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/)
      expect(tool.description.length).toBeLessThan(500)
      for (const schema of [tool.inputSchema, tool.soleInputSchema, tool.outputSchema]) {
        expect(schema).toMatchObject({ type: 'object' })
        expect(JSON.stringify(schema)).not.toContain('$ref')
      }
      expect(tool.inputSchema.additionalProperties).toBe(false)
      expect(JSON.stringify(tool.soleInputSchema.properties ?? {})).not.toContain('"grant_id"')
      for (const field of Object.values(tool.inputSchema.properties ?? {})) {
        expect(field, `${name} ${JSON.stringify(field)}`).toHaveProperty('description')
      }
    },
  )

  test('names are unique', () => {
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
  })
})

test('a restricted credential sees only tools whose operations it has', () => {
  expect(listed(['calendar.read']).map(({ name }) => name)).not.toContain('find_messages')
  expect(listed(['mail.read']).map(({ name }) => name)).toContain('find_messages')
  expect(listed([...KeyOperation.options])).toHaveLength(tools.length)
})

test('a credential with exactly one grant does not name it', async () => {
  const tool = toolNamed('find_messages')
  expect(inputOf(listed(['mail.read'], [grant]), tool.name)).toEqual(tool.soleInputSchema)
  expect(inputOf(listed(['mail.read'], [grant, 'other']), tool.name)).toEqual(tool.inputSchema)
  const named = await call('find_messages', { grant_id: grant })
  const sole = await call('find_messages', {}, { grantId: grant })
  expect(sole.structuredContent).toMatchObject({ messages: [{ id: 'm1' }, { id: 'm2' }] })
  expect(named.structuredContent).toMatchObject({ messages: [{ id: 'm1' }, { id: 'm2' }] })
})

describe('wrong arguments are results that name the field and the remedy', () => {
  test.for([
    ['find_messages', {}, 'invalid_arguments: grant_id: is required; call list_grants'],
    ['find_messages', { grant_id: 'g', folder: 'x' }, 'folder: no such argument; the arguments are grant_id, q'],
    ['find_messages', { grant_id: 'g', limit: 26 }, 'limit: '],
    ['find_messages', { grant_id: 'g', received_after: '2026-11-18T09:00' }, 'received_after: '],
    ['find_messages', [], 'arguments: '],
    ['find_messages', 'text', 'arguments: '],
    ['current_time', { timezone: 'Mars/Base' }, 'timezone: must be an IANA time zone'],
    ['convert_time', {}, 'time: '],
  ] as const)('%s %j', async ([name, args, text]) => {
    const result = await call(name, args)
    expect(result.isError).toBe(true)
    expect(result.structuredContent).toBeUndefined()
    expect(result.content[0]?.text).toContain(text)
  })

  test('an account that does not exist is named by its error type', async () => {
    const result = await call('find_messages', { grant_id: 'nobody' })
    expect(result).toMatchObject({ isError: true })
    expect(result.content[0]?.text).toMatch(/^[a-z_.]+: .*\nrequest id: /)
  })
})

test('times are ISO 8601 with the offset of the zone, and Unix seconds', async () => {
  const { structuredContent } = await call('convert_time', { time: '2026-07-01T10:00:00Z', timezone: 'Europe/Berlin' })
  expect(structuredContent).toEqual({
    time: { iso: '2026-07-01T12:00:00+02:00', unix: 1_782_900_000, timezone: 'Europe/Berlin' },
  })
  const first = await call('convert_time', { time: 0, timezone: 'America/St_Johns' })
  expect(first.structuredContent).toMatchObject({ time: { iso: '1969-12-31T20:30:00-03:30' } })
})

test('pages have a cursor that leads to the rest', async () => {
  const first = await call('find_messages', { grant_id: grant, limit: 1 })
  expect(first.structuredContent).toMatchObject({ messages: [{ id: 'm1' }], next_cursor: expect.any(String) })
  const second = await call('find_messages', {
    ...{ grant_id: grant, limit: 1 },
    cursor: first.structuredContent?.next_cursor,
  })
  expect(second.structuredContent).toMatchObject({ messages: [{ id: 'm2' }] })
})
