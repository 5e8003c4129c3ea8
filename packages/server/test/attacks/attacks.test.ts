/**
 * An agent that obeys every instruction in mail, events and contacts, with a restricted key: nothing is sent, deleted or
 * shared without a person, and nothing goes to addresses that the key does not allow. The same agent with a key without
 * limits does all the harm, so the test would see it.
 */

import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import { startSmtpSink } from '@waypost/testing/peers/smtp-sink'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startGoogle } from '../../../simulators/src/index.ts'
import { openService } from '../harness.ts'
import { type Attack, allowedDomain, evil, type Order } from './attack.ts'
import { attacks } from './index.ts'
import { type Known, ObedientAgent, ordersIn } from './obedient-agent.ts'
import { changesBetween, stateOf, strayAddresses } from './state.ts'
import { openWorld, type Peers, type World } from './world.ts'

const resources = new AsyncDisposableStack()
let peers: Peers
let base: string
beforeAll(async () => {
  const [mail, google, sink] = await Promise.all([sharedDovecot(), startGoogle(), startSmtpSink()])
  for (const peer of [mail, google, sink]) resources.use(peer)
  const service = resources.use(
    await openService({
      env: {
        WAYPOST_GOOGLE_URL: google.url,
        WAYPOST_EGRESS: 'private',
        WAYPOST_SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
        WAYPOST_MAIL_FROM: 'Waypost <waypost@service.example>',
      },
    }),
  )
  peers = { service, mail, google, sink }
  base = await service.listen()
})
afterAll(() => resources.disposeAsync())

/** A key with these rights; returns its id and the key. */
async function createKey({ application }: World, rights: object): Promise<{ id: string; api_key: string }> {
  const path = `/v3/admin/applications/${application}/api-keys`
  const made = await peers.service.call('POST', path, { admin: true, body: { name: 'Agent', rights } })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  return made.body.data
}

const ownOperations = [
  ...['mail.read', 'mail.organize', 'mail.draft', 'mail.send', 'mail.delete', 'calendar.read', 'calendar.write'],
  ...['contacts.read', 'contacts.write', 'scheduling', 'mcp'],
]

interface Found {
  orders: Order[]
  known: Known
}

/** Reads everything in the accounts, and returns the orders in each object. */
async function readEverything(agent: ObedientAgent, { known }: World): Promise<Found[]> {
  const query = { limit: 25 }
  const calendar = { grant_id: known.google, calendar_id: 'primary' }
  return [
    ...(await agent.read({
      ...{ list: 'find_messages', read: 'read_message', attachments: 'get_attachment', rows: 'messages' },
      ...{ id: 'message_id', known: 'message', arguments: { grant_id: known.mail }, query },
    })),
    ...(await agent.read({
      ...{ list: 'find_events', read: 'read_event', rows: 'events', id: 'event_id', known: 'event' },
      ...{ arguments: calendar, query: { ...query, start: 1_795_000_000, end: 1_799_000_000 } },
    })),
    ...(await agent.read({
      ...{ list: 'find_contacts', rows: 'contacts', id: 'contact_id', known: 'contact' },
      ...{ arguments: { grant_id: known.google }, query },
    })),
  ]
}

/** Obeys what was found, and then the orders of attacks that the service kept from the agent. */
async function obeyEverything(agent: ObedientAgent, found: readonly Found[], world: World): Promise<void> {
  const hidden = attacks.map(({ orders }) => ({ orders: [...orders], known: {} }))
  let used = 0
  for (const { orders, known } of [...found, ...hidden.filter((attack) => !isFound(attack, found))]) {
    const takes = orders.some((order) => JSON.stringify(order).includes('$precious'))
    const precious = world.known[`precious${takes ? used++ : 0}`] ?? ''
    for (const order of orders) await agent.obey(order, { precious, ...known })
  }
}

const isFound = ({ orders }: Pick<Attack, 'orders'>, found: readonly Found[]): boolean => {
  const wanted = orders.map((order) => JSON.stringify(order))
  return found.some((each) => each.orders.some((order) => wanted.includes(JSON.stringify(order))))
}

/** A person who approves whatever is asked. */
async function approveEverything({ key }: World): Promise<number> {
  let count = 0
  for (;;) {
    const { body } = await peers.service.call('GET', '/v3/approvals?status=pending&limit=100', { key })
    if (body.data.length === 0) return count
    for (const { id } of body.data) {
      await peers.service.call('POST', `/v3/approvals/${id}/approve`, { key })
      count++
    }
  }
}

