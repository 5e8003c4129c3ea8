/**
 * The broker of a channel is killed and started again, many times, under a continuous stream of notifications. Each of
 * them is published at least once, a repetition has the same id, and the order of each grant is kept.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { amqpBroker, type Broker, natsBroker, type Published, pubsubBroker, snsBroker } from '../brokers.ts'
import { check, type Fault } from '../check.ts'
import type { Arrival } from '../receivers.ts'
import { between, figuresOf, percentile, type Scenario, seconds } from '../scenario.ts'
import { openSite, type Site } from '../site.ts'
import { startWriter } from '../writer.ts'

type Transport = 'nats' | 'amqp' | 'pubsub' | 'sns'

/** A channel rests for up to a minute after many failures, and RabbitMQ starts slowly on a busy machine. */
const deadlineMs = 180_000

interface Envelope {
  id: string
  type: string
  grant_sequence: number
  webhook_delivery_attempt: number
  data: { object: { id: string; grant_id: string } }
}

/** A stored message, as a receiver of a webhook would have recorded it. `signed`: its id is that of its content. */
function arrivalOf({ id, body }: Published, place: number): Arrival {
  const { type, grant_sequence, webhook_delivery_attempt, data, ...envelope }: Envelope = JSON.parse(body)
  return {
    destination: 0,
    at: place,
    id: envelope.id,
    type,
    attempt: webhook_delivery_attempt,
    sequence: grant_sequence,
    grantId: data.object.grant_id,
    objectId: data.object.id,
    by: '',
    signed: id === envelope.id,
  }
}

/** Notifications that were published for the first time after a later one of their grant. */
function overtaken(arrivals: readonly Arrival[]): Arrival[] {
  const seen = new Set<string>()
  const last = new Map<string, number>()
  return arrivals.filter(({ id, grantId, sequence }) => {
    if (seen.has(id)) return false
    seen.add(id)
    const before = last.get(grantId) ?? 0
    last.set(grantId, Math.max(before, sequence))
    return sequence < before
  })
}

/** Waits until the broker stores more than `than` messages. */
async function untilMore(broker: Broker, than: number): Promise<void> {
  for (const deadline = performance.now() + deadlineMs; (await broker.count()) <= than; await sleep(50)) {
    if (performance.now() > deadline) throw new Error('the channel publishes nothing more')
  }
}

/** Waits until the channel has nothing left to publish. Returns whether that happened in time. */
async function untilEmpty(site: Site, channel: string): Promise<boolean> {
  for (const deadline = performance.now() + deadlineMs; performance.now() < deadline; await sleep(200)) {
    const { status, body } = await site.call('GET', `/v3/webhooks/${channel}/deliveries?limit=1`)
    if (status === 200 && body.data.length === 0) return true
  }
  return false
}

const brokerKills = (transport: Transport, what: string, open: () => Promise<Broker>): Scenario => ({
  name: `broker-kills-${transport}`,
  what,
  async run({ short, random, progress }) {
    await using broker = await open()
    await using site = await openSite({ destinations: 0, settings: broker.settings })
    await site.start('api', 'worker')
    await site.settle()
    const body = { ...broker.draft, trigger_types: ['event.created'] }
    const created = await site.call('POST', `/v3/channels/${transport}`, { body })
    if (created.status !== 200) throw new Error(`the channel is refused: ${JSON.stringify(created.body)}`)
    const channel: string = created.body.data.id
    const writer = startWriter(site, { rate: 20 })
    const faults: Fault[] = []
    const times: number[] = []
    const kills = short ? 3 : 20
    for (let round = 0; round < kills; round++) {
      await untilMore(broker, await broker.count())
      await sleep(between(random, 50, 800))
      const from = performance.now()
      await broker.kill()
      await sleep(between(random, 0, short ? 300 : 3_000))
      await broker.start()
      const up = performance.now()
      faults.push({ from, to: up })
      await untilMore(broker, await broker.count())
      times.push(performance.now() - up)
      progress(`${round + 1} of ${kills}: published again after ${seconds(performance.now() - up)} s`)
    }
    await writer.stop()
    const isEmpty = await untilEmpty(site, channel)
    const arrivals = (await broker.published()).map(arrivalOf)
    const whole = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }
    const verdict = check({
      destinations: 1,
      changes: writer.changes,
      arrivals,
      events: await site.events(),
      faults: [whole],
    })
    // At a kill, one message of each grant may be stored and not confirmed.
    const bound = kills * site.accounts.length
    const broken = [...verdict.broken]
    if (!isEmpty) broken.push('notifications still wait long after the last change, or were given up')
    if (verdict.extra > bound) broken.push(`${verdict.extra} repetitions, more than the bound of ${bound}`)
    const wrong = overtaken(arrivals)
    if (wrong.length > 0) broken.push(`overtaken in their grant: ${wrong.length}, such as ${JSON.stringify(wrong[0])}`)
    return {
      figures: {
        kills,
        ...figuresOf({ ...verdict, bound }),
        'out of order': wrong.length,
        'broker down, s': seconds(faults.reduce((sum, { from, to }) => sum + to - from, 0)),
        'recovery p50, s': seconds(percentile(times, 0.5)),
        'recovery p99, s': seconds(percentile(times, 0.99)),
      },
      broken,
    }
  },
})

export const brokerKillsNats = brokerKills('nats', 'kill -9 of the NATS server of a channel', natsBroker)
export const brokerKillsAmqp = brokerKills('amqp', 'kill -9 of the RabbitMQ of a channel', amqpBroker)
export const brokerKillsPubsub = brokerKills('pubsub', 'connections to Pub/Sub are reset and refused', pubsubBroker)
export const brokerKillsSns = brokerKills('sns', 'connections to SNS are reset and refused', snsBroker)
