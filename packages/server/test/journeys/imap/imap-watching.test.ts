/** Watching mail servers that are unlike others: what they do not say, say wrongly, or refuse, and much at a time. */

import { createEgress } from '@waypost/platform/egress/egress'
import { type ScriptedImap, type ScriptedOptions, startScriptedImap } from '@waypost/testing/peers/scripted-imap'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Call, expectStatus, type Json } from '../../conformance/accounts.ts'
import { openService, type TestService } from '../../harness.ts'
import { openSubscriber, type Subscriber } from '../subscriber.ts'

const until = <T>(check: () => T | Promise<T>, timeout = 40_000): Promise<T> =>
  vi.waitFor(check, { timeout, interval: 200 })

let service: TestService
let subscriber: Subscriber
beforeAll(async () => {
  const egress = createEgress({ mode: 'private', trustLoopback: true })
  service = await openService({ env: { WAYPOST_POLL_SECONDS: '1' }, overrides: { egress, serving: true } })
  await service.listen()
  subscriber = await openSubscriber(service)
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await subscriber?.[Symbol.asyncDispose]()
})

let numbers = 0
const mimeMessage = (subject: string): string =>
  `From: ada@example.com\r\nSubject: ${subject}\r\nDate: ${new Date().toUTCString()}\r\nMessage-ID: <${++numbers}@example.com>\r\n\r\nText\r\n`

async function watch(options: ScriptedOptions, prepare: (server: ScriptedImap) => void = () => undefined) {
  const server = await startScriptedImap(options)
  prepare(server)
  const { key } = await service.createApplication()
  const call: Call = (method, path, rest) => service.call(method, path, { key, ...rest })
  expectStatus(await call('POST', '/v3/connectors', { body: { provider: 'imap' } }), 201)
  const named = { imap_username: 'mira@mail.test', imap_password: 'secret', imap_host: 'localhost' }
  const body = { provider: 'imap', settings: { ...named, imap_port: server.port } }
  const { id } = expectStatus(await call('POST', '/v3/connect/custom', { body }), 201).body.data
  const all: Json[] = []
  let cursor = ''
  const reported = async (trigger: string): Promise<Json[]> => {
    for (let page: Json[] | undefined; page === undefined || page.length === 200; all.push(...page)) {
      const { body } = expectStatus(await call('GET', `/v3/notifications?limit=200${cursor}`), 200)
      page = body.data as Json[]
      cursor = `&page_token=${body.next_cursor}`
    }
    return all.filter(({ type }) => type === trigger).map(({ data }) => data.object)
  }
  return {
    server,
    key,
    reported,
    subjects: async (trigger: string): Promise<string[]> => (await reported(trigger)).map(({ subject }) => subject),
    /** A message that comes, and is told of. */
    async comes(subject: string): Promise<void> {
      server.add(mimeMessage(subject))
      server.tell(`* ${server.folder('INBOX').messages.length} EXISTS`)
      await until(async () =>
        expect((await reported('message.created')).map((each) => each.subject)).toContain(subject),
      )
    },
    async [Symbol.asyncDispose]() {
      await call('DELETE', `/v3/grants/${id}`)
      await server[Symbol.asyncDispose]()
    },
  }
}

