/**
 * A load generator in a separate process. Each request leaves at its planned time, whatever happened to earlier ones
 * (an open loop), and its latency counts from that time. Connections are limited: if none is free, a request is not
 * sent, and counted as such. With rate 0, each connection sends its next request after a response (a closed loop),
 * which measures the maximum throughput of a node.
 *
 * Reads one `Shot` as JSON from its first argument, and prints the result as JSON.
 */
import { connect, type Socket } from 'node:net'
import { percentile, round } from '../figures.ts'

export interface Shot {
  port: number
  /** The bytes of the requests, sent in rotation. */
  requests: string[]
  /** Requests per second, or 0. */
  rate: number
  seconds: number
  /** Responses before this are not counted: connections open and code warms up. */
  warmUpSeconds: number
  connections: number
  /** After this time, a client gives up and closes its connection. */
  timeoutMs: number
}

export interface Hit {
  planned: number
  sent: number
  ok: number
  refused: number
  /** The rejected requests that have a `Retry-After` header. */
  withRetryAfter: number
  otherStatus: number
  gaveUp: number
  broken: number
  /** Successful responses per second, within `timeoutMs`. */
  goodput: number
  p50: number
  p99: number
  refusedP50: number
  /** How late requests left. Large values mean that the generator could not keep up. */
  lateP99: number
}

interface Line {
  socket: Socket
  /** The planned time of the current request; undefined if there is none. */
  planned: number | undefined
  sentAt: number
  head: string
  /** The remaining bytes of the body; undefined until the head is complete. */
  left: number | undefined
}

const shot: Shot = JSON.parse(process.argv[2] ?? '')
const requests = shot.requests.map((text) => Buffer.from(text))
const begunAt = performance.now()
const countFrom = begunAt + shot.warmUpSeconds * 1_000
const endAt = countFrom + shot.seconds * 1_000
const hit = { planned: 0, sent: 0, ok: 0, refused: 0, withRetryAfter: 0, otherStatus: 0, gaveUp: 0, broken: 0 }
const latencies: number[] = []
const refusedAfter: number[] = []
const lateness: number[] = []
const idle: Line[] = []
const lines = new Set<Line>()
let turn = 0

const counts = (at: number): boolean => at >= countFrom && at < endAt

function open(): Line {
  const socket = connect({ port: shot.port, host: '127.0.0.1', noDelay: true })
  const line: Line = { socket, planned: undefined, sentAt: 0, head: '', left: undefined }
  lines.add(line)
  socket.on('data', (bytes: Buffer) => read(line, bytes))
  socket.on('error', () => undefined)
  socket.on('close', () => {
    if (line.planned !== undefined && lines.has(line) && counts(performance.now())) hit.broken++
    lines.delete(line)
  })
  return line
}

function ask(line: Line, planned: number): void {
  const now = performance.now()
  line.planned = planned
  line.sentAt = now
  line.head = ''
  line.left = undefined
  if (counts(now)) {
    hit.sent++
    lateness.push(now - planned)
  }
  line.socket.write(requests[turn++ % requests.length] ?? '')
}

function read(line: Line, bytes: Buffer): void {
  if (line.left === undefined) {
    line.head += bytes.toString('latin1')
    const end = line.head.indexOf('\r\n\r\n')
    if (end === -1) return
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(line.head)?.[1] ?? 0)
    line.left = length - (line.head.length - end - 4)
  } else line.left -= bytes.length
  if (line.left <= 0) answered(line)
}

function answered(line: Line): void {
  const now = performance.now()
  const { planned = now, head } = line
  line.planned = undefined
  if (counts(now)) {
    const status = head.slice(9, 12)
    if (status[0] === '2') {
      hit.ok++
      latencies.push(now - planned)
    } else if (status === '429' || status === '503') {
      hit.refused++
      if (/\r\nretry-after: *\d/i.test(head)) hit.withRetryAfter++
      refusedAfter.push(now - planned)
    } else hit.otherStatus++
  }
  if (/\r\nconnection: close/i.test(head.slice(0, 600))) {
    lines.delete(line)
    line.socket.destroy()
    if (shot.rate === 0 && now < endAt) ask(open(), now)
  } else if (shot.rate === 0) {
    if (now < endAt) ask(line, now)
  } else idle.push(line)
}

/** A free connection, the most recently used first, or a new one. */
function free(): Line | undefined {
  for (let line = idle.pop(); line; line = idle.pop()) if (lines.has(line)) return line
  return lines.size < shot.connections ? open() : undefined
}

function giveUp(now: number): void {
  for (const line of lines) {
    if (line.planned === undefined || now - line.sentAt < shot.timeoutMs) continue
    lines.delete(line)
    line.socket.destroy()
    if (counts(now)) hit.gaveUp++
    if (shot.rate === 0) ask(open(), now)
  }
}

let due = 0
let checkedAt = begunAt
function tick(): void {
  const now = performance.now()
  if (now >= endAt) {
    finish()
    return
  }
  for (; shot.rate > 0 && begunAt + (due * 1_000) / shot.rate <= now; due++) {
    const planned = begunAt + (due * 1_000) / shot.rate
    if (counts(planned)) hit.planned++
    const line = free()
    if (line) ask(line, planned)
  }
  if (now - checkedAt > 50) {
    checkedAt = now
    giveUp(now)
  }
  // Timers have a resolution of one millisecond: all requests due within it leave together.
  setTimeout(tick, 1)
}

function finish(): void {
  const reported: Hit = {
    ...hit,
    planned: shot.rate === 0 ? hit.sent : hit.planned,
    goodput: round(hit.ok / shot.seconds),
    p50: round(percentile(latencies, 0.5)),
    p99: round(percentile(latencies, 0.99)),
    refusedP50: round(percentile(refusedAfter, 0.5)),
    lateP99: round(percentile(lateness, 0.99)),
  }
  process.stdout.write(JSON.stringify(reported), () => process.exit())
}

if (shot.rate === 0) for (let count = 0; count < shot.connections; count++) ask(open(), performance.now())
tick()
