/**
 * The clocks of two machines jump half an hour forward and half an hour back while messages wait for their time, next
 * to one with a correct clock. Nothing is sent early or twice, and no node takes over another's work.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile, type Scenario, seconds } from '../scenario.ts'
import { openSenders } from '../senders.ts'
import { openSite } from '../site.ts'

const halfHour = 1_800_000

export const clockSteps: Scenario = {
  name: 'clock-steps',
  what: 'the clocks of two of three workers are set by half an hour, forward and back, while messages wait for their time',
  async run({ short, freshDatabase, progress }) {
    await using site = await openSite({ databaseUrl: await freshDatabase(), destinations: 0 })
    await site.start('api')
    await site.settle()
    await using senders = await openSenders(site, 5)
    const { sink, accounts } = senders
    const count = short ? 50 : 500
    const broken: string[] = []
    const first = Math.ceil(Date.now() / 1000) + 75 + Math.ceil(count / 40)
    const dueOf = new Map<string, number>()
    for (let index = 0; index < count; index++) {
      const { grantId = '' } = accounts[index % accounts.length] ?? {}
      const subject = `Message ${index}.`
      const send_at = first + (index % 20)
      const { status, body } = await site.call('POST', `/v3/grants/${grantId}/messages/send`, {
        body: { to: [{ email: 'bob@example.com' }], subject, body: 'Text', send_at },
      })
      if (status === 202) dueOf.set(subject, send_at * 1000)
      else broken.push(`a schedule was refused: ${status} ${JSON.stringify(body)}`)
    }
    progress(`${dueOf.size} scheduled`)
    const ahead = await site.startStepping(halfHour, 'worker')
    const behind = await site.startStepping(-halfHour, 'worker')
    await site.start('worker')
    ahead.signal('SIGUSR2')
    behind.signal('SIGUSR2')
    // Again during sending: one back to the correct time, and again.
    while (Date.now() < first * 1000 + 5_000) await sleep(100)
    ahead.signal('SIGUSR2')
    await sleep(3_000)
    ahead.signal('SIGUSR2')
    for (const end = first * 1000 + 80_000; sink.taken.length < dueOf.size && Date.now() < end; ) await sleep(250)
    await sleep(2_000)
    const late = sink.taken.map(({ source, at }) => at - (dueOf.get(/^Subject: (.*)\r$/m.exec(source)?.[1] ?? '') ?? 0))
    const early = late.filter((by) => by < -1_000).length
    if (early > 0) broken.push(`${early} messages were sent before their time`)
    if (sink.taken.length !== dueOf.size) broken.push(`${sink.taken.length} of ${dueOf.size} messages were taken`)
    for (const node of [ahead, behind]) if (!node.isAlive()) broken.push('a worker ended when its clock was set')
    return {
      figures: {
        scheduled: dueOf.size,
        taken: sink.taken.length,
        early,
        'earliest, s': seconds(Math.min(...late)),
        'lateness p99, s': seconds(percentile(late, 0.99)),
      },
      broken,
    }
  },
}
