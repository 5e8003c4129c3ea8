/** Kill -9 between any two steps of a booking, and a start on the same file. One event and one booking remain. */
import { setTimeout as sleep } from 'node:timers/promises'
import { bookAt, checkBookings, openPage, slotOf, startsOn } from '../bookers.ts'
import { type Scenario, seconds } from '../scenario.ts'
import { openSite } from '../site.ts'

const moments = ['recorded', 'checked', 'placed', 'settled']
const deadlineMs = 60_000

export const bookingKill: Scenario = {
  name: 'booking-kill',
  what: 'kill -9 between any two steps of a booking; the next start completes it',
  async run({ short, timed, progress }) {
    await using site = await openSite({ destinations: 0, settings: { WAYPOST_RATE_LIMITS: 'off' } })
    const first = await site.start('api', 'worker')
    await site.settle()
    const page = await openPage(site)
    await first.kill()
    const broken: string[] = []
    const slots: { start_time: number; end_time: number }[] = []
    const rounds = short ? 1 : 10
    for (let round = 0; round < rounds; round++) {
      for (const moment of moments) {
        const victim = await site.startSending(`booking ${moment}`, 'api')
        const slot = slotOf(slots.length)
        slots.push(slot)
        const guest = { email: `guest${slots.length}@guest.test`, name: 'Guest' }
        const answered = await bookAt(victim.base, page, { ...slot, guest }).catch(() => undefined)
        if (answered) broken.push(`${moment}: the node was not killed, and answered ${answered.status}`)
        await victim.kill()
        progress(`killed at ${moment}`)
      }
    }
    await site.start('api', 'worker')
    const began = performance.now()
    for (; performance.now() < began + deadlineMs; await sleep(100)) {
      const starts = await startsOn(site, page)
      if (slots.every(({ start_time }) => starts.includes(start_time))) break
    }
    const settledMs = performance.now() - began
    if (timed && settledMs > 10_000) broken.push(`completed only after ${seconds(settledMs)} s`)
    const wrong = await checkBookings(site, page, slots)
    broken.push(...wrong)
    const figures = { kills: slots.length, lost: wrong.length, 'completed after s': seconds(settledMs) }
    return { figures, broken }
  },
}
