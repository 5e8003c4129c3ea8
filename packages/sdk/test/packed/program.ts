/**
 * A program that uses the package with only the features of every runtime. Its output is compared: it must be the
 * same everywhere.
 */
import { createWaypost, newProofKey, verifyWebhook, WaypostError, WebhookVerificationError } from '@waypost/sdk'

export interface ProgramSettings {
  baseUrl: string
  apiKey: string
  /** An account with mail that has one message with one attachment. */
  mailGrant: string
  /** The address of a virtual account, only for this run. */
  calendarAccount: string
  secret: string
  /** Deliveries as they arrive, in base64. */
  deliveries: { body: string; headers: Record<string, string> }[]
}

type Waypost = ReturnType<typeof createWaypost>

const outcomeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof WaypostError) return `${error.status} ${error.type} ${error.temporary}`
      if (error instanceof WebhookVerificationError) return error.reason
      return String(error)
    },
  )

async function calendars(waypost: Waypost, email: string): Promise<unknown> {
  const { data: grant } = await waypost.connect.custom({ body: { provider: 'virtual-calendar', settings: { email } } })
  await waypost.calendars.create({ grant_id: grant.id, body: { name: 'Room' } })
  const query = { calendar_id: 'primary' }
  const book = (start_time: number) =>
    waypost.events.create({
      grant_id: grant.id,
      query,
      headers: { 'if-none-overlap': true },
      body: { title: 'Visit', when: { start_time, end_time: start_time + 1800 } },
    })
  const rivals = await Promise.all([outcomeOf(book(1798790400)), outcomeOf(book(1798790400 + 900))])
  for (const hour of [1, 2, 3]) await book(1798790400 + hour * 3600)
  const titles: (string | null)[] = []
  const window = { ...query, start: 1798700000, end: 1798900000, limit: 2 }
  for await (const event of waypost.events.list.all({ grant_id: grant.id, query: window })) titles.push(event.title)
  await waypost.grants.delete({ grant_id: grant.id })
  return { rivals: rivals.sort(), titles }
}

async function files(waypost: Waypost, grant_id: string): Promise<unknown> {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
  const { data: sent } = await waypost.messages.send({
    grant_id,
    body: { to: [{ email: 'bob@example.com' }], subject: 'Grüße' },
    files: [
      { filename: 'é.txt', content: 'text', contentType: 'text/plain' },
      { filename: 'bytes.bin', content: bytes, contentType: 'application/octet-stream' },
      { filename: 'blob.png', content: new Blob(['png'], { type: 'image/png' }), contentId: 'logo' },
    ],
  })
  const { data: messages } = await waypost.messages.list({ grant_id, query: { limit: 1 } })
  const message_id = messages[0]?.id ?? ''
  const attachment_id = messages[0]?.attachments?.[0]?.id ?? ''
  const download = () => waypost.attachments.download({ grant_id, attachment_id, query: { message_id } })
  const file = await download()
  const pieces: Uint8Array[] = []
  const reader = (await download()).stream.getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) pieces.push(read.value)
  return {
    sent: sent.attachments?.map(({ filename, content_type, size }) => [filename, content_type?.split(';')[0], size]),
    received: [file.filename, file.contentType, new TextDecoder().decode(await file.bytes())],
    streamed: pieces.reduce((length, piece) => length + piece.length, 0),
  }
}

async function webhooks({ deliveries, secret }: ProgramSettings): Promise<unknown> {
  const verified = deliveries.map(async ({ body, headers }) => {
    const bytes = Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0))
    const reported = await verifyWebhook(bytes, headers, secret)
    return reported.type === 'event.created' ? reported.data.object.title : reported.type
  })
  return [...(await Promise.all(verified)), await outcomeOf(verifyWebhook('{}', {}, secret))]
}

/** Ends only when aborted. */
const silence: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) => {
    const { signal } = init ?? {}
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

async function endings({ baseUrl }: ProgramSettings): Promise<unknown> {
  const stop = new AbortController()
  const slow = createWaypost({ baseUrl, fetch: silence })
  const ended = outcomeOf(slow.service.health({ signal: stop.signal }))
  stop.abort(new Error('no longer wanted'))
  const late = createWaypost({ baseUrl, fetch: silence, timeoutMs: 20, retries: 0 })
  return { ended: await ended, late: await outcomeOf(late.service.health({ signal: new AbortController().signal })) }
}

/** The first response comes from a proxy that cannot reach the service. */
async function retried({ baseUrl, apiKey }: ProgramSettings): Promise<unknown> {
  let tries = 0
  const failing: typeof fetch = (input, init) =>
    ++tries === 1
      ? Promise.resolve(new Response('', { status: 503, headers: { 'retry-after': '0' } }))
      : fetch(input, init)
  const { data } = await createWaypost({ baseUrl, apiKey, fetch: failing }).applications.get()
  return [tries, data.environment]
}

/** Runs everything in sequence. */
export async function program(settings: ProgramSettings): Promise<Record<string, unknown>> {
  const waypost = createWaypost(settings)
  const { code_verifier, code_challenge } = await newProofKey()
  return {
    calendars: await calendars(waypost, settings.calendarAccount),
    files: await files(waypost, settings.mailGrant),
    webhooks: await webhooks(settings),
    refusal: await outcomeOf(waypost.grants.get({ grant_id: 'nobody@example.com' })),
    endings: await endings(settings),
    retried: await retried(settings),
    proof: [code_verifier.length, code_challenge.length],
  }
}
