/**
 * The floor: only the durable steps of a delivery. The queue, the notifications and the log of attempts are three
 * tables. The loop reads a batch, decrypts the sealed payloads, sends them over persistent connections, and stores many
 * results in one transaction, as durably as the service. To webhooks it posts, signed in both ways; to brokers it
 * publishes (`publishers.ts`). It has no leases, no retries, no adaptive concurrency, no health, no fairness, no order,
 * and only the indexes it needs.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  randomBytes,
  randomFillSync,
  randomUUID,
} from 'node:crypto'
import { Pool } from 'undici'
import { objectOf } from './bodies.ts'
import { answering, parametersOf, spentOn } from './child.ts'
import { type FloorStore, openFloorStore, type Told } from './floor-store.ts'
import { openPublisher, type Publisher, type Publishing } from './publishers.ts'

const { databaseUrl } = parametersOf<{ databaseUrl?: string }>()
const store: FloorStore = await openFloorStore(databaseUrl)

const atOnce = 512
/** A channel has up to 128 messages under way. */
const underWay = { posts: 64, messages: 128 }
const key = createSecretKey(randomBytes(32))
const sealKey = createSecretKey(randomBytes(32))

const ivs = Buffer.alloc(12 * 1024)
let ivsUsed = ivs.length
/** Generates many at once: a single random IV costs as much as the encryption. */
function nextIv(): Buffer {
  if (ivsUsed === ivs.length) {
    randomFillSync(ivs)
    ivsUsed = 0
  }
  ivsUsed += 12
  return ivs.subarray(ivsUsed - 12, ivsUsed)
}

function seal(text: string, id: string): string {
  const iv = nextIv()
  const cipher = createCipheriv('aes-256-gcm', sealKey, iv).setAAD(Buffer.from(id))
  const sealed = cipher.update(text, 'utf8')
  cipher.final()
  return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString('base64url')
}

function open(sealed: string, id: string): Buffer {
  const box = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', sealKey, box.subarray(0, 12)).setAAD(Buffer.from(id))
  decipher.setAuthTag(box.subarray(-16))
  const opened = decipher.update(box.subarray(12, -16))
  decipher.final()
  return opened
}

const closing = Buffer.from('}')
function bodyOf({ id, type, created, sequence, data }: Told, sealed: boolean): Buffer {
  const opening = `{"specversion":"1.0","type":"${type}","source":"/virtual-calendar/events/realtime","id":"${id}","time":${created},"webhook_delivery_attempt":1,"grant_sequence":${sequence},"data":`
  return Buffer.concat([Buffer.from(opening), sealed ? open(data, id) : Buffer.from(data), closing])
}

/** The body, with its signature headers. */
function requestOf(reported: Told, sealed: boolean) {
  const { id } = reported
  const body = bodyOf(reported, sealed)
  const timestamp = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', key).update(body).digest('hex')
  const standard = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
  const headers = {
    'x-service-signature': signature,
    'x-nylas-signature': signature,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${standard}`,
    'content-type': 'application/json',
    'user-agent': 'floor',
  }
  return { headers, body }
}

let pools: Pool[] = []
let publisher: Publisher | undefined
/** Destinations of webhooks, or grants of a channel. */
let spread = 1
let isSealed = false

interface Sent {
  status: number
  answer: string
}

async function post(reported: Told, sealed: boolean): Promise<Sent> {
  const pool = pools[reported.destination] as Pool
  const { headers, body } = requestOf(reported, sealed)
  const answer = await pool.request({ path: '/hook', method: 'POST', headers, body })
  const text = await answer.body.text()
  return { status: answer.statusCode, answer: sealed ? seal(text, reported.id) : text }
}

async function publish(to: Publisher, reported: Told, sealed: boolean): Promise<Sent> {
  const { id, type, destination } = reported
  const text = await to.publish({ id, type, grantId: `grant-${destination}`, body: bodyOf(reported, sealed) })
  return { status: 200, answer: sealed && text !== '' ? seal(text, id) : text }
}

const send = (reported: Told, sealed: boolean): Promise<Sent> =>
  publisher ? publish(publisher, reported, sealed) : post(reported, sealed)

/** Reads, sends and stores until the queue is empty. */
async function deliverAll(): Promise<void> {
  let ready: Told[] = []
  let last = 0
  let reading: Promise<void> | undefined
  let done: { queued: number; at: number; ms: number; status: number; answer: string }[] = []
  let keeping: Promise<void> = Promise.resolve()
  const read = async (): Promise<void> => {
    const rows = await store.read(last, Math.min(atOnce, 8_388_608 / store.bytesEach))
    last = rows.at(-1)?.queued ?? last
    ready = [...ready, ...rows]
    reading = undefined
  }
  const next = async (): Promise<Told | undefined> => {
    const first = ready.shift()
    if (first) return first
    const before = last
    reading ??= read()
    await reading
    return ready.length > 0 || last > before ? next() : undefined
  }
  const worker = async (): Promise<void> => {
    for (let reported = await next(); reported; reported = await next()) {
      const at = Date.now()
      const began = performance.now()
      const { status, answer } = await send(reported, isSealed)
      done.push({ queued: reported.queued, at, ms: Math.round(performance.now() - began), status, answer })
      if (done.length < atOnce) continue
      const batch = done
      done = []
      keeping = keeping.then(() => store.keep(batch))
    }
  }
  await Promise.all(Array.from({ length: publisher ? underWay.messages : underWay.posts }, worker))
  await keeping
  await store.keep(done)
}

answering(
  {
    subscribe({ ports }: { ports: readonly number[] }) {
      spread = ports.length
      const connections = Math.ceil(underWay.posts / ports.length)
      pools = ports.map((port) => new Pool(`http://127.0.0.1:${port}`, { connections }))
    },
    async publishTo({ publishing, grants }: { publishing: Publishing; grants: number }) {
      spread = grants
      publisher = await openPublisher(publishing)
    },
    async queue({ count, bytes, sealed }: { count: number; bytes: number; sealed: boolean }) {
      isSealed = sealed
      const text = JSON.stringify({ application_id: randomUUID(), object: objectOf(bytes) })
      const rows = Array.from({ length: count }, (_, index) => {
        const id = randomUUID()
        const data = sealed ? seal(text, id) : text
        const created = Math.floor(Date.now() / 1000)
        return { id, type: 'event.created', created, sequence: index, data, destination: index % spread }
      })
      await store.add(rows, bytes)
    },
    deliver: () => spentOn(deliverAll),
  },
  async () => {
    await Promise.all(pools.map((pool) => pool.close()))
    await publisher?.[Symbol.asyncDispose]()
    await store[Symbol.asyncDispose]()
  },
)
