/** kill -9 between any two steps of an approved action, and a start on the same file. The action is carried out once. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Scenario, seconds } from '../scenario.ts'
import { adminPassword, openSite, type Site } from '../site.ts'

const steps = ['decided', 'carried out', 'settled']
const deadlineMs = 60_000
const start = 1_950_000_000

/** A key that needs the approval of a person for invitations. */
async function restrictedKey(site: Site): Promise<string> {
  const { body } = await site.call('GET', '/v3/applications')
  const made = await site.call('POST', `/v3/admin/applications/${body.data.application_id}/api-keys`, {
    headers: { authorization: `Basic ${Buffer.from(`admin:${adminPassword}`).toString('base64')}` },
    body: { name: 'Assistant', rights: { operations: ['calendar.write'] } },
  })
  return made.body.data.api_key
}

/** Violated rules: each approval is executed, with one event and one notification, and a repeated decision agrees. */
async function check(site: Site, requested: ReadonlyMap<string, string>): Promise<string[]> {
  const broken: string[] = []
  const [account] = site.accounts
  const window = `start=${start - 60}&end=${start + (requested.size + 1) * 3_600}&limit=200`
  const path = `/v3/grants/${account?.grantId}/events?calendar_id=${account?.calendarId}&${window}`
  const titles = (await site.call('GET', path)).body.data.map(({ title }: { title: string }) => title) as string[]
  const reported = (await site.call('GET', '/v3/notifications?limit=200')).body.data as {
    type: string
    data: { object: { id: string } }
  }[]
  for (const [id, title] of requested) {
    const { body } = await site.call('GET', `/v3/approvals/${id}`)
    const again = await site.call('POST', `/v3/approvals/${id}/approve`)
    const events = titles.filter((each) => each === title).length
    const times = reported.filter(({ type, data }) => type === 'approval.approved' && data.object.id === id).length
    const isSame = JSON.stringify(again.body.data) === JSON.stringify(body.data)
    if (body.data.status !== 'executed' || events !== 1 || times !== 1 || !isSame) {
      broken.push(`${title}: ${body.data.status}, ${events} events, told ${times} times, repeated ${isSame}`)
    }
  }
  return broken
}

export const approvalKill: Scenario = {
  name: 'approval-kill',
  what: 'kill -9 between any two steps of an approved action; the next start completes it',
  async run({ short, progress }) {
    await using site = await openSite({ destinations: 0, settings: { WAYPOST_RATE_LIMITS: 'off' } })
    const first = await site.start('api', 'worker')
    await site.settle()
    await site.call('PATCH', '/v3/applications', { body: { notification_stream: true } })
    const key = await restrictedKey(site)
    await first.kill()
    const broken: string[] = []
    const requested = new Map<string, string>()
    const [account] = site.accounts
    const path = `/v3/grants/${account?.grantId}/events?calendar_id=${account?.calendarId}`
    for (let round = 0; round < (short ? 1 : 10); round++) {
      for (const step of steps) {
        const victim = await site.startSending(`approval ${step}`, 'api')
        const title = `Approved ${requested.size}`
        const when = { start_time: start + requested.size * 3_600, end_time: start + requested.size * 3_600 + 1_800 }
        const body = { title, when, participants: [{ email: 'guest@guest.test' }] }
        const held = await site.call('POST', path, { headers: { authorization: `Bearer ${key}` }, body })
        if (held.status !== 202) broken.push(`${title}: ${held.status} ${JSON.stringify(held.body)}`)
        requested.set(held.body.data.id, title)
        const answered = await site.call('POST', `/v3/approvals/${held.body.data.id}/approve`).catch(() => undefined)
        if (answered) broken.push(`${step}: the node was not killed, and answered ${answered.status}`)
        await victim.kill()
        progress(`killed after ${step}`)
      }
    }
    await site.start('api', 'worker')
    const began = performance.now()
    for (; performance.now() < began + deadlineMs; await sleep(100)) {
      const open = await site.call('GET', '/v3/approvals?status=approved')
      if (open.body.data.length === 0) break
    }
    const settledMs = performance.now() - began
    const wrong = await check(site, requested)
    broken.push(...wrong)
    return { figures: { kills: requested.size, lost: wrong.length, 'completed after s': seconds(settledMs) }, broken }
  },
}
