/**
 * The only node is killed while an event with a guest is written to a calendar server without invitations: before the
 * server has it, and after. The guest gets one mail if the event was written, and none otherwise.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { radicaleCalendar, sharedRadicale } from '@waypost/testing/peers/radicale'
import { startCalendarProxy } from '../calendar-proxy.ts'
import type { Scenario } from '../scenario.ts'
import { openSenders } from '../senders.ts'
import { openSite } from '../site.ts'

const settleMs = 60_000
const moments = ['before', 'after'] as const

export const invitationKills: Scenario = {
  name: 'invitation-kills',
  what: 'kill -9 of the only node as an event with a guest is written at a calendar server that sends no invitations',
  async run({ short }) {
    await using radicale = await sharedRadicale()
    await using proxy = await startCalendarProxy(radicale.davUrl.replace(/\/$/, ''))
    await using site = await openSite({ destinations: 0 })
    let node = await site.start('api', 'worker')
    await site.settle()
    await using senders = await openSenders(site, 1, async ({ user, password }) => {
      await radicale.addDavUser(user.split('@')[0], password)
      return { caldav_url: proxy.url }
    })
    const grant = `/v3/grants/${senders.accounts[0]?.grantId}`
    const target = `${grant}/events?calendar_id=${radicaleCalendar}`
    const written: string[] = []
    const cut: string[] = []
    const create = (title: string) => {
      const when = { start_time: 1_830_000_000, end_time: 1_830_003_600 }
      return site.call('POST', target, { body: { title, when, participants: [{ email: 'guest@example.com' }] } })
    }

    for (let round = 0; round < (short ? 1 : 10); round++) {
      for (const moment of moments) {
        proxy.atPut(moment, () => node.kill())
        const title = `${moment}-${round}.`
        const answer = await create(title).catch(() => undefined)
        ;(moment === 'after' ? written : cut).push(title)
        if (answer) throw new Error(`the node answered ${answer.status} though it was killed`)
        node = await site.start('api', 'worker')
      }
      const title = `whole-${round}.`
      await create(title)
      written.push(title)
    }

    const taken = (title: string): number =>
      senders.sink.taken.filter(({ source }) => source.includes(`Subject: Invitation: ${title}`)).length
    const deadline = performance.now() + settleMs
    while (performance.now() < deadline && written.some((title) => taken(title) === 0)) await sleep(100)
    // A forbidden mail would have been sent by now.
    await sleep(3_000)
    const broken = [
      ...written.filter((title) => taken(title) !== 1).map((title) => `${title} was told ${taken(title)} times`),
      ...cut.filter((title) => taken(title) > 0).map((title) => `${title} was told, and is not there`),
    ]
    const figures = {
      kills: 2 * cut.length,
      written: written.length,
      'not written': cut.length,
      lost: written.filter((title) => taken(title) === 0).length,
      'told twice': written.filter((title) => taken(title) > 1).length,
    }
    return { figures, broken }
  },
}
