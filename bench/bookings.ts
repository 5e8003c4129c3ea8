/**
 * Bookings on a virtual calendar, against the bare creation of events in the same run, on SQLite. A booking validates
 * its slot, claims it, creates the event, and writes its notification. Both use the API in this process, eight requests at a time,
 * in turns. Each round has its own account, so that both calendars are equally full.
 *
 *   npm run bench:bookings [-- --quick] [-- --json]
 */
import { median, quick, report, rowOf } from './figures.ts'
import { type Node, openNode } from './node.ts'

const rounds = quick ? 3 : 9
const count = quick ? 60 : 200
const atOnce = 8
const aim = '>= 0.5'

interface Account {
  grantId: string
  email: string
  calendarId: string
}

async function newAccount({ call }: Node, number: number): Promise<Account> {
  const email = `host${number}@bench.test`
  const grant = await call('POST', '/v3/connect/custom', { provider: 'virtual-calendar', settings: { email } })
  const calendar = await call('POST', `/v3/grants/${grant.data.id}/calendars`, { name: 'Work', timezone: 'UTC' })
  return { grantId: grant.data.id, email, calendarId: calendar.data.id }
}

async function newPage({ call }: Node, { grantId, email, calendarId }: Account): Promise<string> {
  const made = await call('POST', `/v3/grants/${grantId}/scheduling/configurations`, {
    participants: [
      {
        ...{ email, is_organizer: true },
        ...{ availability: { calendar_ids: [calendarId] }, booking: { calendar_id: calendarId } },
      },
    ],
    availability: { duration_minutes: 30 },
    event_booking: { title: 'Talk' },
  })
  return made.data.id
}

const firstStart = (Math.floor(Date.now() / 86_400_000) + 2) * 86_400
const slotOf = (index: number) => ({
  start_time: firstStart + index * 1_800,
  end_time: firstStart + (index + 1) * 1_800,
})

/** Calls for each number, eight at a time; the rate per second. */
async function rateOf(call: (index: number) => Promise<unknown>): Promise<number> {
  const numbers = Array.from({ length: count }, (_, index) => index)
  const began = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let index = numbers.shift(); index !== undefined; index = numbers.shift()) await call(index)
    }),
  )
  return (count / (performance.now() - began)) * 1000
}

await using node = await openNode()
await node.call('POST', '/v3/connectors', { provider: 'virtual-calendar' })
const booked: number[] = []
const bare: number[] = []
for (let round = -1; round < rounds; round++) {
  const [one, other] = [await newAccount(node, 2 * round + 2), await newAccount(node, 2 * round + 3)]
  const page = await newPage(node, other)
  const events = `/v3/grants/${one.grantId}/events?calendar_id=${one.calendarId}`
  const bareRate = await rateOf((index) => node.call('POST', events, { title: 'Talk', when: slotOf(index) }))
  const bookings = `/v3/scheduling/bookings?configuration_id=${page}`
  const rate = await rateOf((index) => {
    const guest = { email: `guest${round}-${index}@bench.test`, name: 'Guest' }
    return node.call('POST', bookings, { ...slotOf(index), guest })
  })
  // The first round compiles the code.
  if (round < 0) continue
  bare.push(bareRate)
  booked.push(rate)
}
const ratio = median(booked.map((rate, index) => rate / (bare[index] ?? 1)))
const parts = { store: 'SQLite', figure: median(booked), floor: median(bare), unit: '/s', aim, ratio }
report([rowOf('bookings on a virtual calendar', parts)])
