/** Unsolicited responses about folders (NOTIFY) cause notifications at once, whenever they arrive. */
import { randomUUID } from 'node:crypto'
import { createEgress } from '@waypost/platform/egress/egress'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import type { MailServer } from '@waypost/testing/peers/mail-server'
import { type ScriptedImap, type ScriptedOptions, startScriptedImap } from '@waypost/testing/peers/scripted-imap'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Call, expectStatus, type Json } from '../../conformance/accounts.ts'
import { openService, type TestService } from '../../harness.ts'

/**
 * With NOTIFY a watcher polls only every four minutes, so a notification within this time is due to an unsolicited
 * response.
 */
const until = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { interval: 50 })
const patience = { timeout: 90_000 }

const mimeMessage = (subject: string): string =>
  `From: ada@example.com\r\nSubject: ${subject}\r\nDate: ${new Date().toUTCString()}\r\nMessage-ID: <${randomUUID()}@example.com>\r\n\r\nText\r\n`

let service: TestService
let dovecot: MailServer
beforeAll(async () => {
  dovecot = await sharedDovecot()
  const egress = createEgress({ mode: 'private', ca: [dovecot.ca], trustLoopback: true })
  service = await openService({ env: { WAYPOST_POLL_SECONDS: '3600' }, overrides: { egress, serving: true } })
  await service.listen()
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await dovecot?.[Symbol.asyncDispose]()
})

async function watchAccount(named: object) {
  const { key } = await service.createApplication()
  const call: Call = (method, path, rest) => service.call(method, path, { key, ...rest })
  expectStatus(await call('POST', '/v3/connectors', { body: { provider: 'imap' } }), 201)
  const body = { provider: 'imap', settings: { imap_host: 'localhost', ...named } }
  const { id } = expectStatus(await call('POST', '/v3/connect/custom', { body }), 201).body.data
  return {
    async reported(): Promise<string[]> {
      const found: string[] = []
      for (let token = ''; ; ) {
        const { body } = expectStatus(await call('GET', `/v3/notifications?limit=200${token}`), 200)
        const created = body.data.filter(({ type }: Json) => type === 'message.created')
        found.push(...created.map(({ data }: Json) => data.object.subject))
        if (body.data.length < 200 || !body.next_cursor) return found
        token = `&page_token=${body.next_cursor}`
      }
    },
    async reportedOfFolders(): Promise<string[]> {
      const { body } = expectStatus(await call('GET', '/v3/notifications?limit=200'), 200)
      const found = body.data.filter(({ type }: Json) => type.startsWith('folder.'))
      return found.map(({ type, data }: Json) => `${type} ${data.object.name}`)
    },
    end: () => call('DELETE', `/v3/grants/${id}`),
  }
}

