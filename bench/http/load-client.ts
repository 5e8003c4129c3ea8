/**
 * A cheap load client in a separate process: raw sockets, each of which sends its next request when the previous
 * response is complete. Reads one `Load` as JSON from its standard input and prints a `Loaded` as JSON.
 */
import { connect, type Socket } from 'node:net'
import { json } from 'node:stream/consumers'
import { percentile } from '../figures.ts'

export interface Load {
  port: number
  /** The bytes of requests. Each connection takes the next one of the list, whichever key it has. */
  requests: string[]
  /** The number of requests to send; a shorter list is repeated. */
  count: number
  connections: number
}

export interface Loaded {
  seconds: number
  p99: number
}

const { port, requests, count, connections } = (await json(process.stdin)) as Load
const begunAt = performance.now()
const latencies: number[] = []
let next = 0
let open = 0

function drive(socket: Socket): void {
  let sentAt = 0
  let head = ''
  let bytesLeft: number | undefined
  const ask = (): void => {
    if (next === count) {
      socket.destroy()
      open--
      if (open === 0) finish()
      return
    }
    sentAt = performance.now()
    head = ''
    bytesLeft = undefined
    socket.write(requests[next++ % requests.length] ?? '')
  }
  socket.on('data', (bytes: Buffer) => {
    if (bytesLeft === undefined) {
      head += bytes.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end === -1) return
      if (head[9] !== '2') throw new Error(`not a success: ${head.slice(0, 2_000)}`)
      const length = /\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end + 2))?.[1]
      bytesLeft = Number(length) - (head.length - end - 4)
    } else bytesLeft -= bytes.length
    if (bytesLeft > 0) return
    latencies.push(performance.now() - sentAt)
    ask()
  })
  socket.on('connect', ask)
}

function finish(): void {
  const loaded: Loaded = { seconds: (performance.now() - begunAt) / 1_000, p99: percentile(latencies, 0.99) }
  process.stdout.write(JSON.stringify(loaded), () => process.exit())
}

for (; open < connections; open++) drive(connect({ port, host: '127.0.0.1', noDelay: true }))
