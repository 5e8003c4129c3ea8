/** Sends messages through the API at a steady rate, each with an Idempotency-Key, and repeats each until it has ended. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Senders } from './senders.ts'
import type { Answer, Site } from './site.ts'

interface Send {
  subject: string
  /** `sent`, `unknown`, or the last response. */
  end: string
}

export interface SteadySends {
  /** Starts no more messages, waits for the rest, and compares them with what the mail server accepted. */
  judge(): Promise<{ sent: number; lost: number; twice: number; unknown: number; broken: string[] }>
}

const repeatMs = 300
const endedWithinMs = 180_000

const endOf = (answer: Answer | undefined): string => {
  if (answer?.status === 200) return 'sent'
  const isUnknown = answer?.status === 504 && /not in the sent/.test(answer.body?.error?.message ?? '')
  return isUnknown ? 'unknown' : `${answer?.status} ${answer?.body?.error?.message ?? ''}`
}

export function startSends(site: Site, { accounts, sink }: Senders, rate: number): SteadySends {
  const sends: Send[] = []
  let stopped = false

  async function send(index: number): Promise<void> {
    const { grantId = '' } = accounts[index % accounts.length] ?? {}
    const one: Send = { subject: `Steady ${index}.`, end: '' }
    sends.push(one)
    for (const until = performance.now() + endedWithinMs; performance.now() < until; await sleep(repeatMs)) {
      const answer = await site
        .call('POST', `/v3/grants/${grantId}/messages/send`, {
          headers: { 'idempotency-key': `steady-${index}` },
          body: { to: [{ email: 'bob@example.com' }], subject: one.subject, body: 'Text' },
        })
        .catch(() => undefined)
      one.end = endOf(answer)
      if (one.end === 'sent' || one.end === 'unknown') return
    }
  }

  const sending = (async () => {
    const open: Promise<void>[] = []
    for (let index = 0; !stopped; index++) {
      open.push(send(index))
      await sleep(1_000 / rate)
    }
    await Promise.all(open)
  })()

  return {
    async judge() {
      stopped = true
      await sending
      // A second acceptance would arrive now.
      await sleep(2_000)
      const times = Map.groupBy(sink.taken, ({ source }) => /^Subject: (.*)\r$/m.exec(source)?.[1] ?? '')
      const taken = ({ subject }: Send): number => times.get(subject)?.length ?? 0
      const sent = sends.filter(({ end }) => end === 'sent')
      const lost = sent.filter((each) => taken(each) === 0).length
      const twice = sends.filter((each) => taken(each) > 1).length
      const open = sends.filter(({ end }) => end !== 'sent' && end !== 'unknown')
      return {
        sent: sent.length,
        ...{ lost, twice, unknown: sends.filter(({ end }) => end === 'unknown').length },
        broken: [
          ...(sent.length === 0 ? ['no message was sent'] : []),
          ...(lost > 0 ? [`${lost} messages are reported as sent, and nobody accepted them`] : []),
          ...(twice > 0 ? [`${twice} messages were sent twice`] : []),
          ...(open.length > 0 ? [`${open.length} messages have no outcome, such as ${open[0]?.end}`] : []),
        ],
      }
    },
  }
}
