/** A mail server that accepts everything as fast as possible and stores only the times. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

const end = '\r\n.\r\n'

export interface Discard extends AsyncDisposable {
  readonly port: number
  /** When each message was accepted; milliseconds. */
  readonly taken: number[]
}

async function converse(socket: Socket, taken: number[]): Promise<void> {
  const say = (text: string): void => void socket.write(`${text}\r\n`)
  let isData = false
  let tail = ''
  say('220 discard')
  for await (const chunk of socket) {
    if (isData) {
      tail = (tail + chunk.toString('latin1', Math.max(0, chunk.length - end.length))).slice(-end.length)
      if (tail !== end) continue
      isData = false
      tail = ''
      taken.push(Date.now())
      say('250 taken')
      continue
    }
    for (const line of chunk.toString('latin1').split('\r\n').slice(0, -1)) {
      isData = /^DATA/i.test(line)
      if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
      else if (isData) say('354 go on')
      else if (/^EHLO/i.test(line)) say('250-discard\r\n250 PIPELINING')
      else say(/^(?:MAIL|RCPT|RSET|NOOP)/i.test(line) ? '250 ok' : '502 not here')
    }
  }
}

export async function startDiscard(): Promise<Discard> {
  const sockets = new Set<Socket>()
  const taken: number[] = []
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    converse(socket, taken).catch(() => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    taken,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
