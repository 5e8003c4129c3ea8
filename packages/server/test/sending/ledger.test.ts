/**
 * A message is sent once: the ledger on both stores, with nodes that die, freeze and race, and a provider that fails
 * at every step.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { SendFailed } from '@waypost/providers/provider'
import type { Database } from '@waypost/store/engine/database'
import { nodeLeaseMs } from '@waypost/store/tables/applications/nodes'
import { beginSend, claimSend, findSendByMessageId, purgeSends } from '@waypost/store/tables/mail/sends'
import { engines } from '@waypost/testing/engines'
import { executedAgain, sql } from '@waypost/testing/statement'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { mend, openSendingService, type SendingNode, type SendingService } from './fake-mail-server.ts'

const never = new AbortController().signal
const until = (what: () => Promise<void> | void) => vi.waitFor(what, { interval: 25 })
const none = async () => undefined
const live = sql('test.live', 'update nodes set seen_at = $2 where id = $1')

describe.each(engines)('the ledger on %s', (engine) => {
  let clock: TestClock
  let sending: SendingService
  let node: SendingNode
  beforeAll(async () => {
    clock = testClock()
    sending = await openSendingService({ engine, overrides: { clock } })
  })
  afterAll(() => sending[Symbol.asyncDispose]())
  beforeEach(async () => {
    mend(sending.mailServer)
    node = await sending.node()
  })
  afterEach(() => sending.endNodes())
  const database = () => sending.service.services.storage.database
  const takenOf = (id: string) => sending.mailServer.taken.filter(({ messageId }) => messageId.startsWith(id))
  /** Makes a node appear dead: its heartbeat is older than its lease, while the others are current. */
  const die = (dead: SendingNode) => database().run(live, [dead.id, clock.now() - nodeLeaseMs - 1])

  describe('a message of a request', () => {
    test('is sent once with its exact bytes, filed once, and its bytes are deleted', async () => {
      const source = Buffer.concat([Buffer.from('Subject: Large\r\n\r\n'), randomBytes(900_000)])
      const first = sending.newSend()
      const send = await sending.accept(node, { ...first, mail: { ...first.mail, source } })
      expect(await sending.pieces(send.id)).toBe(4)
      expect(await sending.row(send.id)).toMatchObject({ state: 'accepted', owner: node.id, tries: 0 })
      const outcome = await node.sender.sendAccepted(send, never)
      expect(outcome).toEqual({ state: 'sent', messageId: `id-${send.mail.messageId}` })
      const [taken] = takenOf(send.id)
      expect(takenOf(send.id)).toHaveLength(1)
      expect(taken).toMatchObject({ from: 'sender@example.com', recipients: ['ann@example.com', 'bob@example.com'] })
      expect(source.equals(taken?.source ?? Buffer.alloc(0))).toBe(true)
      expect(sending.mailServer.filed).toBe(1)
      expect(await sending.row(send.id)).toMatchObject({ state: 'sent', filing: 'done', next_at: null, owner: null })
      expect(await sending.pieces(send.id)).toBe(0)
    })

    test('is accepted once under an id, and answered from the ledger the second time', async () => {
      const send = await sending.accept(node)
      const again = { ...send, mail: { ...send.mail, messageId: 'other@example.com' } }
      expect(await database().transaction((tx) => node.ledger.accept(tx, again))).toBe(undefined)
      await node.sender.sendAccepted(send, never)
      expect(await node.sender.sendAccepted(send, never)).toMatchObject({ state: 'sent' })
      const other = await sending.node()
      expect(await other.sender.sendAccepted(send, never)).toMatchObject({ state: 'sent' })
      expect(sending.mailServer.taken.map(({ messageId }) => messageId)).toEqual([send.mail.messageId])
    })

    test('is transmitted once for concurrent requests', async () => {
      const send = await sending.accept(node)
      const others = [node, await sending.node(), await sending.node()]
      const requested = Array.from({ length: 50 }, (_, index) =>
        (others[index % 3] ?? node).sender.sendAccepted(send, never),
      )
      const outcomes = await Promise.all(requested)
      expect(new Set(outcomes.map(({ state }) => state))).toEqual(new Set(['sent']))
      expect(takenOf(send.id)).toHaveLength(1)
    })

    test('is recorded when transmission begins, and settled together with its copy: two transactions', async () => {
      const send = sending.newSend()
      const ran = (name: string) => database().figures.statements().get(name)?.count ?? 0
      const names = ['sends.add', 'sends.begin', 'sends.settle', 'sends.filed'] as const
      const before = names.map(ran)
      sending.mailServer.send = async (message, begin) => {
        await expect(sending.row(send.id)).rejects.toThrow('no such send')
        await begin()
        expect(await sending.row(send.id)).toMatchObject({ state: 'transmitting', owner: node.id, tries: 1 })
        expect(await sending.pieces(send.id)).toBe(1)
        return sending.mailServer.take(message)
      }
      const outcome = await node.sender.acceptAndSend({ send, keep: none }, never)
      expect(outcome).toMatchObject({ state: 'sent', messageId: `id-${send.mail.messageId}` })
      expect(names.map((name, index) => ran(name) - (before[index] ?? 0))).toEqual([1, 0, 1, 0])
      expect(await sending.row(send.id)).toMatchObject({ state: 'sent', filing: 'done', tries: 1, next_at: null })
      expect(await sending.pieces(send.id)).toBe(0)
      // The same id again is answered from the ledger.
      const again = [1, 2].map(() => node.sender.acceptAndSend({ send, keep: none }, never))
      for (const one of await Promise.all(again)) expect(one).toMatchObject({ state: 'sent' })
      expect(takenOf(send.id)).toHaveLength(1)
    })

    test('is sent once for concurrent requests, also on several nodes', async () => {
      const send = sending.newSend()
      const others = [node, await sending.node(), await sending.node()]
      const brought = Array.from({ length: 12 }, (_, index) =>
        (others[index % 3] ?? node).sender.acceptAndSend({ send, keep: none }, never),
      )
      for (const one of await Promise.all(brought)) expect(one).toMatchObject({ state: 'sent' })
      expect(takenOf(send.id)).toHaveLength(1)
    })

    test('is settled before its copy if filing takes longer; the copy is filed later', async () => {
      const filing = Promise.withResolvers<void>()
      const { file } = sending.mailServer
      sending.mailServer.file = async (message) => {
        await filing.promise
        return file(message)
      }
      const send = sending.newSend()
      const outcome = node.sender.acceptAndSend({ send, keep: none }, never)
      await until(async () => expect(await sending.row(send.id)).toMatchObject({ state: 'sent', filing: 'pending' }))
      expect(await sending.pieces(send.id)).toBe(1)
      filing.resolve()
      expect(await outcome).toMatchObject({ state: 'sent' })
      await until(async () => expect(await sending.row(send.id)).toMatchObject({ filing: 'done', next_at: null }))
      expect(await sending.pieces(send.id)).toBe(0)
      expect(sending.mailServer.filed).toBe(1)
    })

    test("is not claimed by its own node's worker while the request sends it", async () => {
      node.work()
      sending.mailServer.send = async (message, begin) => {
        await begin()
        const polled = executedAgain(database(), 'sends.due')
        node.sender.wake()
        await polled
        return sending.mailServer.take(message)
      }
      const sends = Array.from({ length: 30 }, () => sending.newSend())
      const outcomes = await Promise.all(sends.map((send) => node.sender.acceptAndSend({ send, keep: none }, never)))
      expect(outcomes.map(({ state }) => state)).toEqual(sends.map(() => 'sent'))
      for (const { id } of sends) {
        expect(takenOf(id)).toHaveLength(1)
        expect(await sending.row(id)).toMatchObject({ tries: 1 })
      }
    })

    test('that could not be recorded is not sent, and may be submitted again', async () => {
      const send = sending.newSend()
      const keep = async () => Promise.reject(new Error('the store is full'))
      await expect(node.sender.acceptAndSend({ send, keep }, never)).rejects.toThrow('the store is full')
      expect(takenOf(send.id)).toEqual([])
      await expect(sending.row(send.id)).rejects.toThrow('no such send')
      expect(await node.sender.acceptAndSend({ send, keep: none }, never)).toMatchObject({ state: 'sent' })
      expect(takenOf(send.id)).toHaveLength(1)
    })

    test('that was refused before transmission is recorded as failed, in one transaction', async () => {
      sending.mailServer.send = async () => {
        throw new SendFailed('550 no such user', { permanent: true, status: 550 })
      }
      const send = sending.newSend()
      const outcome = await node.sender.acceptAndSend({ send, keep: none }, never)
      expect(outcome).toMatchObject({ state: 'failed', error: { code: 'send_refused' } })
      expect(await sending.row(send.id)).toMatchObject({ state: 'failed', owner: null, next_at: null, tries: 1 })
      expect(await sending.pieces(send.id)).toBe(0)
      expect(await node.sender.sendAccepted(send, never)).toMatchObject({ error: { code: 'send_refused' } })
    })

    test('of a node that died before transmission leaves nothing, and is sent when submitted again', async () => {
      const reached = Promise.withResolvers<void>()
      const usual = sending.mailServer.send
      sending.mailServer.send = () => {
        reached.resolve()
        return new Promise(() => undefined)
      }
      const dead = await sending.node()
      const send = sending.newSend()
      void dead.sender.acceptAndSend({ send, keep: none }, never)
      await reached.promise
      await expect(sending.row(send.id)).rejects.toThrow('no such send')
      await die(dead)
      sending.mailServer.send = usual
      expect(await node.sender.acceptAndSend({ send, keep: none }, never)).toMatchObject({ state: 'sent' })
      expect(takenOf(send.id)).toHaveLength(1)
    })

    test('whose acceptance was rolled back does not exist', async () => {
      const send = sending.newSend()
      const rolledBack = database().transaction(async (tx) => {
        await node.ledger.accept(tx, send)
        throw new Error('the request failed')
      })
      await expect(rolledBack).rejects.toThrow('the request failed')
      await expect(node.sender.sendAccepted(send, never)).rejects.toThrow(/no message with this id/)
      expect(await sending.pieces(send.id)).toBe(0)
    })

    test.for<[what: string, failure: () => unknown, code: string, status: number]>([
      [
        'a refusal for good',
        () => new SendFailed('550 no such user', { permanent: true, status: 550 }),
        'send_refused',
        402,
      ],
      ['a refusal for now', () => new SendFailed('451 try later', { status: 451 }), 'provider_unreachable', 503],
      ['a server that is not there', () => new SendFailed('could not connect'), 'provider_unreachable', 503],
      ['a failure that nobody foresaw', () => new Error('oops'), 'internal_error', 500],
    ])('fails at once with %s before it begins', async ([, failure, code, status]) => {
      sending.mailServer.send = async () => {
        throw failure()
      }
      const send = await sending.accept(node)
      const outcome = await node.sender.sendAccepted(send, never)
      expect(outcome).toMatchObject({ state: 'failed', error: { code, status } })
      // A repeated request gets the same outcome, and nothing is retried.
      expect(await node.sender.sendAccepted(send, never)).toMatchObject({ state: 'failed', error: { code } })
      expect(await sending.row(send.id)).toMatchObject({ state: 'failed', tries: 1, next_at: null })
      expect(await sending.pieces(send.id)).toBe(0)
    })

    test.for([true, false])(
      'fails temporarily if the server says 4xx, before or after it begins: begun %s',
      async (begun) => {
        sending.mailServer.send = async (_, begin) => {
          if (begun) await begin()
          throw new SendFailed('the server refused the message: 451 try later', { status: 451 })
        }
        const send = await sending.accept(node)
        const outcome = await node.sender.sendAccepted(send, never)
        const providerError = { status: 451, message: 'the server refused the message: 451 try later' }
        const error = { code: 'provider_unreachable', status: 503, details: { providerError } }
        expect(outcome).toMatchObject({ state: 'failed', error })
      },
    )

    test("passes on the provider's error", async () => {
      sending.mailServer.send = async (_, begin) => {
        await begin()
        throw new SendFailed('the server refused the message: 554 spam', { permanent: true, status: 554 })
      }
      const send = await sending.accept(node)
      await node.sender.sendAccepted(send, never)
      const outcome = await node.sender.sendAccepted(send, never)
      const providerError = { status: 554, message: 'the server refused the message: 554 spam' }
      expect(outcome).toMatchObject({ state: 'failed', error: { code: 'send_refused', details: { providerError } } })
    })

    test('is not sent if its request ends before transmission', async () => {
      const request = new AbortController()
      sending.mailServer.send = async (message, begin) => {
        request.abort()
        await begin()
        return sending.mailServer.take(message)
      }
      const send = await sending.accept(node)
      const outcome = await node.sender.sendAccepted(send, request.signal)
      expect(outcome).toMatchObject({ state: 'failed', error: { code: 'deadline_exceeded' } })
      expect(takenOf(send.id)).toEqual([])
    })

    test('is sent and its outcome recorded if its request ends after transmission began', async () => {
      const request = new AbortController()
      const going = Promise.withResolvers<void>()
      sending.mailServer.send = async (message, begin) => {
        await begin()
        request.abort()
        await going.promise
        return sending.mailServer.take(message)
      }
      const send = await sending.accept(node)
      const outcome = node.sender.sendAccepted(send, request.signal)
      await until(async () => expect(await sending.row(send.id)).toMatchObject({ state: 'transmitting' }))
      going.resolve()
      expect(await outcome).toMatchObject({ state: 'sent' })
      expect(await node.sender.sendAccepted(send, never)).toMatchObject({ state: 'sent' })
      expect(takenOf(send.id)).toHaveLength(1)
    })

    test('that was never begun is sent by a worker once its node is dead', async () => {
      const dead = await sending.node()
      const send = await sending.accept(dead)
      node.work()
      await node.polled()
      expect(takenOf(send.id)).toEqual([])
      await die(dead)
      await until(async () => expect(await sending.row(send.id)).toMatchObject({ state: 'sent' }))
      expect(takenOf(send.id)).toHaveLength(1)
    })
  })

  describe('a message of a dead node', () => {
    const claimedBy = async (dead: SendingNode) => {
      const send = await sending.accept(dead)
      const attempt = randomUUID()
      await claimSend(database(), send, { node: dead.id, now: clock.now(), attempt })
      return { send, attempt }
    }

    test('is sent by another node if it was only claimed', async () => {
      const dead = await sending.node()
      const { send, attempt } = await claimedBy(dead)
      node.work()
      await node.polled()
      expect(await sending.row(send.id)).toMatchObject({ state: 'claimed', attempt })
      await die(dead)
      await until(async () => expect(await sending.row(send.id)).toMatchObject({ state: 'sent', tries: 2 }))
      expect(takenOf(send.id)).toHaveLength(1)
    })

    test('is never sent again once transmission began: it is found in the sent folder, or reported as unknown', async () => {
      const dead = await sending.node()
      const [found, missing] = [await claimedBy(dead), await claimedBy(dead)]
      for (const { send, attempt } of [found, missing]) await beginSend(database(), send, attempt, clock.now())
      sending.mailServer.sentMail.set(found.send.mail.messageId, 'found')
      await die(dead)
      node.work()
      await until(async () =>
        expect(await sending.row(found.send.id)).toMatchObject({ state: 'sent', provider_id: 'found' }),
      )
      await until(async () => expect(await sending.row(missing.send.id)).toMatchObject({ state: 'unknown' }))
      expect(await node.sender.sendAccepted(missing.send, never)).toEqual({ state: 'unknown' })
      expect(await sending.pieces(missing.send.id)).toBe(1)
      clock.advance(299_000)
      await node.beat()
      await node.polled()
      expect(await sending.row(missing.send.id)).toMatchObject({ state: 'unknown' })
      clock.advance(2_000)
      await node.beat()
      await until(async () => expect(await sending.row(missing.send.id)).toMatchObject({ state: 'failed' }))
      const outcome = await node.sender.sendAccepted(missing.send, never)
      expect(outcome).toMatchObject({ state: 'failed', error: { code: 'outcome_unknown', status: 504 } })
      expect(sending.mailServer.taken).toEqual([])
      expect(sending.mailServer.filed).toBe(0)
      expect(await sending.pieces(missing.send.id)).toBe(0)
    })

    test('is searched for again at a whole millisecond, however long ago it began', async () => {
      const dead = await sending.node()
      const lost = [await claimedBy(dead), await claimedBy(dead), await claimedBy(dead)]
      for (const [index, { send, attempt }] of lost.entries())
        await beginSend(database(), send, attempt, clock.now() - 4_001 - index)
      await die(dead)
      const before = sending.service.logs().length
      node.work()
      for (const { send } of lost) {
        await until(async () => expect((await sending.row(send.id)).next_at).toBeGreaterThan(clock.now()))
        expect(await sending.row(send.id)).toMatchObject({ state: 'unknown', owner: null })
        expect(Number.isInteger((await sending.row(send.id)).next_at)).toBe(true)
      }
      expect(sending.service.logs().slice(before)).not.toContain('recovery of a message failed')
    })

    test('is retried after a delay when the search fails, without a log entry each time', async () => {
      const dead = await sending.node()
      const { send, attempt } = await claimedBy(dead)
      await beginSend(database(), send, attempt, clock.now())
      await die(dead)
      let broken = true
      let polls = 0
      const failing: Database = {
        ...database(),
        run: async (statement, parameters) => {
          const isIt = statement.name === 'sends.lookAgain' && parameters?.[1] === send.id
          if (broken && isIt) throw new Error(`not written ${++polls}`)
          return database().run(statement, parameters)
        },
      }
      const before = sending.service.logs().length
      const reported = () => sending.service.logs().slice(before).split('recovery of a message failed').length - 1
      const troubled = await sending.node({ database: failing })
      troubled.work()
      await until(() => expect(polls).toBe(1))
      await troubled.polled(6)
      expect([polls, reported()]).toEqual([1, 1])
      for (const [rest, total] of [
        [1_000, 2],
        [2_000, 3],
        [4_000, 4],
      ] as const) {
        clock.advance(rest)
        await troubled.beat()
        await until(() => expect(polls).toBe(total))
      }
      expect(reported()).toBe(3)
      broken = false
      clock.advance(8_000)
      await troubled.beat()
      await until(async () => expect((await sending.row(send.id)).next_at).toBeGreaterThan(clock.now()))
    })

    test('is taken over by a repeated request', async () => {
      const dead = await sending.node()
      const { send } = await claimedBy(dead)
      const waiting = node.sender.sendAccepted(send, never)
      await node.executed('sends.read', 3)
      expect(takenOf(send.id)).toEqual([])
      await die(dead)
      expect(await waiting).toMatchObject({ state: 'sent' })
      expect(takenOf(send.id)).toHaveLength(1)
    })
  })

  test('a node that was frozen before transmission, while another node sent the message, sends nothing', async () => {
    const frozen = await sending.node()
    const thawed = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    let requested = 0
    sending.mailServer.send = async (message, begin) => {
      if (++requested === 1) {
        reached.resolve()
        await thawed.promise
      }
      await begin()
      return sending.mailServer.take(message)
    }
    const send = await sending.accept(frozen)
    const late = frozen.sender.sendAccepted(send, never)
    await reached.promise
    await die(frozen)
    node.work()
    await until(async () => expect(await sending.row(send.id)).toMatchObject({ state: 'sent' }))
    thawed.resolve()
    expect(await late).toMatchObject({ state: 'sent' })
    expect(requested).toBe(2)
    expect(takenOf(send.id)).toHaveLength(1)
  })

  test('a node that was frozen during transmission reports the outcome although it was considered dead', async () => {
    const frozen = await sending.node()
    const thawed = Promise.withResolvers<void>()
    sending.mailServer.send = async (message, begin) => {
      await begin()
      await thawed.promise
      return sending.mailServer.take(message)
    }
    const send = await sending.accept(frozen)
    const late = frozen.sender.sendAccepted(send, never)
    await until(async () => expect(await sending.row(send.id)).toMatchObject({ state: 'transmitting' }))
    await die(frozen)
    node.work()
    await until(async () => expect(await sending.row(send.id)).toMatchObject({ state: 'unknown' }))
    thawed.resolve()
    await late
    await until(async () => expect(await sending.row(send.id)).toMatchObject({ state: 'sent', filing: 'done' }))
    expect(takenOf(send.id)).toHaveLength(1)
    expect(sending.mailServer.filed).toBe(1)
  })

  describe('a message that may have been sent', () => {
    const lost = async (): Promise<never> => {
      throw new SendFailed('the server closed the connection', { maybeSent: true })
    }
    const loseIt = async (more: Partial<Parameters<SendingService['node']>[0]> = {}) => {
      const worker = await sending.node({ quarantineMs: 1_500, ...more })
      sending.mailServer.send = async (_, begin) => {
        await begin()
        return lost()
      }
      const send = await sending.accept(worker)
      expect(await worker.sender.sendAccepted(send, never)).toEqual({ state: 'unknown' })
      return { worker, send }
    }

    test('becomes sent once it is found', async () => {
      const { worker, send } = await loseIt()
      worker.work()
      sending.mailServer.sentMail.set(send.mail.messageId, 'there')
      await until(async () => expect(await sending.row(send.id)).toMatchObject({ state: 'sent', filing: 'done' }))
      expect(await worker.sender.sendAccepted(send, never)).toEqual({ state: 'sent', messageId: 'there' })
      expect(sending.mailServer.filed).toBe(0)
    })

    test('is sent again only if the operator chose so', async () => {
      const { worker, send } = await loseIt({ onUnknown: 'resend' })
      const { find } = mend(sending.mailServer)
      const requested = vi.fn(find)
      sending.mailServer.find = requested
      worker.work()
      await until(() => expect(requested).toHaveBeenCalled())
      expect(takenOf(send.id)).toEqual([])
      clock.advance(2_000)
      await worker.beat()
      await until(async () => expect(await sending.row(send.id)).toMatchObject({ state: 'sent' }))
      expect(takenOf(send.id)).toHaveLength(1)
    })

    test('is not reported as failed while the sent folder cannot be searched', async () => {
      const { worker, send } = await loseIt()
      const requested = vi.fn(async () => {
        throw new Error('the mailbox cannot be reached')
      })
      sending.mailServer.find = requested
      worker.work()
      await until(() => expect(requested).toHaveBeenCalled())
      clock.advance(60_000)
      await worker.beat()
      await until(() => expect(requested.mock.calls.length).toBeGreaterThan(1))
      expect(await sending.row(send.id)).toMatchObject({ state: 'unknown' })
      sending.mailServer.find = async () => 'there after all'
      clock.advance(60_000)
      await worker.beat()
      await until(async () => expect(await sending.row(send.id)).toMatchObject({ state: 'sent' }))
    })
  })

  test('the outcome of a message is recorded when the store is back', async () => {
    const failing = await sending.node()
    let down = true
    const ledger = {
      ...failing.ledger,
      settle: vi.fn(async (...args: Parameters<typeof failing.ledger.settle>) => {
        if (down) throw new Error('the store is gone')
        return failing.ledger.settle(...args)
      }),
    }
    const worker = await sending.node({ ledger })
    const send = await sending.accept(worker)
    const outcome = worker.sender.sendAccepted(send, never)
    await until(() => expect(ledger.settle).toHaveBeenCalled())
    expect(await sending.row(send.id)).toMatchObject({ state: 'transmitting' })
    down = false
    expect(await outcome).toMatchObject({ state: 'sent' })
    expect(takenOf(send.id)).toHaveLength(1)
  })

  describe('the copy in the sent folder', () => {
    test('is retried until it is filed; the message stays sent and is not sent again', async () => {
      const file = vi.fn(async () => {
        throw new Error('over quota')
      })
      sending.mailServer.file = file
      const send = await sending.accept(node)
      expect(await node.sender.sendAccepted(send, never)).toMatchObject({ state: 'sent' })
      await until(async () => expect(await sending.row(send.id)).toMatchObject({ filing: 'pending', filing_tries: 1 }))
      expect(await sending.pieces(send.id)).toBe(1)
      mend(sending.mailServer)
      node.work()
      clock.advance(6_000)
      await node.beat()
      await until(async () => expect(await sending.row(send.id)).toMatchObject({ filing: 'done', next_at: null }))
      expect(file).toHaveBeenCalledTimes(1)
      expect(sending.mailServer.sentMail.has(send.mail.messageId)).toBe(true)
      expect(takenOf(send.id)).toEqual([])
      expect(await sending.pieces(send.id)).toBe(0)
    })

    test('is filed by another node if the sending node died', async () => {
      const dead = await sending.node()
      const { file } = sending.mailServer
      sending.mailServer.file = () => new Promise(() => undefined)
      const send = await sending.accept(dead)
      void dead.sender.sendAccepted(send, never)
      await until(async () => expect(await sending.row(send.id)).toMatchObject({ state: 'sent', filing: 'pending' }))
      node.work()
      await node.polled()
      expect(sending.mailServer.sentMail.has(send.mail.messageId)).toBe(false)
      sending.mailServer.file = file
      await die(dead)
      await until(async () => expect(await sending.row(send.id)).toMatchObject({ filing: 'done' }))
      expect(sending.mailServer.sentMail.has(send.mail.messageId)).toBe(true)
      expect(takenOf(send.id)).toHaveLength(1)
    })

    test('is abandoned after a day', async () => {
      sending.mailServer.file = async () => {
        throw new Error('no such folder')
      }
      const send = await sending.accept(node)
      await node.sender.sendAccepted(send, never)
      node.work()
      clock.advance(86_400_001)
      await node.beat()
      await until(async () => expect(await sending.row(send.id)).toMatchObject({ filing: 'given_up', next_at: null }))
      expect(await sending.pieces(send.id)).toBe(0)
    })
  })

  test('a message is found by its Message-ID only within its own grant and application, until it is purged', async () => {
    const send = await sending.accept(node)
    await node.sender.sendAccepted(send, never)
    const { messageId } = send.mail
    const { seals } = sending.service.services.storage
    const other = await sending.service.createGrant(`${randomUUID()}@example.com`, sending.key)
    expect(await findSendByMessageId(database(), send, messageId, seals)).toMatchObject({ id: send.id, state: 'sent' })
    for (const elsewhere of [{ grantId: other.id }, { applicationId: randomUUID() }]) {
      expect(await findSendByMessageId(database(), { ...send, ...elsewhere }, messageId, seals)).toBeUndefined()
    }
    const closed = (await sending.row(send.id)).closed_at ?? 0
    while (await purgeSends(database(), closed));
    expect(await findSendByMessageId(database(), send, messageId, seals)).toMatchObject({ id: send.id })
    expect(await purgeSends(database(), closed + 1)).toBe(true)
    expect(await findSendByMessageId(database(), send, messageId, seals)).toBeUndefined()
  })

  test('messages are deleted with their grant', async () => {
    const grant = await sending.service.createGrant(`${randomUUID()}@example.com`, sending.key)
    const send = await sending.accept(node, { grantId: grant.id })
    await sending.service.call('DELETE', `/v3/grants/${grant.id}`, { key: sending.key })
    await expect(sending.row(send.id)).rejects.toThrow('no such send')
    expect(await sending.pieces(send.id)).toBe(0)
  })
})
