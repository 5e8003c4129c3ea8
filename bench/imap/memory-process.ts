/** In a separate process: opens a number of idle grants or bare sockets, then reports their cost. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import tls from 'node:tls'
import type { Mailbox } from '@waypost/testing/peers/mail-server'
import { connectGrant, type MailPlace, openMailNode } from './mailbox.ts'

export interface IdleWork {
  kind: 'grants' | 'sockets'
  server: MailPlace
  boxes: Mailbox[]
}

/** In bytes. */
export interface Memory {
  used: number
  rss: number
}

async function report(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    globalThis.gc?.()
    await sleep(100)
  }
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage()
  const memory: Memory = { used: heapUsed + external + arrayBuffers, rss }
  process.send?.(memory)
}

async function holdGrants({ server, boxes }: IdleWork): Promise<void> {
  await using node = await openMailNode(server, 'api,worker')
  await node.listen()
  await node.call('POST', '/v3/connectors', { provider: 'imap' })
  for (const box of boxes) await connectGrant(node, server, { box, watch: true })
  for (const until = performance.now() + 120_000; performance.now() < until; await sleep(200)) {
    if (node.services.accounts.watcher.size >= boxes.length) break
  }
  await sleep(5_000)
  await report()
}

async function holdSockets({ server, boxes }: IdleWork): Promise<void> {
  const sockets = await Promise.all(boxes.map((box) => bareSocket(server, box)))
  await report()
  for (const socket of sockets) socket.destroy()
}

/** A socket that only logs in and idles. */
async function bareSocket(server: MailPlace, box: Mailbox): Promise<tls.TLSSocket> {
  const socket = tls.connect({ host: '127.0.0.1', port: server.imapsPort, ca: [server.ca] })
  let text = ''
  socket.on('data', (chunk) => {
    text = chunk.toString('latin1')
  })
  const until = async (mark: RegExp): Promise<void> => {
    while (!mark.test(text)) await once(socket, 'data')
  }
  await until(/^\* OK/)
  socket.write(`a LOGIN ${box.user} ${box.password}\r\n`)
  await until(/^a OK/m)
  socket.write('b SELECT INBOX\r\n')
  await until(/^b OK/m)
  socket.write('c IDLE\r\n')
  await until(/^\+/m)
  return socket
}

const [work]: IdleWork[] = await once(process, 'message')
if (work) await (work.kind === 'sockets' ? holdSockets(work) : holdGrants(work))
process.exit(0)
