/** A port in front of a server. It can be cut off abruptly, with all its connections, and opened again. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface SeveredPort extends AsyncDisposable {
  readonly url: string
  /** Resets all connections and refuses new ones. What the server has received stays there. */
  sever(): Promise<void>
  restore(): Promise<void>
}

/** The delay of responses: a cut then finds requests that the server carried out and nobody confirmed. */
const delayMs = 15

/** `origin`: the URL of the server. */
export async function startSeveredPort(origin: string): Promise<SeveredPort> {
  const { port: target } = new URL(origin)
  const sockets = new Set<Socket>()
  let server: Server | undefined
  let port = 0

  function keep(socket: Socket): void {
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
  }

  function pass(incoming: Socket): void {
    const outgoing = connect(Number(target), '127.0.0.1')
    keep(incoming)
    keep(outgoing)
    incoming.pipe(outgoing)
    outgoing.on('data', (chunk) => void sleep(delayMs).then(() => incoming.write(chunk)))
    outgoing.once('close', () => void sleep(delayMs).then(() => incoming.destroy()))
    incoming.once('close', () => outgoing.destroy())
  }

  async function restore(): Promise<void> {
    if (server) return
    server = createServer(pass).listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }

  async function sever(): Promise<void> {
    const closed = server ? once(server, 'close') : undefined
    server?.close()
    server = undefined
    for (const socket of sockets) socket.resetAndDestroy()
    await closed
  }

  await restore()
  return { url: `http://127.0.0.1:${port}`, sever, restore, [Symbol.asyncDispose]: sever }
}