/** What no key may do. */
const refusedForEverybody = [
  'A schedule on the provider instead of the service',
  'Custom headers that address somebody',
  'From another address of the company',
  'A line break in the subject',
  'Answer the question to the person yourself',
  'Give the agent more rights through the list of agents',
  'Connect a second agent with your own key',
  'Read the mailbox of another application',
]

test('the set has at least 100 different attacks of each kind and goal, and each carries its orders', () => {
  expect(attacks.length).toBeGreaterThanOrEqual(100)
  expect(new Set(attacks.map(({ title }) => title)).size).toBe(attacks.length)
  expect(new Set(attacks.map(({ kind }) => kind)).size).toBe(3)
  expect(new Set(attacks.map(({ goal }) => goal)).size).toBe(6)
  for (const { title, orders } of attacks) expect(orders.length, title).toBeGreaterThan(0)
  expect(ordersIn('x [[{"tool":"a","arguments":{"to":[{"email":"e"}]}}]] y')).toEqual([
    { tool: 'a', arguments: { to: [{ email: 'e' }] } },
  ])
})

describe('an agent that obeys everything', () => {
  test('with a restricted key does nothing without a person, and nothing to addresses that are not allowed', async () => {
    const world = await openWorld(peers, 'careful')
    const { known, key } = world
    const grants = { ids: [known.mail, known.google, known.virtual] }
    const rights = { operations: ownOperations, grants, recipients: [allowedDomain], elicitation: false }
    const made = await createKey(world, rights)
    Object.assign(known, { key: made.id })
    await using agent = await ObedientAgent.connect({ base, credential: made.api_key, known })
    const before = await stateOf(peers, world)
    const found = await readEverything(agent, world)
    expect(attacks.filter((attack) => isFound(attack, found)).length).toBeGreaterThanOrEqual(95)

    await obeyEverything(agent, found, world)
    expect(changesBetween(before, await stateOf(peers, world))).toEqual([])
    const received = agent.received.join('\n')
    for (const canary of world.canaries) expect(received).not.toContain(canary)
    const pending = await peers.service.call('GET', '/v3/approvals?limit=200', { key })
    expect(new Set(pending.body.data.map(({ status }: { status: string }) => status))).toEqual(new Set(['pending']))
    expect(pending.body.data.length).toBeGreaterThan(10)

    expect(await approveEverything(world)).toBeGreaterThan(10)
    const after = await stateOf(peers, world)
    expect(after.mails.length).toBeGreaterThan(before.mails.length)
    expect(strayAddresses(after, world.own)).toEqual(strayAddresses(before, world.own))
    for (const { text } of after.mails.slice(before.mails.length)) expect(text).not.toContain('evil.example')
  })

  test('with a key without limits does all the harm: the attacks work, and the checks above see it', async () => {
    const world = await openWorld(peers, 'careless')
    const { known } = world
    const made = await createKey(world, {
      operations: [...ownOperations, 'webhooks', 'administration'],
      approval: [],
      elicitation: false,
    })
    Object.assign(known, { key: made.id })
    const administrator = `Basic ${Buffer.from(`admin:${peers.service.adminPassword}`).toString('base64')}`
    await using agent = await ObedientAgent.connect({ base, credential: made.api_key, known, administrator })
    const names = await agent.toolNames()
    const wanted = attacks.flatMap(({ orders }) => orders.flatMap((order) => ('tool' in order ? [order.tool] : [])))
    expect([...new Set(wanted)].filter((name) => !names.includes(name))).toEqual([])
    const before = await stateOf(peers, world)
    await obeyEverything(agent, await readEverything(agent, world), world)
    const after = await stateOf(peers, world)
    const changes = changesBetween(before, after)
    for (const sign of [`mail to ${evil}`, 'invitation: ', 'deleted: message', 'deleted: event', 'deleted: contact'])
      expect(changes.filter((change) => change.startsWith(sign)).length, sign).toBeGreaterThan(0)
    expect(changes).toContain('rights or settings changed')
    expect(strayAddresses(after, world.own).length).toBeGreaterThan(20)
    expect(agent.received.join('\n')).toContain(world.canaries[0])
    const done = agent.outcomes.filter(({ status }) => status < 300).map(({ order }) => JSON.stringify(order))
    const harmless = attacks.filter(({ orders }) => !orders.some((order) => done.includes(JSON.stringify(order))))
    expect(refusedForEverybody).toEqual(expect.arrayContaining(harmless.map(({ title }) => title)))
  })
})
