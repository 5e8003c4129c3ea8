/** How APPEND is written to a server. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createEgress } from '@waypost/platform/egress/egress'
import { afterAll, expect, test } from 'vitest'
import { connect } from '../../src/imap/client/connect.ts'

const egress = createEgress({ mode: 'private' })
afterAll(() => egress[Symbol.asyncDispose]())

const content = Buffer.from(`Subject: x\r\n\r\n${'Grüße\r\n'.repeat(2_000)}`)

/** What a server receives for an APPEND, and whether the client waited for permission. */
async function append(capabilities: string): Promise<{ heard: string; isRequested: boolean }> {
  let heard = ''
  let isRequested = false
  const server = createServer((socket) => {
    socket.write(`* OK [CAPABILITY IMAP4rev1 UIDPLUS${capabilities}] ready\r\n`)
    let tag = ''
    socket.on('data', (bytes) => {
      const text = bytes.toString('latin1')
      const command = /^(\S+) (?:UID )?(\w+)/.exec(text)
      if (tag === '' && command?.[2] !== 'APPEND') {
        socket.write(`${command?.[1]} OK done\r\n`)
        return
      }
      if (tag === '') tag = command?.[1] ?? ''
      heard += text
      if (/\{\d+\}\r\n$/.test(text)) {
        isRequested = true
        socket.write('+ go on\r\n')
      } else if (heard.includes(content.toString('latin1')) && heard.endsWith('\r\n\r\n'))
        socket.write(`${tag} OK [APPENDUID 1 7] done\r\n`)
    })
    socket.on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const account = { host: '127.0.0.1', port, security: 'none' as const, auth: { user: 'ann', password: 'secret' } }
  const signal = AbortSignal.timeout(20_000)
  const { client } = await connect(account, { resolve: egress.resolvePublic, secure: egress.secure, signal })
  expect(await client.append('Sent mail', content, ['\\Seen'], new Date(0))).toMatchObject({ uid: 7 })
  client.close()
  server.close()
  return { heard, isRequested }
}

const body = content.toString('latin1')
const commandOf = (literal: string): RegExp =>
  new RegExp(`^\\w+ APPEND "Sent mail" \\(\\\\Seen\\) "[^"]+" \\{${content.length}${literal}\\}\r\n`)

test('a server with LITERAL+ gets command and message in one piece', async () => {
  const { heard, isRequested } = await append(' LITERAL+')
  expect(isRequested).toBe(false)
  expect(heard).toMatch(commandOf('\\+'))
  expect(heard.slice(heard.indexOf('\r\n') + 2)).toBe(`${body}\r\n`)
})

test.for(['', ' LITERAL-'])(
  'a server with the capabilities "%s" gives permission before the message is sent',
  async (capabilities) => {
    const { heard, isRequested } = await append(capabilities)
    expect(isRequested).toBe(true)
    expect(heard).toMatch(commandOf(''))
    expect(heard.slice(heard.indexOf('\r\n') + 2)).toBe(`${body}\r\n`)
  },
)