describe('a server', () => {
  test.each([
    ['refuses', 'NO not now'],
    ['ends at once', 'OK done'],
  ])('whose IDLE it %s is asked by the clock', async (_, said) => {
    await using at = await watch({
      script({ name, tag }, line) {
        if (name !== 'IDLE') return false
        line.say(`${tag} ${said}`)
        return true
      },
    })
    await at.comes('first')
    const polls = at.server.count('STATUS')
    await until(() => expect(at.server.count('STATUS')).toBeGreaterThan(polls + 1))
    expect(at.server.count('IDLE')).toBe(1)
    await at.comes('second')
    expect(await at.subjects('message.created')).toEqual(['first', 'second'])
  })

  test('whose counts contradict each other does not cause endless polling', async () => {
    await using at = await watch({
      status: ({ messages: { length }, uidNext }) => `MESSAGES ${length + 1} UNSEEN 0 UIDNEXT ${uidNext} UIDVALIDITY 1`,
    })
    await at.comes('first')
    await until(() => expect(at.server.count('IDLE')).toBeGreaterThan(0))
    await at.comes('second')
  })

  test('that counts changes without CONDSTORE enabled is compared', async () => {
    let changes = 1
    await using at = await watch({
      capabilities: ['CONDSTORE', 'UIDPLUS', 'IDLE'],
      status: ({ messages: { length }, uidNext }) =>
        `MESSAGES ${length} UNSEEN 0 UIDNEXT ${uidNext} UIDVALIDITY 1 HIGHESTMODSEQ ${length + changes}`,
    })
    await at.comes('marked')
    await at.comes('unmarked')
    at.server.folder('INBOX').messages[0]?.flags.add('\\Seen')
    changes++
    await until(async () => expect(await at.subjects('message.updated')).toContain('marked'))
    await at.comes('last')
    expect(await at.subjects('message.updated')).toEqual(['marked'])
  })

  test('without UIDNEXT is watched by the UIDs it shows', async () => {
    await using at = await watch(
      { status: ({ messages: { length } }) => `MESSAGES ${length} UNSEEN 0 UIDVALIDITY 1` },
      (server) => Object.assign(server.folder('INBOX'), { uidNext: 0 }),
    )
    await at.comes('first')
    await at.comes('second')
    expect(await at.subjects('message.created')).toEqual(['first', 'second'])
  })

  test('with hundreds of folders reports none of them', async () => {
    await using at = await watch({}, (server) => {
      for (let number = 0; number < 210; number++) server.addFolder(`Folder ${number}`)
    })
    await at.comes('first')
    expect(await at.reported('folder.created')).toEqual([])
  })

  test("that temporarily omits a folder's status causes no duplicate reports", async () => {
    let isShut = false
    await using at = await watch(
      {
        script({ name, tag, args }, line) {
          if (!isShut || name !== 'STATUS' || args[0] !== 'Work') return false
          line.say(`${tag} NO [SERVERBUG] Internal error`)
          return true
        },
      },
      (server) => server.addFolder('Work'),
    )
    at.server.add(mimeMessage('at work'), { folder: 'Work' })
    await until(async () => expect(await at.subjects('message.created')).toEqual(['at work']))
    isShut = true
    await at.comes('meanwhile')
    isShut = false
    await at.comes('afterwards')
    expect(await at.subjects('message.created')).toEqual(['at work', 'meanwhile', 'afterwards'])
    expect([...(await at.reported('folder.created')), ...(await at.reported('folder.deleted'))]).toEqual([])
    expect(await at.subjects('message.updated')).toEqual([])
  })
})

describe('many changes at once', () => {
  const many = Array.from({ length: 230 }, (_, number) => `number ${number}`)

  test('are reported completely and once: arrivals, changes and moves', async () => {
    await using at = await watch({})
    await at.comes('first')
    const inbox = at.server.folder('INBOX')
    for (const subject of many) at.server.add(mimeMessage(subject))
    const all = ['first', ...many].toSorted()
    await until(async () => expect((await at.subjects('message.created')).toSorted()).toEqual(all))
    for (const { flags } of inbox.messages) flags.add('\\Seen')
    await until(async () => expect((await at.subjects('message.updated')).toSorted()).toEqual(all))
    expect((await at.reported('message.updated')).every(({ unread }) => unread === false)).toBe(true)
    // As when a folder is renamed: all of it is new, and none of it.
    Object.assign(at.server.addFolder('Elsewhere'), { messages: inbox.messages, uidNext: inbox.uidNext })
    inbox.messages = []
    await until(async () =>
      expect((await at.subjects('message.updated')).toSorted()).toEqual([...all, ...all].toSorted()),
    )
    await at.comes('last')
    expect((await at.subjects('message.created')).toSorted()).toEqual([...all, 'last'].toSorted())
    expect(await at.reported('folder.created')).toMatchObject([{ name: 'Elsewhere' }])
  })

  test('in a folder with a new UIDVALIDITY are reported once', async () => {
    await using at = await watch({})
    await at.comes('first')
    const inbox = at.server.folder('INBOX')
    const [first] = inbox.messages
    Object.assign(inbox, { uidValidity: 2, uidNext: 1, messages: [] })
    at.server.add(first?.source ?? '')
    for (const subject of many) at.server.add(mimeMessage(subject))
    const all = ['first', ...many].toSorted()
    await until(async () => expect((await at.subjects('message.created')).toSorted()).toEqual(all))
    await at.comes('last')
    expect((await at.subjects('message.created')).toSorted()).toEqual([...all, 'last'].toSorted())
    expect(await at.subjects('message.updated')).toEqual([])
  })

  test('in a folder with a new UIDVALIDITY, or in one that the server hides, are no deletions', async () => {
    let isHidden = false
    await using at = await watch(
      {
        script({ name, tag, args }, line) {
          if (name !== 'LIST' || args[1] !== '*' || !isHidden) return false
          line.say('* LIST () "/" INBOX', `${tag} OK done`)
          return true
        },
      },
      (server) => server.addFolder('Work'),
    )
    await subscriber.subscribe(at.key, 'message.deleted')
    at.server.add(mimeMessage('hidden'), { folder: 'Work' })
    for (const subject of ['first', 'second', 'third']) await at.comes(subject)
    const { id } = (await at.reported('message.created')).find(({ subject }) => subject === 'third')
    isHidden = true
    await until(async () => expect(await at.reported('folder.deleted')).toHaveLength(1))
    isHidden = false
    await until(async () => expect((await at.reported('folder.created')).length).toBeGreaterThan(0))
    const inbox = at.server.folder('INBOX')
    const sources = inbox.messages.map(({ source }) => source)
    Object.assign(inbox, { uidValidity: 2, uidNext: 1, messages: [] })
    for (const source of sources.slice(-1)) at.server.add(source)
    await at.comes('fourth')
    expect(await at.reported('message.deleted')).toEqual([])
    inbox.messages.splice(0, 1)
    at.server.tell('* 1 EXPUNGE')
    await until(async () => expect((await at.reported('message.deleted')).map((each) => each.id)).toEqual([id]))
    await at.comes('fifth')
    expect(await at.reported('message.deleted')).toHaveLength(1)
  })
})

