/**
 * The only node is killed while it reads changes of an account on a simulated Exchange: when Exchange has returned
 * the changes and nothing is stored, and when it has returned the changed items. Each message, event and contact is
 * notified once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { startExchange } from '../../../../simulators/src/index.ts'
import { exchangePassword } from '../../peers/exchange.ts'
import type { Scenario } from '../scenario.ts'
import { openSite } from '../site.ts'

const deadlineMs = 120_000
/** The last response of Exchange before the node is killed. */
const moments = ['SyncFolderItems', 'GetItem']

export const ewsKills: Scenario = {
  name: 'ews-kills',
  what: 'kill -9 of the only node while it reads changes of an account at Exchange; each is told once',
  async run({ short, progress }) {
    await using exchange = await startExchange()
    const settings = { WAYPOST_EWS_URL: exchange.url, WAYPOST_POLL_SECONDS: '1' }
    await using site = await openSite({ settings, destinations: 0 })
    let node = await site.start('api', 'worker')
    await site.settle()
    await site.call('PATCH', '/v3/applications', { body: { notification_stream: true } })
    const email = 'watched@exchange.example'
    const { mail, calendar, contacts } = exchange.addAccount({ email, name: 'Watched', password: exchangePassword })
    await site.call('POST', '/v3/connectors', { body: { provider: 'ews' } })
    const account = { email, ews_username: email, ews_password: exchangePassword, ews_host: 'mail.exchange.example' }
    await site.call('POST', '/v3/connect/custom', { body: { provider: 'ews', settings: account } })

    const made: string[] = []
    const make = (name: string): void => {
      made.push(`message.created ${name}`, `event.created ${name}`, `contact.updated ${name}`)
      mail.deliver(`Subject: ${name}\r\nFrom: ann@example.org\r\nMessage-ID: <${name}@example.org>\r\n\r\nText`)
      const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
      calendar.addEvent({ Subject: name, Start: `${day}T09:00:00Z`, End: `${day}T10:00:00Z` })
      contacts.addContact({ GivenName: name })
    }
    const reported = async (): Promise<string[]> => {
      const { status, body } = await site.call('GET', '/v3/notifications?limit=200')
      if (status !== 200) throw new Error(`notifications are answered ${status}: ${JSON.stringify(body)}`)
      type Named = { subject?: string; title?: string; given_name?: string }
      return (body.data as { type: string; data: { object: Named } }[])
        .filter(({ type }) => /^(?:message|event|contact)\./.test(type))
        .map(({ type, data: { object } }) => `${type} ${object.subject ?? object.title ?? object.given_name}`)
    }
    const untilReported = async (): Promise<string[]> => {
      for (const deadline = performance.now() + deadlineMs; ; await sleep(100)) {
        const missing = new Set(made).difference(new Set(await reported()))
        if (missing.size === 0 || performance.now() > deadline) return [...missing]
      }
    }

    const broken: string[] = []
    make('first')
    if ((await untilReported()).length > 0) broken.push('the account is not watched')
    const rounds = short ? moments.length : 5 * moments.length
    for (let round = 0; round < rounds; round++) {
      const moment = moments[round % moments.length]
      const seen = Promise.withResolvers<void>()
      const stop = exchange.observe(({ operation, status }) => {
        if (operation !== moment || status !== 200) return
        node.signal('SIGKILL')
        seen.resolve()
      })
      make(`round-${round}`)
      await seen.promise
      stop()
      await node.ended
      make(`meanwhile-${round}`)
      node = await site.start('api', 'worker')
      const missing = await untilReported()
      if (missing.length > 0) broken.push(`not told after a kill at ${moment}: ${missing.join(', ')}`)
      progress(`killed at ${moment}, and told all`)
    }
    const all = await reported()
    const lost = new Set(made).difference(new Set(all)).size
    const twice = all.filter((each, place) => all.indexOf(each) !== place)
    if (twice.length > 0) broken.push(`told twice: ${twice.join(', ')}`)
    const strange = all.filter((each) => !made.includes(each))
    if (strange.length > 0) broken.push(`told and never happened: ${strange.join(', ')}`)
    return {
      figures: { kills: rounds, happened: made.length, reported: all.length, lost, 'told twice': twice.length },
      broken,
    }
  },
}
