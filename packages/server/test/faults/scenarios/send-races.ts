/**
 * Many scheduled messages are due in the same second, and four nodes compete for them. One is killed and one is
 * frozen for longer than its lease while they send. Each message is accepted at most once, messages reported as sent
 * were accepted, and every schedule ends.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile, type Scenario, seconds } from '../scenario.ts'
import { openSenders } from '../senders.ts'
import { openSite } from '../site.ts'

const endedWithinMs = 300_000

export const sendRaces: Scenario = {
  name: 'send-races',
  what: 'four nodes send messages that are due at one second; one is killed, one frozen for longer than its lease',
  async run({ short, freshDatabase, progress }) {
    await using site = await openSite({ databaseUrl: await freshDatabase(), destinations: 0 })
    await site.start('api')
    await site.settle()
    await using senders = await openSenders(site, 10)
    const { sink, accounts } = senders
    const count = short ? 120 : 3_000
    const broken: string[] = []
    // The minimum is a minute ahead; scheduling them all takes time too.
    const dueAt = Math.ceil(Date.now() / 1000) + 62 + Math.ceil(count / (short ? 6 : 60))
    const planned = new Map<string, { grantId: string; subject: string }>()
    const numbers = Array.from({ length: count }, (_, index) => index)
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let index = numbers.shift(); index !== undefined; index = numbers.shift()) {
          const { grantId = '' } = accounts[index % accounts.length] ?? {}
          const subject = `Message ${index}.`
          const { status, body } = await site.call('POST', `/v3/grants/${grantId}/messages/send`, {
            body: { to: [{ email: 'bob@example.com' }], subject, body: 'Text', send_at: dueAt },
          })
          if (status === 202) planned.set(body.schedule_id, { grantId, subject })
          else broken.push(`a schedule was refused: ${status} ${JSON.stringify(body)}`)
        }
      }),
    )
    progress(`${planned.size} scheduled`)
    const workers = []
    for (let index = 0; index < 4; index++) workers.push(await site.startSending('', 'worker'))
    const [killed, frozen] = workers
    await sleep(Math.max(dueAt * 1000 - Date.now(), 0))
    while (sink.taken.length < count / 10 && Date.now() < dueAt * 1000 + 10_000) await sleep(5)
    await killed?.kill()
    frozen?.signal('SIGSTOP')
    progress(`killed one and froze one after ${sink.taken.length}`)
    await sleep(20_000)
    frozen?.signal('SIGCONT')

    const statuses = async (): Promise<Map<string, string>> => {
      const found = new Map<string, string>()
      for (const { grantId } of accounts) {
        const { body } = await site.call('GET', `/v3/grants/${grantId}/messages/schedules`)
        for (const { schedule_id: id, status } of body.data) found.set(id, status.code)
      }
      return found
    }
    let ended = await statuses()
    for (const until = performance.now() + endedWithinMs; performance.now() < until; await sleep(500)) {
      ended = await statuses()
      if ([...planned.keys()].every((id) => ended.get(id) === 'success' || ended.get(id) === 'failed')) break
    }
    await sleep(2_000)
    const bySubject = Map.groupBy(sink.taken, ({ source }) => /^Subject: (.*)\r$/m.exec(source)?.[1] ?? '')
    const times = (id: string): number => bySubject.get(planned.get(id)?.subject ?? '')?.length ?? 0
    const ids = [...planned.keys()]
    const duplicates = ids.filter((id) => times(id) > 1).length
    const untrue = ids.filter((id) => ended.get(id) === 'success' && times(id) === 0).length
    const open = ids.filter((id) => ended.get(id) !== 'success' && ended.get(id) !== 'failed').length
    const unknown = ids.filter((id) => ended.get(id) === 'failed')
    const early = sink.taken.filter(({ at }) => at < dueAt * 1000).length
    const late = sink.taken.map(({ at }) => at - dueAt * 1000)
    if (duplicates > 0) broken.push(`${duplicates} messages were taken more than once`)
    if (untrue > 0) broken.push(`${untrue} messages are told as sent, and nobody took them`)
    if (open > 0) broken.push(`${open} schedules did not come to an end`)
    if (early > 0) broken.push(`${early} messages were sent before their time`)
    // What one node has in progress when it is killed or frozen.
    if (unknown.length > 2 * 32)
      broken.push(`${unknown.length} outcomes are unknown, more than two nodes can have under way`)
    if (!frozen?.isAlive()) broken.push('a worker ended after it was frozen')
    return {
      figures: {
        scheduled: planned.size,
        taken: sink.taken.length,
        duplicates,
        lost: untrue + open,
        unknown: unknown.length,
        'of those taken': unknown.filter((id) => times(id) > 0).length,
        'lateness p50, s': seconds(percentile(late, 0.5)),
        'lateness p99, s': seconds(percentile(late, 0.99)),
      },
      broken,
    }
  },
}
