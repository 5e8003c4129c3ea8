/**
 * Work that may delay the end of a node. Each burden puts one kind of work on the running node, and resolves once it
 * has started.
 */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import { startScriptedImap } from '@waypost/testing/peers/scripted-imap'
import { startGoogle } from '../../../simulators/src/index.ts'
import { everyScope } from '../peers/google.ts'
import { type Sink, startSink } from './sink.ts'
import { firstDay, type Site } from './site.ts'

export interface Burden {
  readonly name: string
  /** Resolves once the node works on it. */
  lay(site: Site): Promise<void>
}

export interface Burdens extends AsyncDisposable {
  readonly all: readonly Burden[]
  /** The SMTP sink of the account whose sending is in progress. */
  readonly sink: Sink
  /** Settings that the nodes need. */
  readonly settings: Record<string, string>
}

async function make(site: Site, target: string, body: unknown): Promise<Record<string, string>> {
  let answer = await site.call('POST', target, { body })
  // A node on a busy machine may accept less than is requested here, and says when to retry.
  for (let tries = 0; answer.status === 503 && tries < 30; tries++) {
    await sleep(Number(answer.headers.get('retry-after') ?? 1) * 1000)
    answer = await site.call('POST', target, { body })
  }
  if (answer.status >= 300) throw new Error(`POST ${target}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body.data
}

async function until(isSo: () => boolean, what: string): Promise<void> {
  for (const deadline = performance.now() + 120_000; !isSo(); await sleep(20)) {
    if (performance.now() > deadline) throw new Error(`it never came to it: ${what}`)
  }
}

/** Answers challenges, and never answers a delivery. */
async function startHanging(): Promise<{ url: string; requested(): number } & AsyncDisposable> {
  let posts = 0
  const server = createServer((incoming, outgoing) => {
    if (incoming.method !== 'GET') return void posts++
    outgoing.end(new URL(incoming.url ?? '', 'http://localhost').searchParams.get('challenge'))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requested: () => posts,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

export async function openBurdens(): Promise<Burdens> {
  await using stack = new AsyncDisposableStack()
  const dovecot = stack.use(await sharedDovecot())
  const google = stack.use(await startGoogle())
  const hanging = stack.use(await startHanging())
  const sink = stack.use(await startSink())
  let hangs = false
  let hung = 0
  const silent = stack.use(
    await startScriptedImap({
      script(command, line) {
        if (!hangs || !/STATUS|SELECT|EXAMINE|LIST|NOOP/.test(command.name)) return false
        hung++
        // Half a line, and no more.
        line.say('* 1 EXISTS', '* STATUS "INBOX" (MESSAGES')
        return true
      },
    }),
  )
  silent.addFolder('INBOX')

  const atDovecot = async (site: Site, more: object): Promise<Record<string, string>> => {
    const { user, password } = await dovecot.addUser()
    const server = { imap_host: dovecot.host, imap_port: dovecot.imapsPort }
    return make(site, '/v3/connect/custom', {
      provider: 'imap',
      settings: { imap_username: user, imap_password: password, ...server, ...more },
    })
  }

  const burdens: Burden[] = [
    {
      name: 'a watched mailbox',
      async lay(site) {
        await make(site, '/v3/connectors', { provider: 'imap' })
        await atDovecot(site, {})
        // By then it is in IDLE.
        await sleep(2_500)
      },
    },
    {
      name: 'an IMAP server that hangs in the middle of an answer',
      async lay(site) {
        const server = { imap_host: '127.0.0.1', imap_port: silent.port, imap_security: 'none' }
        const user = { imap_username: 'silent@example.com', imap_password: 'secret' }
        await make(site, '/v3/connect/custom', { provider: 'imap', settings: { ...user, ...server } })
        hangs = true
        await until(() => hung > 0, 'the server hangs')
      },
    },
    {
      name: 'a backlog that is due, and a destination that hangs',
      async lay(site) {
        await site.subscribe(hanging.url)
        const [{ grantId, calendarId } = { grantId: '', calendarId: '' }] = site.accounts
        const when = { start_time: firstDay, end_time: firstDay + 60 }
        const target = `/v3/grants/${grantId}/events?calendar_id=${calendarId}`
        const description = 'x'.repeat(8_000)
        const event = (index: number) => make(site, target, { title: `due ${index}`, description, when })
        await Promise.all(Array.from({ length: 100 }, (_, index) => event(index)))
        await until(() => hanging.requested() > 0, 'deliveries are under way')
      },
    },
    {
      name: 'a long-poll',
      async lay(site) {
        const { body } = await site.call('GET', '/v3/notifications?limit=200')
        const token = body.next_cursor ? `&page_token=${encodeURIComponent(body.next_cursor)}` : ''
        void site.call('GET', `/v3/notifications?wait=30&trigger_types=contact.deleted${token}`).catch(() => undefined)
        await sleep(300)
      },
    },
    {
      name: 'an upload that is half way',
      async lay(site) {
        const { id } = await atDovecot(site, { smtp_host: '127.0.0.1', smtp_port: sink.port, watch: false })
        const upload = request(`${site.api().base}/v3/grants/${id}/messages/send`, {
          method: 'POST',
          headers: {
            ...site.authorization(),
            'content-type': 'multipart/form-data; boundary=b',
            'content-length': '5000000',
          },
        })
        upload.on('error', () => undefined).on('response', (response) => response.resume())
        upload.write('--b\r\n')
        await sleep(300)
      },
    },
    {
      name: 'a watched Google account',
      async lay(site) {
        const settings = { client_id: google.client.id, client_secret: google.client.secret }
        await make(site, '/v3/connectors', { provider: 'google', settings })
        const { email } = google.addAccount({ email: 'watched@example.com', name: 'Watched', timezone: 'UTC' })
        const { refreshToken } = google.grantToken(email, everyScope)
        google.clearCalls()
        await make(site, '/v3/connect/custom', { provider: 'google', settings: { refresh_token: refreshToken } })
        await until(() => google.calls.some(({ path }) => path.includes('/history')), 'Google is asked for changes')
      },
    },
    {
      name: 'a message that is being sent',
      async lay(site) {
        const { id } = await atDovecot(site, { smtp_host: '127.0.0.1', smtp_port: sink.port, watch: false })
        const reached = Promise.withResolvers<void>()
        sink.at('dot', async () => {
          reached.resolve()
          await sleep(30_000, undefined, { ref: false })
        })
        const body = { to: [{ email: 'somebody@example.com' }], subject: 'Under way', body: 'Text' }
        void site.call('POST', `/v3/grants/${id}/messages/send`, { body }).catch(() => undefined)
        await reached.promise
      },
    },
  ]
  const retained = stack.move()
  return {
    all: burdens,
    sink,
    settings: { WAYPOST_GOOGLE_URL: google.url, WAYPOST_POLL_SECONDS: '1' },
    [Symbol.asyncDispose]: () => retained.disposeAsync(),
  }
}
