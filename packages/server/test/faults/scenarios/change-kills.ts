/**
 * The API node is killed during changes on a mail server: the server may have made them without a response. Each is
 * repeated with the same Idempotency-Key until there is a response, succeeds, and happens once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { between, type Scenario } from '../scenario.ts'
import { openSenders } from '../senders.ts'
import { type Answer, openSite } from '../site.ts'

interface Change {
  name: string
  method: string
  path: string
  body?: object
  answer?: Answer
}

const perRound = 8
const deadlineMs = 90_000

export const changeKills: Scenario = {
  name: 'change-kills',
  what: 'kill -9 of the API node in the middle of changes at a mail server, which are repeated with the same Idempotency-Key',
  async run({ short, random, freshDatabase, progress }) {
    await using site = await openSite({ databaseUrl: await freshDatabase(), destinations: 0 })
    let node = await site.start('api')
    await site.settle()
    await using senders = await openSenders(site, 1)
    const grant = `/v3/grants/${senders.accounts[0]?.grantId}`
    const draft = (subject: string): object => ({ subject, body: 'Text', to: [{ email: 'bob@example.com' }] })
    const ask = async (change: Change): Promise<void> => {
      const { name, method, path, body } = change
      const options = { headers: { 'idempotency-key': name }, ...(body ? { body } : {}) }
      const answer = await site.call(method, `${grant}${path}`, options).catch(() => undefined)
      const isOver = answer && answer.status < 500 && !/concurrent/.test(answer.body?.error?.type ?? '')
      if (isOver) change.answer = answer
    }

    const changes: Change[] = []
    let cutOff = 0
    const rounds = short ? 3 : 12
    for (let round = 0; round < rounds; round++) {
      const old: string[] = []
      for (const what of ['gone', 'old'])
        old.push((await site.call('POST', `${grant}/drafts`, { body: draft(`${what} ${round}.`) })).body.data.id)
      const [gone = '', changed = ''] = old.map(encodeURIComponent)
      const now: Change[] = [
        { name: `delete-${round}`, method: 'DELETE', path: `/drafts/${gone}` },
        { name: `change-${round}`, method: 'PUT', path: `/drafts/${changed}`, body: { subject: `changed ${round}.` } },
        { name: `folder-${round}`, method: 'POST', path: '/folders', body: { name: `Folder ${round}` } },
        ...Array.from({ length: perRound - 3 }, (_, index) => {
          const subject = `new ${round}-${index}.`
          return { name: subject, method: 'POST', path: '/drafts', body: draft(subject) }
        }),
      ]
      changes.push(...now)
      const requested = Promise.all(now.map(ask))
      await sleep(between(random, 5, 800))
      await node.kill()
      await requested
      cutOff += now.filter(({ answer }) => answer === undefined).length
      node = await site.start('api')
      progress(`killed ${round + 1} of ${rounds}`)
    }
    for (const until = performance.now() + deadlineMs; performance.now() < until; await sleep(500)) {
      const open = changes.filter(({ answer }) => answer === undefined)
      if (open.length === 0) break
      await Promise.all(open.map(ask))
    }

    const broken: string[] = []
    for (const { name, answer } of changes)
      if (answer?.status !== 200)
        broken.push(`${name}: ${answer?.status ?? 'no answer'} ${JSON.stringify(answer?.body)}`)
    const subjects: string[] = []
    for (let token = ''; ; ) {
      const page = await site.call('GET', `${grant}/drafts?limit=200${token && `&page_token=${token}`}`)
      subjects.push(...page.body.data.map(({ subject }: { subject: string }) => subject))
      token = page.body.next_cursor ?? ''
      if (!token) break
    }
    const wanted = changes.flatMap(({ name, method }) =>
      method === 'POST' && name.startsWith('new')
        ? [name]
        : method === 'PUT'
          ? [`${name.replace('change-', 'changed ')}.`]
          : [],
    )
    const times = (subject: string): number => subjects.filter((each) => each === subject).length
    const lost = wanted.filter((subject) => times(subject) === 0).length
    const duplicates = wanted.filter((subject) => times(subject) > 1).length
    const left = subjects.filter((subject) => /^(gone|old) /.test(subject)).length
    if (lost > 0) broken.push(`${lost} drafts are not there`)
    if (duplicates > 0) broken.push(`${duplicates} drafts are there more than once`)
    if (left > 0) broken.push(`${left} drafts that were deleted or changed are still there as they were`)
    if (cutOff === 0) broken.push('no request was cut off: the kills hit nothing')
    return {
      figures: { kills: rounds, changes: changes.length, 'cut off, repeated': cutOff, lost, duplicates },
      broken,
    }
  },
}
