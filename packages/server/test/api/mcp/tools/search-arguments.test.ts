/** Arguments of tools: times in every format, and searches that cannot find anything. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { tools } from '../../../../src/api/mcp/catalog.ts'
import type { ToolContext } from '../../../../src/api/mcp/tool.ts'
import { secondsOf, Time, withZone } from '../../../../src/api/mcp/tools/parts.ts'
import { holderOf } from '../../../../src/api/pipeline/authenticate.ts'
import { type MailService, messageOf, openMailService } from '../../pipeline/mail-provider.ts'
import { toolNamed } from '../tool-named.ts'

describe('a time in arguments', () => {
  const at = Date.parse('2026-11-18T08:00:00Z') / 1000

  test.each([
    at,
    '2026-11-18T09:00:00+01:00',
    '2026-11-18T08:00Z',
    '2026-11-18 08:00:00.999Z',
    '2026-11-18T09:00[Europe/Berlin]',
    '2026-11-18 03:00:00[America/New_York]',
    '2026-11-18T08:00:00[UTC]',
  ])('may be %s', (time) => {
    const read = Time.safeParse(time)
    expect(read.success && secondsOf(read.data)).toBe(at)
  })

  test.each([
    ...['2026-11-18T09:00', 'tomorrow', '2026-11-18', '2026-13-18T09:00Z', '2026-11-18T25:00[Europe/Berlin]'],
    ...['2026-11-18T09:00[Nowhere/City]', '2026-11-18T09:00[]', `2026-11-18T09:00[${'a'.repeat(90)}]`, at * 1000],
    // The clock change skips the first time and repeats the second.
    ...['2026-03-29T02:30[Europe/Berlin]', '2026-10-25T02:30[Europe/Berlin]'],
  ])('is not %s', (time) => {
    expect(Time.safeParse(time).success).toBe(false)
  })

  test('may be local time, with the zone of the argument timezone, but never of its default', () => {
    const input = { start: Time, end: Time.optional(), title: z.string(), timezone: z.string().default('UTC') }
    const given = { start: '2026-11-18T09:00', end: '2026-11-18 10:00:00', title: '2026-11-18T09:00' }
    expect(withZone(input, { ...given, timezone: 'Europe/Berlin' })).toEqual({
      ...{ start: '2026-11-18T09:00[Europe/Berlin]', end: '2026-11-18 10:00:00[Europe/Berlin]' },
      ...{ title: '2026-11-18T09:00', timezone: 'Europe/Berlin' },
    })
    for (const args of [given, { ...given, timezone: 'Nowhere' }, null, 'text', []]) {
      expect(withZone(input, args)).toEqual(args)
    }
  })

  test('may be local time in every tool that takes a time', () => {
    const taking = tools.filter(({ inputSchema }) => JSON.stringify(inputSchema).includes('253402300799'))
    expect(taking.length).toBeGreaterThan(8)
    for (const { name, inputSchema } of taking) {
      expect([name, inputSchema.properties]).toEqual([name, expect.objectContaining({ timezone: expect.anything() })])
    }
  })
})

describe('a search that cannot find anything', () => {
  let world: MailService
  let context: ToolContext
  let grant_id: string

  beforeAll(async () => {
    world = await openMailService()
    world.mailbox.messages.set('m1', messageOf('m1'))
    grant_id = world.at.split('/').at(-1) ?? ''
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

  const textOf = async (name: string, args: object): Promise<string> => {
    const result = await toolNamed(name).call(context, { grant_id, ...args })
    return `${result.isError ? 'error' : 'found'} ${result.content.map((each) => ('text' in each ? each.text : '')).join()}`
  }

  test.each([
    ['find_messages', { from: ['grace'] }, 'from'],
    ['find_messages', { to: ['grace@example.com', 'Grace <grace@example.com>'] }, 'to'],
    ['find_threads', { any_email: ['example.com'] }, 'any_email'],
    ['find_threads', { from: ['@example.com'] }, 'from'],
    ['find_events', { attendees: ['grace'] }, 'attendees'],
    ['find_contacts', { email: 'grace' }, 'email'],
    ['find_contacts', { phone_number: 'grace' }, 'phone_number'],
    ...[
      ...['from:grace', 'From: grace', 'report from:grace@example.com', '-from:grace', '(subject:report)', 'is:unread'],
      ...['in:inbox report', 'has:attachment', 'after:2026/01/01', 'newer_than:2d', 'filename:pdf', 'larger:5M'],
      ...['grace OR ada', 'report AND figures', 'report NOT draft', 'report -draft', 'repo*', '{grace ada}', 'a | b'],
    ].flatMap((q) => [['find_messages', { q }, 'q'] as const, ['find_threads', { q }, 'q'] as const]),
    ['find_messages', { received_after: 20, received_before: 10 }, 'received_before'],
    ['find_threads', { latest_message_after: 10, latest_message_before: 10 }, 'latest_message_before'],
    ['find_events', { start: '2026-11-18T09:00Z', end: '2026-11-18T09:00+01:00' }, 'end'],
    ['list_bookings', { grant_id: undefined, start: 20, end: 10 }, 'end'],
  ] as const)('is refused with the field to change: %s %j', async (name, args, field) => {
    const given = name === 'list_bookings' ? { start: 20, end: 10 } : args
    const result = await toolNamed(name).call(context, name === 'list_bookings' ? given : { grant_id, ...given })
    expect([result.isError, result.content[0]]).toEqual([
      true,
      { type: 'text', text: expect.stringMatching(new RegExp(`^invalid_arguments: ${field}: .{20}`)) },
    ])
  })

  test.each([
    ...[
      'grace',
      'Re: report',
      'report: figures',
      '"from:grace"',
      'the "a OR b" case',
      'https://example.com/a',
      '09:30',
    ],
    ...['TERMS AND CONDITIONS', 'well-known', 'C++', 'what is this: a list', 'grace@example.com', 'temperature -5'],
  ])('is not assumed for ordinary words: %s', async (q) => {
    expect(await textOf('find_messages', { q })).not.toContain('invalid_arguments')
  })
})
