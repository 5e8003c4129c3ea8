/** The connections that the supervisor gives to this process, for its HTTP server. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** The same limit as for a process with a port of its own. */
export const maxConnections = 8_192
/** Ended connections are reported together. */
const reportMs = 50

export interface GivenConnections {
  /** Has the server serve them from now on. */
  attach(server: Server): void
  /** A connection arrived from the supervisor. */
  give(socket: Socket): void
  /** From now on arriving connections are closed. */
  close(): void
  /** Resolves when the last connection has ended, or when the signal aborts. */
  drained(signal: AbortSignal): Promise<void>
}

export function createGivenConnections(closed: (count: number) => void): GivenConnections {
  let server: Server | undefined
  let isClosed = false
  let open = 0
  let ended = 0
  let isDue = false
  const onEmpty = new Set<() => void>()

  const report = (): void => {
    isDue = false
    closed(ended)
    ended = 0
  }
  const onClose = (): void => {
    open--
    ended++
    if (!isDue) setTimeout(report, reportMs).unref()
    isDue = true
    if (open === 0) for (const call of onEmpty) call()
  }
  return {
    attach(attached) {
      server = attached
      // Node begins to look for slow and idle connections when a server listens, and this one never does.
      attached.emit('listening')
    },
    give(socket) {
      open++
      socket.once('close', onClose)
      // Without a listener, a connection that breaks before the HTTP server has it would end the process.
      socket.on('error', () => socket.destroy())
      if (!server || isClosed) return void socket.destroy()
      if (open > maxConnections) {
        // Idle connections make room for new ones.
        server.closeIdleConnections()
        return void socket.destroy()
      }
      // Like the sockets that an HTTP server accepts: a client may end its side first.
      socket.allowHalfOpen = true
      server.emit('connection', socket)
    },
    close() {
      isClosed = true
    },
    drained: (signal) =>
      new Promise((resolve) => {
        if (open === 0 || signal.aborted) return resolve()
        const done = (): void => {
          onEmpty.delete(done)
          signal.removeEventListener('abort', done)
          resolve()
        }
        onEmpty.add(done)
        signal.addEventListener('abort', done)
      }),
  }
}
