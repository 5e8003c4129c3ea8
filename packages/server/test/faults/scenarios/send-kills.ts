/**
 * A node is killed at each of thirteen points while it sends. The request is repeated with the same
 * Idempotency-Key on another node until that knows the outcome: no message is accepted twice, and none is lost
 * silently.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Scenario } from '../scenario.ts'
import { openSenders, type SendingAccount } from '../senders.ts'
import type { SinkMoment } from '../sink.ts'
import { type Answer, openSite } from '../site.ts'

interface Point {
  name: string
  /** A point in the send records, inside the node. */
  failpoint?: string
  /** A point of the SMTP dialogue, seen by the server. */
  moment?: SinkMoment
  /** Whether the server files accepted messages. */
  files?: true
  /** The result of the repeated request. */
  ends: 'sent' | 'outcome_unknown'
  /** How often the server accepts the message. */
  taken: 0 | 1
}

const points: readonly Point[] = [
  { name: 'as it is brought', failpoint: 'accepted', ends: 'sent', taken: 1 },
  { name: 'before connecting', failpoint: 'claimed', ends: 'sent', taken: 1 },
  { name: 'after connect', moment: 'connect', ends: 'sent', taken: 1 },
  { name: 'after MAIL', moment: 'MAIL', ends: 'sent', taken: 1 },
  { name: 'before 354', moment: '354', ends: 'sent', taken: 1 },
  { name: 'after transmitting is kept', failpoint: 'transmitting', ends: 'outcome_unknown', taken: 0 },
  { name: 'within the body', moment: 'body', ends: 'outcome_unknown', taken: 0 },
  { name: 'after the dot', moment: 'dot', ends: 'outcome_unknown', taken: 1 },
  { name: 'after the dot, filed', moment: 'dot', files: true, ends: 'sent', taken: 1 },
  { name: 'after 250', failpoint: 'taken', ends: 'outcome_unknown', taken: 1 },
  { name: 'after 250, filed', failpoint: 'taken', files: true, ends: 'sent', taken: 1 },
  { name: 'after the copy', failpoint: 'filed', ends: 'sent', taken: 1 },
  { name: 'after sent is kept', failpoint: 'settled', ends: 'sent', taken: 1 },
]

const deadlineMs = 300_000

export const sendKills: Scenario = {
  name: 'send-kills',
  what: 'kill -9 of a node at each moment of a sending; the request is repeated at another one',
  async run({ freshDatabase, progress }) {
    await using site = await openSite({ databaseUrl: await freshDatabase(), destinations: 0 })
    const first = await site.start('api')
    await site.settle()
    await using senders = await openSenders(site, points.length)
    await first.kill()
    const broken: string[] = []
    const sendAs = ({ grantId }: SendingAccount, index: number): Promise<Answer> =>
      site.call('POST', `/v3/grants/${grantId}/messages/send`, {
        headers: { 'idempotency-key': `message-${index}` },
        body: {
          to: [{ email: 'bob@example.com' }],
          subject: `Message ${index}`,
          // A body larger than socket buffers, so that its end has not been sent yet.
          body: 'Text '.repeat(points[index]?.moment === 'body' ? 1_000_000 : 2_000),
        },
      })
    const accountOf = (index: number): SendingAccount => {
      const account = senders.accounts[index]
      if (!account) throw new Error('no such account')
      return account
    }

    for (const [index, { name, failpoint, moment, files }] of points.entries()) {
      // Without the worker: it would take over messages of earlier points, and be killed with those.
      const victim = await site.startSending(failpoint ?? '', 'api')
      if (files) senders.fileItself(accountOf(index))
      if (moment) senders.sink.at(moment, () => victim.kill())
      const answered = await sendAs(accountOf(index), index).catch(() => undefined)
      if (answered) broken.push(`${name}: the node was not killed, and answered ${answered.status}`)
      await victim.kill()
      progress(`killed ${name}`)
    }
    await site.startSending('', 'api', 'worker')
    const ends = await Promise.all(
      points.map(async ({ ends: wanted }, index) => {
        let last = ''
        for (const until = performance.now() + deadlineMs; performance.now() < until; await sleep(500)) {
          const answer = await sendAs(accountOf(index), index).catch(() => undefined)
          last = answer?.status === 200 ? 'sent' : `${answer?.status} ${answer?.body?.error?.type ?? ''}`
          if (
            last === 'sent' ||
            (wanted !== 'sent' && answer?.status === 504 && /not in the sent/.test(answer.body.error.message))
          )
            break
        }
        return last
      }),
    )
    // A second delivery would arrive now.
    await sleep(2_000)
    let [duplicates, lost, unknown, extraCopies] = [0, 0, 0, 0]
    for (const [index, { name, ends: wanted, taken }] of points.entries()) {
      const got = senders.sink.taken.filter(({ source }) => source.includes(`Subject: Message ${index}\r\n`))
      const isSent = ends[index] === 'sent'
      if (!isSent) unknown++
      if (got.length > 1) duplicates++
      if (isSent && got.length === 0) lost++
      if (isSent !== (wanted === 'sent')) broken.push(`${name}: ended as ${ends[index]}, not ${wanted}`)
      if (got.length !== taken) broken.push(`${name}: taken ${got.length} times, not ${taken}`)
      if (!isSent) continue
      const copies = await senders.copies(accountOf(index), got[0]?.messageId ?? '')
      if (copies !== 1) broken.push(`${name}: ${copies} copies in the sent mail`)
      extraCopies += Math.max(copies - 1, 0)
    }
    return {
      figures: { kills: points.length, duplicates, lost, unknown, 'extra copies': extraCopies },
      broken,
    }
  },
}
