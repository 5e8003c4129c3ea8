/** A running service for programs, and the expected output of `program.ts`. */
import { gzipSync } from 'node:zlib'
import { sampleNotification } from '@waypost/contract'
import { createSigner } from '../../../server/src/webhooks/transports/sign.ts'
import { createFakeSending } from '../../../server/test/api/pipeline/fake-sending.ts'
import { messageOf, openMailService } from '../../../server/test/api/pipeline/mail-provider.ts'
import { clientOf } from '../service-client.ts'
import type { ProgramSettings } from './program.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/** A delivery as the service sends it. */
function deliveryOf(title: string, encoding?: 'gzip'): ProgramSettings['deliveries'][number] {
  const timestamp = Math.floor(Date.now() / 1000)
  const reported = sampleNotification('event.created', { id: 'n1', time: timestamp, applicationId: 'app' })
  const text = JSON.stringify({ ...reported, data: { ...reported.data, object: { ...reported.data.object, title } } })
  const body = encoding === 'gzip' ? gzipSync(text) : Buffer.from(text)
  const signed = createSigner({ current: secret }, 'x-service-signature')({ id: 'n1', timestamp, body })
  return {
    body: body.toString('base64'),
    headers: { ...signed, ...(encoding === undefined ? {} : { 'content-encoding': encoding }) },
  }
}

export interface ProgramService extends AsyncDisposable {
  /** The settings of a run; each has its own account. */
  settings(): Promise<ProgramSettings>
}

export async function openProgramService(): Promise<ProgramService> {
  const world = await openMailService({ overrides: { sending: createFakeSending() } })
  const attachment = { id: 'a', grant_id: 'g', filename: 'hello.txt', content_type: 'text/plain', size: 12 }
  world.mailbox.messages.set('m', messageOf('m', { attachments: [attachment] }))
  await clientOf(world.service).connectors.create({ body: { provider: 'virtual-calendar' } })
  const baseUrl = await world.service.listen()
  let runs = 0
  return {
    settings: async () => ({
      baseUrl,
      apiKey: world.service.apiKey,
      mailGrant: world.grantId,
      calendarAccount: `room-${++runs}`,
      secret,
      deliveries: [deliveryOf('As it is'), deliveryOf('Packed', 'gzip')],
    }),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

/** The output of the program on every runtime. */
export const expected = {
  calendars: { rivals: ['409 conflict false', 'done'], titles: ['Visit', 'Visit', 'Visit', 'Visit'] },
  files: {
    sent: [
      ['é.txt', 'text/plain', 4],
      ['bytes.bin', 'application/octet-stream', 256],
      ['blob.png', 'image/png', 3],
    ],
    received: ['hello.txt', 'text/plain', 'hello, world'],
    streamed: 12,
  },
  webhooks: ['As it is', 'Packed', 'missing_header'],
  refusal: '404 grant.not_found false',
  endings: { ended: 'Error: no longer wanted', late: 'undefined network_error true' },
  retried: [2, 'sandbox'],
  proof: [43, 43],
}
