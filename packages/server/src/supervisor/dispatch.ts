/**
 * Gives the connections of the port to processes. The supervisor accepts and reads nothing: a process gets the socket
 * itself, and the supervisor closes its own copy when the process says that it has it. A socket that a process died
 * with before that goes to another process, because nobody has read from it.
 */
import type { Socket } from 'node:net'

/** A process that has not taken a socket for this long is busy or hangs: others come first. */
const promptMs = 250
/** How long a connection waits while there is no process at all. */
const waitMs = 10_000

export interface Receiver {
  /** Connections that the process has. */
  open: number
  /** Sockets on their way to it, oldest first. */
  readonly handed: { socket: Socket; at: number }[]
  /** Sends a socket. */
  hand(socket: Socket): void
}

/** The receiver with the fewest connections. Among equals, the one that comes first. */
export function chooseReceiver<T extends Pick<Receiver, 'open' | 'handed'>>(
  receivers: readonly T[],
  now: number,
): T | undefined {
  const prompt = receivers.filter(({ handed: [oldest] }) => oldest === undefined || now - oldest.at < promptMs)
  const able = prompt.length > 0 ? prompt : receivers
  const loadOf = ({ open, handed }: Pick<Receiver, 'open' | 'handed'>): number => open + handed.length
  return able.reduce<T | undefined>((best, each) => (best && loadOf(best) <= loadOf(each) ? best : each), undefined)
}

export interface Dispatch extends Disposable {
  /** Gives a new connection to a process. */
  give(socket: Socket): void
  /** The process has the oldest of the sockets that it was given. */
  taken(receiver: Receiver): void
  /** The process is dead: what it had not taken goes to others. */
  lost(receiver: Receiver): void
  /** A process became able to take connections. */
  arrived(): void
}

export function createDispatch(
  receivers: () => readonly Receiver[],
  now: () => number = () => performance.now(),
): Dispatch {
  let waiting: { socket: Socket; timer: NodeJS.Timeout }[] = []
  let turn = 0

  const give = (socket: Socket): void => {
    if (socket.destroyed) return
    // Begins with another one each time, so that equals take turns.
    const all = receivers()
    turn = (turn + 1) % Math.max(all.length, 1)
    const receiver = chooseReceiver([...all.slice(turn), ...all.slice(0, turn)], now())
    if (receiver) {
      receiver.handed.push({ socket, at: now() })
      receiver.hand(socket)
      return
    }
    const entry = {
      socket,
      timer: setTimeout(() => {
        waiting = waiting.filter((each) => each !== entry)
        socket.destroy()
      }, waitMs),
    }
    waiting.push(entry)
  }

  const takeWaiting = (): Socket[] => {
    const sockets = waiting.map(({ socket, timer }) => {
      clearTimeout(timer)
      return socket
    })
    waiting = []
    return sockets
  }

  return {
    give,
    taken(receiver) {
      receiver.handed.shift()?.socket.destroy()
      receiver.open++
    },
    lost(receiver) {
      for (const { socket } of receiver.handed.splice(0)) give(socket)
    },
    arrived() {
      for (const socket of takeWaiting()) give(socket)
    },
    [Symbol.dispose]() {
      for (const socket of takeWaiting()) socket.destroy()
    },
  }
}
