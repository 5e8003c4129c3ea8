/**
 * A server that accepts all mail and records every accepted message; acceptance counts from the final dot. At a point
 * of the next dialogue it can run an action, such as killing the sender.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

export type SinkMoment = 'connect' | 'MAIL' | '354' | 'body' | 'dot'

export interface Sink extends AsyncDisposable {
  readonly port: number
  /** Accepted messages: Message-ID, time, and the source. */
  readonly taken: { messageId: string; at: number; source: string }[]
  /** The action at a point, once; the dialogue continues when it is done. */
  at(moment: SinkMoment, act: () => Promise<void>): void
  /** Called with an accepted message, before the reply. */
  onTaken: ((source: string) => Promise<void>) | undefined
}

export async function startSink(): Promise<Sink> {
  const sockets = new Set<Socket>()
  let wait: { moment: SinkMoment; act: () => Promise<void> } | undefined
  const reached = async (moment: SinkMoment): Promise<void> => {
    if (wait?.moment !== moment) return
    const { act } = wait
    wait = undefined
    await act()
  }

  async function converse(socket: Socket): Promise<void> {
    const say = (text: string): void => void (socket.writable && socket.write(`${text}\r\n`))
    await reached('connect')
    say('220 sink')
    let text = ''
    let body = false
    for await (const chunk of socket) {
      text += chunk.toString('latin1')
      for (;;) {
        if (body) {
          if (text.length > 0) await reached('body')
          const end = text.indexOf('\r\n.\r\n')
          if (end === -1) break
          await take(text.slice(0, end + 2))
          text = text.slice(end + 5)
          body = false
          say('250 taken')
          continue
        }
        const end = text.indexOf('\r\n')
        if (end === -1) break
        const command = text.slice(0, 4).toUpperCase()
        text = text.slice(end + 2)
        if (command === 'EHLO') say('250-sink\r\n250 PIPELINING')
        else if (command === 'DATA') {
          // Before the reply: a node that receives it records at once that the message may be accepted.
          await reached('354')
          say('354 go on')
          body = true
        } else if (command === 'QUIT') socket.end('221 bye\r\n')
        else if (/^(MAIL|RCPT|RSET|NOOP)$/.test(command)) {
          if (command === 'MAIL') await reached('MAIL')
          say('250 ok')
        } else say('502 not here')
      }
    }
  }

  async function take(source: string): Promise<void> {
    const messageId = /^message-id:\s*<([^>]*)>/im.exec(source)?.[1] ?? ''
    sink.taken.push({ messageId, at: Date.now(), source })
    await sink.onTaken?.(source)
    await reached('dot')
  }

  // Small replies are sent at once; otherwise each waits for the acknowledgment of the previous one.
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    converse(socket).catch(() => socket.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const sink: Sink = {
    port: (server.address() as AddressInfo).port,
    taken: [],
    onTaken: undefined,
    at: (moment, act) => {
      wait = { moment, act }
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return sink
}
