/** Many guests book the same slots at the same time, on three nodes. One guest gets each slot. */
import { bookAt, checkBookings, openPage, slotOf } from '../bookers.ts'
import type { Scenario } from '../scenario.ts'
import { openSite } from '../site.ts'

const guests = 50

export const bookingRace: Scenario = {
  name: 'booking-race',
  what: 'fifty guests book each slot at the same time on three nodes',
  async run({ short, freshDatabase, progress }) {
    const settings = { WAYPOST_RATE_LIMITS: 'off' }
    await using site = await openSite({ databaseUrl: await freshDatabase(), destinations: 0, settings })
    const nodes = [await site.start('api', 'worker')]
    await site.settle()
    nodes.push(await site.start('api'), await site.start('api'))
    const page = await openPage(site)
    const slots = Array.from({ length: short ? 2 : 20 }, (_, index) => slotOf(index))
    const broken: string[] = []
    let refused = 0
    for (const [round, slot] of slots.entries()) {
      const answers = await Promise.all(
        Array.from({ length: guests }, (_, index) => {
          const guest = { email: `guest${index}-${round}@guest.test`, name: `Guest ${index}` }
          return bookAt(nodes[index % nodes.length]?.base ?? '', page, { ...slot, guest })
        }),
      )
      const winners = answers.filter(({ status }) => status === 200).length
      const others = answers.filter(
        ({ status, body }) => status === 400 && body.error.type === 'timeslot_not_available',
      )
      refused += others.length
      if (winners !== 1 || others.length !== guests - 1) {
        const statuses = answers.map(({ status }) => status).join(' ')
        broken.push(`slot ${round}: ${winners} winners, ${others.length} documented errors (${statuses})`)
      }
      progress(`slot ${round}: one of ${guests}`)
    }
    const wrong = await checkBookings(site, page, slots)
    broken.push(...wrong)
    const figures = { slots: slots.length, guests: guests * slots.length, refused, lost: wrong.length }
    return { figures, broken }
  },
}