describe('mail with an old date', () => {
  const date = new Date(Date.now() - 40 * 86_400_000)
  const old = (server: ScriptedImap, subject: string, folder = 'INBOX') =>
    server.add(mimeMessage(subject), { folder, date })
  const move = (server: ScriptedImap, from: string, to: string): void => {
    const [message] = server.folder(from).messages.splice(0, 1)
    if (message) server.add(message.source, { folder: to, date: message.date })
  }

  test.each([
    ['after it was listed', 'INBOX', 'Work'],
    ['before it was listed', 'Work', 'INBOX'],
  ])('that leaves a folder %s for one that is listed at the same time is not new', async (_, from, to) => {
    let isMoving = false
    await using at = await watch(
      {
        script({ name, args }, __, server) {
          if (!isMoving || name !== 'STATUS' || args[0] !== 'Work') return false
          isMoving = false
          move(server, from, to)
          return false
        },
      },
      (server) => {
        server.addFolder('Work')
        old(server, 'moved', from)
        old(server, 'stays', from)
      },
    )
    await at.comes('first')
    isMoving = true
    await until(() => expect(at.server.folder(to).messages.some(({ source }) => source.includes('moved'))).toBe(true))
    await at.comes('second')
    old(at.server, 'appended', 'Work')
    await until(async () => expect(await at.subjects('message.created')).toContain('appended'))
    expect(await at.subjects('message.created')).toEqual(['first', 'second', 'appended'])
  })

  test('in a new or renumbered folder is not new; mail added there later is', async () => {
    await using at = await watch({}, (server) => server.addFolder('Work'))
    await at.comes('first')
    const shared = at.server.addFolder('Shared')
    for (let number = 0; number < 120; number++) old(at.server, `shared ${number}`, 'Shared')
    await until(async () => expect(await at.reported('folder.created')).toMatchObject([{ name: 'Shared' }]))
    Object.assign(at.server.folder('Work'), { uidValidity: 7, uidNext: 1, messages: [] })
    for (let number = 0; number < 120; number++) old(at.server, `work ${number}`, 'Work')
    await at.comes('second')
    expect(shared.messages).toHaveLength(120)
    old(at.server, 'to shared', 'Shared')
    await until(async () => expect(await at.subjects('message.created')).toContain('to shared'))
    old(at.server, 'to work', 'Work')
    await until(async () => expect(await at.subjects('message.created')).toContain('to work'))
    expect(await at.subjects('message.created')).toEqual(['first', 'second', 'to shared', 'to work'])
  })

  test('by the hundred is reported completely and once, even with UID gaps; when moved, it is not', async () => {
    await using at = await watch({}, (server) => server.addFolder('Work'))
    await at.comes('first')
    const subjects = Array.from({ length: 130 }, (_, number) => `brought ${number}`)
    for (const subject of subjects) {
      old(at.server, subject)
      at.server.folder('INBOX').uidNext += 2
    }
    const all = ['first', ...subjects].toSorted()
    await until(async () => expect((await at.subjects('message.created')).toSorted()).toEqual(all))
    while (at.server.folder('INBOX').messages.length > 0) move(at.server, 'INBOX', 'Work')
    await at.comes('last')
    expect((await at.subjects('message.created')).toSorted()).toEqual([...all, 'last'].toSorted())
  })
})
