/** Opens the port of the service, with errors that name the setting. */
import type { Server } from 'node:net'

/**
 * Connections that the kernel queues while a turn of the event loop is long. Beyond it the kernel drops connection
 * attempts, and clients retry after one to three seconds: a modest client would wait that long because of a flood.
 */
const waitingConnections = 4_096

/** Listens, and returns the port, which the kernel chooses for 0. */
export async function openPort(server: Server, { port, host }: { port: number; host: string }): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error): void => reject(listenError(error, { port, host }))
    server.once('error', fail)
    server.listen({ port, host, backlog: waitingConnections }, () => {
      server.off('error', fail)
      resolve()
    })
  })
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

function listenError(error: Error, { port, host }: { port: number; host: string }): Error {
  const code = 'code' in error ? error.code : ''
  if (code === 'EADDRINUSE')
    return new Error(`port ${port} is in use: set WAYPOST_PORT to another one`, { cause: error })
  if (code === 'EACCES') return new Error(`port ${port} may not be opened: choose one above 1023`, { cause: error })
  if (code === 'EADDRNOTAVAIL') {
    return new Error(`${host} is no address of this machine: check WAYPOST_HOST`, { cause: error })
  }
  return error
}
