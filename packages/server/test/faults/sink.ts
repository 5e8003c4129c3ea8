/**
 * A server that takes all mail and writes down every message that it took: what counts is the dot. At a moment of the next
 * conversation it can be made to do something, such as to kill who is sending.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

export type SinkMoment = 'connect' | 'MAIL' | '354' | 'body' | 'dot'

export interface Sink extends AsyncDisposable {
  readonly port: number
  /** What it took: Message-ID, when, and the whole message. */
  readonly taken: { messageId: string; at: number; source: string }[]
  /** What to do at a moment, once; the conversation goes on when it is done. */
  at(moment: SinkMoment, act: () => Promise<void>): void
  /** Called with what it took, before it says so. */
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
          // Before it says so: whoever hears it writes down at once that the message may be taken.
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

  // Small replies leave at once: else each waits for the acknowledgement of the one before.
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