describe('unsolicited responses', () => {
  /** A watched account whose server supports NOTIFY and waits in IDLE. */
  async function watch(options: ScriptedOptions) {
    const server = await startScriptedImap({
      capabilities: ['UIDPLUS', 'IDLE', 'NOTIFY'],
      ...options,
      script(command, line, self) {
        if (command.name !== 'NOTIFY') return options.script?.(command, line, self)
        line.say(`${command.tag} OK done`)
        return true
      },
    })
    for (const name of ['Work', 'Zoo']) server.addFolder(name)
    const named = { imap_username: 'mira@mail.test', imap_password: 'secret', imap_port: server.port }
    const account = await watchAccount(named)
    await until(() => expect(server.count('IDLE')).toBeGreaterThan(0))
    return {
      server,
      async wake(): Promise<void> {
        server.add(mimeMessage('first'))
        server.tell(`* ${server.folder('INBOX').messages.length} EXISTS`)
      },
      reportedOfFolders: account.reportedOfFolders,
      expectReported: (...subjects: (string | (() => void))[]) =>
        until(async () => {
          for (const say of subjects) if (typeof say === 'function') say()
          const expected = subjects.filter((subject) => typeof subject === 'string')
          expect((await account.reported()).toSorted()).toEqual(expected.toSorted())
        }),
      async [Symbol.asyncDispose]() {
        await account.end()
        await server[Symbol.asyncDispose]()
      },
    }
  }

  const statusOf = (server: ScriptedImap, path: string): string => {
    const { messages, uidNext } = server.folder(path)
    return `* STATUS ${path} (MESSAGES ${messages.length} UNSEEN ${messages.length} UIDNEXT ${uidNext} UIDVALIDITY 1)`
  }

  test('that arrive during a listing are not mistaken for a part of it', patience, async () => {
    let isArmed = false
    await using at = await watch({
      capabilities: ['UIDPLUS', 'IDLE', 'NOTIFY', 'LIST-STATUS'],
      script({ name, tag, line: whole }, line, server) {
        if (name !== 'LIST' || !whole.includes('RETURN')) return false
        const paths = server.folders.map(({ path }) => path)
        line.say(...paths.flatMap((path) => [`* LIST () "/" ${path}`, statusOf(server, path)]))
        if (isArmed) {
          server.add(mimeMessage('second'), { folder: 'Work' })
          line.say('* STATUS Work (MESSAGES 1 UIDNEXT 2)')
          isArmed = false
        }
        line.say(`${tag} OK done`)
        return true
      },
    })
    isArmed = true
    await at.wake()
    await at.expectReported('first', 'second')
  })

  test(
    'about a folder that is being renamed, and that a listing omits, are reported as a rename',
    patience,
    async () => {
      let listings = 0
      await using at = await watch({
        script({ name, tag, args }, line, server) {
          if (name !== 'LIST' || args[1] !== '*') return false
          listings += 1
          // An empty folder is recognized by its UIDVALIDITY.
          for (const folder of server.folders) if (folder.path === 'Zoo') folder.uidValidity = 7
          const paths = server.folders.map(({ path }) => path).filter((path) => path !== 'Farm' || listings > 1)
          line.say(...paths.map((path) => `* LIST () "/" ${path}`), `${tag} OK done`)
          return true
        },
      })
      at.server.folder('Zoo').path = 'Farm'
      listings = 0
      await at.wake()
      await at.expectReported('first')
      expect(await at.reportedOfFolders()).toEqual(['folder.updated Farm'])
    },
  )

  test(
    'about one folder that arrive during a request for another are not mistaken for its result',
    patience,
    async () => {
      let isArmed = false
      await using at = await watch({
        script({ name, args }, line, server) {
          if (!isArmed || name !== 'STATUS' || args[0] !== 'Zoo') return false
          isArmed = false
          for (const subject of ['second', 'third']) server.add(mimeMessage(subject), { folder: 'Work' })
          line.say(statusOf(server, 'Work'))
          return false
        },
      })
      isArmed = true
      await at.wake()
      await at.expectReported('first', 'second', 'third')
      at.server.add(mimeMessage('fourth'), { folder: 'Zoo' })
      // Repeated, because only a waiting watcher receives it.
      await at.expectReported(() => at.server.tell(statusOf(at.server, 'Zoo')), 'first', 'second', 'third', 'fourth')
    },
  )

  test.each(['SELECT', 'UID FETCH'])('are not lost if mail arrives during %s of its folder', patience, async (when) => {
    let isArmed = false
    await using at = await watch({
      script({ name }, line, server) {
        const isThere = name === 'SELECT' || line.selected?.path === 'Work'
        if (!isArmed || name !== when || !isThere) return false
        isArmed = false
        server.add(mimeMessage('third'), { folder: 'Work' })
        return false
      },
    })
    at.server.add(mimeMessage('second'), { folder: 'Work' })
    isArmed = true
    await at.wake()
    await at.expectReported('first', 'second', 'third')
  })
})

test(
  'mail in many folders is reported as it arrives, while another client works in all of them',
  patience,
  async () => {
    const { user, password } = await dovecot.addUser()
    const other = await dovecot.client(user)
    const folders = Array.from({ length: 8 }, (_, number) => `Folder ${number}`)
    for (const folder of folders) await other.mailboxCreate(folder)
    const named = { imap_username: user, imap_password: password, imap_port: dovecot.imapsPort }
    const account = await watchAccount(named)
    await dovecot.deliver(user, mimeMessage('begin'))
    await until(async () => expect(await account.reported()).toEqual(['begin']))
    let isBusy = true
    const work = (async () => {
      while (isBusy) {
        for (const folder of ['INBOX', ...folders]) {
          await other.mailboxOpen(folder)
          if (other.mailbox && other.mailbox.exists > 0) await other.messageFlagsAdd('1:*', ['\\Seen'])
          await other.status('INBOX', { messages: true, unseen: true })
        }
      }
    })()
    const sent = ['begin']
    for (let round = 0; round < 5; round++) {
      for (const folder of folders) {
        const subject = `${folder} ${round}`
        await dovecot.deliver(user, mimeMessage(subject), { folder })
        sent.push(subject)
      }
      await until(async () => expect((await account.reported()).toSorted()).toEqual(sent.toSorted()))
    }
    isBusy = false
    await work
    other.close()
    await account.end()
  },
)
