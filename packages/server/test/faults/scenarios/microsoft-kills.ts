/**
 * The only node is killed while it reads changes of an account on a simulated Microsoft: when Graph has returned them
 * and nothing is stored, and when it requests the changed objects. Each message and each event is notified once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { startMicrosoft } from '../../../../simulators/src/index.ts'
import { everyScope } from '../../peers/microsoft.ts'
import type { Scenario } from '../scenario.ts'
import { openSite } from '../site.ts'

const deadlineMs = 120_000
/** The request during which the node is killed. */
const moments = [/calendarView\/delta$/, /\/messages\/[^/]+$/, /messages\/delta$/, /\/events\/[^/]+$/]

export const microsoftKills: Scenario = {
  name: 'microsoft-kills',
  what: 'kill -9 of the only node while it reads changes of an account at Microsoft; each is told once',
  async run({ short, progress }) {
    await using microsoft = await startMicrosoft()
    const settings = { WAYPOST_MICROSOFT_URL: microsoft.url, WAYPOST_POLL_SECONDS: '1' }
    await using site = await openSite({ settings, destinations: 0 })
    let node = await site.start('api', 'worker')
    await site.settle()
    await site.call('PATCH', '/v3/applications', { body: { notification_stream: true } })
    const email = 'watched@contoso.example'
    const { mail, calendar } = microsoft.addAccount({ email, name: 'Watched' })
    const { id: client_id, secret: client_secret } = microsoft.client
    const connector = { provider: 'microsoft', settings: { client_id, client_secret } }
    await site.call('POST', '/v3/connectors', { body: connector })
    const { refreshToken } = microsoft.grantToken(email, everyScope)
    const grant = { provider: 'microsoft', settings: { refresh_token: refreshToken } }
    await site.call('POST', '/v3/connect/custom', { body: grant })

    const made: string[] = []
    const make = (name: string): void => {
      made.push(`message.created ${name}`, `event.created ${name}`)
      mail.deliver(`Subject: ${name}\r\nFrom: ann@example.org\r\nMessage-ID: <${name}@example.org>\r\n\r\nText`)
      const at = (hour: string) => ({
        dateTime: new Date(Date.now() + 86_400_000).toISOString().replace(/T.*/, `T${hour}:00:00`),
        timeZone: 'UTC',
      })
      calendar.addEvent({ subject: name, start: at('09'), end: at('10') })
    }
    const reported = async (): Promise<string[]> => {
      const { status, body } = await site.call('GET', '/v3/notifications?limit=200')
      if (status !== 200) throw new Error(`notifications are answered ${status}: ${JSON.stringify(body)}`)
      return (body.data as { type: string; data: { object: { subject?: string; title?: string } } }[])
        .filter(({ type }) => /^(?:message|event)\./.test(type))
        .map(({ type, data }) => `${type} ${data.object.subject ?? data.object.title}`)
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
    const rounds = short ? 2 : 3 * moments.length
    for (let round = 0; round < rounds; round++) {
      const moment = moments[round % moments.length] ?? /delta$/
      const seen = Promise.withResolvers<void>()
      const stop = microsoft.observe(({ path, status }) => {
        if (!moment.test(path) || status !== 200) return
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
