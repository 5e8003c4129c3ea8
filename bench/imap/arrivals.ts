import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MailServer } from '@waypost/testing/peers/mail-server'
import { median, percentile, quick, round } from '../figures.ts'
import { bareClient, connectGrant, mailOf, openMailNode } from './mailbox.ts'

const arrivals = quick ? 10 : 60

/** A folder other than the inbox. IDLE does not cover it: the server reports it by NOTIFY, or the service polls. */
const otherFolder = 'Archive'

/** The time from the arrival of a message to its notification, and the time until IDLE reports it. */
export async function benchArrivals(server: MailServer): Promise<Record<string, number>> {
  const box = await server.addUser()
  // A separate mailbox for the floor: two watchers of one mailbox wake each other.
  const other = await server.addUser()
  await using listener = await listenForSubjects()
  await using node = await openMailNode(server, 'api,worker')
  await node.listen()
  await node.call('POST', '/v3/connectors', { provider: 'imap' })
  await node.call('POST', '/v3/webhooks', { trigger_types: ['message.created'], webhook_url: listener.url })
  await connectGrant(node, server, { box, watch: true })
  await sleep(2_000)
  const watcher = await bareClient(server, other)
  let exists = 0
  watcher.on('exists', () => {
    exists = performance.now()
  })
  void watcher.idle()
  const sender = await server.client(box.user)
  const otherSender = await server.client(other.user)
  const until = async (done: () => boolean): Promise<void> => {
    for (const end = performance.now() + 20_000; performance.now() < end && !done(); ) await sleep(2)
  }
  const idle: number[] = []
  const reported: number[] = []
  const reportedOfOther: number[] = []
  const arrive = async (folder: string, number: number): Promise<number> => {
    const subject = `Message number ${number}`
    const started = performance.now()
    await sender.append(folder, mailOf(number, box.user))
    await until(() => listener.arrived.has(subject))
    return (listener.arrived.get(subject) ?? Number.NaN) - started
  }
  for (let number = 0; number < arrivals; number++) {
    exists = 0
    await sleep(200)
    const floorStarted = performance.now()
    await otherSender.append('INBOX', mailOf(number, other.user))
    await until(() => exists > 0)
    idle.push(exists - floorStarted)
    await sleep(200)
    reported.push(await arrive('INBOX', number))
    await sleep(200)
    reportedOfOther.push(await arrive(otherFolder, arrivals + number))
  }
  for (const client of [otherSender, watcher, sender]) client.close()
  return {
    idle_p50_ms: round(median(idle), 1),
    webhook_p50_ms: round(median(reported), 1),
    webhook_p99_ms: round(percentile(reported, 0.99), 1),
    above_idle_p50_ms: round(median(reported) - median(idle), 1),
    other_folder_p50_ms: round(median(reportedOfOther), 1),
    other_folder_p99_ms: round(percentile(reportedOfOther, 0.99), 1),
    other_folder_above_idle_p50_ms: round(median(reportedOfOther) - median(idle), 1),
    missed: [...reported, ...reportedOfOther].filter(Number.isNaN).length,
  }
}

interface Listener extends AsyncDisposable {
  url: string
  /** When each subject was reported. */
  arrived: ReadonlyMap<string, number>
}

async function listenForSubjects(): Promise<Listener> {
  const arrived = new Map<string, number>()
  const listener = createServer((request, response) => {
    const challenge = new URL(request.url ?? '', 'http://listener').searchParams.get('challenge')
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (challenge === null) {
        const subject = JSON.parse(Buffer.concat(chunks).toString()).data?.object?.subject
        if (subject) arrived.set(subject, performance.now())
      }
      response.end(challenge ?? 'ok')
    })
  })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  const address = listener.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/`,
    arrived,
    async [Symbol.asyncDispose]() {
      listener.close()
      listener.closeAllConnections()
    },
  }
}
