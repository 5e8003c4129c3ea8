/**
 * The only node is killed while it reads replies to invitations from a mailbox, and started again on the same folder.
 * Every reply counts once: its event is changed and notified a single time.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import { startReceivers } from '../receivers.ts'
import { between, type Scenario } from '../scenario.ts'
import { firstDay, openSite } from '../site.ts'

const perRound = 30
const deadlineMs = 90_000
const guest = 'guest@example.org'

const answerMail = (uid: string): string =>
  [
    `From: ${guest}`,
    'To: calendar@waypost.test',
    'Subject: Accepted',
    'MIME-Version: 1.0',
    'Content-Type: text/calendar; charset=UTF-8; method=REPLY',
    '',
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'METHOD:REPLY',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `ATTENDEE;PARTSTAT=ACCEPTED:mailto:${guest}`,
    'SEQUENCE:0',
    `DTSTAMP:${new Date(Date.now() + 60_000).toISOString().replace(/[-:]|\.\d+/g, '')}`,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')

export const replyKills: Scenario = {
  name: 'reply-kills',
  what: 'kill -9 of the only node while it reads answers to invitations from a mailbox',
  async run({ short, random, progress }) {
    await using server = await sharedDovecot()
    const { user, password } = await server.addUser()
    await using receivers = await startReceivers(1)
    const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`
    const settings = {
      WAYPOST_SMTP_URL: 'smtp://127.0.0.1:1',
      WAYPOST_MAIL_FROM: 'calendar@waypost.test',
      WAYPOST_IMAP_URL: `imap://${login}@127.0.0.1:${server.imapPort}`,
      WAYPOST_MAIL_PER_DAY: '1000',
      WAYPOST_POLL_SECONDS: '1',
    }
    await using site = await openSite({ destinations: 0, settings })
    let node = await site.start('api', 'worker')
    await site.settle()
    const { grantId, calendarId } = site.accounts[0] ?? { grantId: '', calendarId: '' }
    const events = `/v3/grants/${grantId}/events`
    const make = async (target: string, body: object) => {
      const answer = await site.call('POST', target, { body })
      if (answer.status >= 300) throw new Error(`POST ${target}: ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body.data
    }
    const hook = { webhook_url: receivers.urls[0], trigger_types: ['event.updated'] }
    receivers.setSecret(0, (await make('/v3/webhooks', hook)).webhook_secret)

    const invited: string[] = []
    /** Creates this many events, each with a reply in the mailbox. */
    const answerMany = async (count: number): Promise<void> => {
      const uids: string[] = []
      for (let index = 0; index < count; index++) {
        const when = { start_time: firstDay + 3_600, end_time: firstDay + 7_200 }
        const body = { title: `Meeting ${invited.length}`, when, participants: [{ email: guest }] }
        const { id, ical_uid } = await make(`${events}?calendar_id=${calendarId}`, body)
        invited.push(id)
        uids.push(ical_uid)
      }
      for (const uid of uids) await server.deliver(user, answerMail(uid))
    }
    /** The notifications of each event, by id: a delivery may be repeated, but a notification may not. */
    const reported = (): Map<string, Set<string>> => {
      const byEvent = new Map<string, Set<string>>()
      for (const { objectId, id } of receivers.arrivals)
        byEvent.set(objectId, (byEvent.get(objectId) ?? new Set()).add(id))
      return byEvent
    }
    const untilReported = async (count: number): Promise<void> => {
      for (const end = performance.now() + deadlineMs; reported().size < count && performance.now() < end; )
        await sleep(5)
    }

    const rounds = short ? 1 : 12
    let midway = 0
    for (let round = 0; round < rounds; round++) {
      const before = reported().size
      const answering = answerMany(perRound)
      await untilReported(before + 1 + Math.floor(between(random, 0, perRound / 2)))
      // Sending the remaining invitations needs the node.
      await answering
      await server.deliver(user, answerMail('of-no-event'))
      await node.kill()
      if (reported().size < invited.length) midway++
      node = await site.start('api', 'worker')
      progress(`killed ${round + 1} of ${rounds}`)
    }
    await untilReported(invited.length)
    // Notifications of one destination arrive in order: after the last one, there is no duplicate of earlier ones.
    await answerMany(1)
    await untilReported(invited.length)
    const counts = reported()
    const statuses = await Promise.all(
      invited.map(async (id) => {
        const { body } = await site.call('GET', `${events}/${id}?calendar_id=${calendarId}`)
        return body.data?.participants?.[0]?.status as string
      }),
    )
    const lost = invited.filter((id, index) => statuses[index] !== 'yes' || !counts.has(id)).length
    const twice = invited.filter((id) => (counts.get(id)?.size ?? 0) > 1).length
    return {
      figures: { kills: rounds, 'answers under way': midway, accepted: invited.length, lost, 'told twice': twice },
      broken: [
        ...(lost > 0 ? [`${lost} of ${invited.length} answers were lost`] : []),
        ...(twice > 0 ? [`${twice} of ${invited.length} answers were applied twice`] : []),
      ],
    }
  },
}
