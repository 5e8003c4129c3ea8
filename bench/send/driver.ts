/** Sends through the API of a node, with a number of concurrent requests. */
import { Agent, request } from 'node:http'
import type { Measured } from './floor.ts'
import { contentOf, type Size } from './message.ts'
import type { ServiceFacts, Used } from './service.ts'

export interface Driver {
  post(target: string, body: object | string): Promise<Record<string, unknown>>
  /** Runs for some seconds; `grantOf` returns the grant of a client by its number. */
  run(round: { size: Size; seconds: number; width: number }, grantOf: (asker: number) => string): Promise<Measured>
}

/** The request body: the same for every message of a size. */
export function bodyOf(size: Size, more: object = {}): string {
  const { subject, text, file } = contentOf(size)
  const attachments = file
    ? [{ filename: 'file.bin', content_type: 'application/octet-stream', content: file.toString('base64') }]
    : []
  return JSON.stringify({ to: [{ email: 'bob@example.com' }], subject, body: `<p>${text}</p>`, attachments, ...more })
}

export function createDriver({ url, key }: ServiceFacts, used: () => Promise<Used>): Driver {
  const agent = new Agent({ keepAlive: true })
  const post: Driver['post'] = (target, body) =>
    new Promise((resolve, reject) => {
      const payload = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
      const headers = {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'content-length': payload.length,
      }
      const requested = request(`${url}${target}`, { method: 'POST', agent, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          if ((response.statusCode ?? 0) < 300) resolve(JSON.parse(text).data)
          else reject(new Error(`POST ${target}: ${response.statusCode} ${text.slice(0, 500)}`))
        })
      })
      requested.on('error', reject).end(payload)
    })
  return {
    post,
    async run({ size, seconds, width }, grantOf) {
      const body = bodyOf(size)
      const before = await used()
      const began = performance.now()
      let count = 0
      await Promise.all(
        Array.from({ length: width }, async (_, asker) => {
          while (performance.now() - began < seconds * 1000) {
            await post(`/v3/grants/${grantOf(asker)}/messages/send`, body)
            count++
          }
        }),
      )
      const perSecond = count / ((performance.now() - began) / 1000)
      return { perSecond, cpu: ((await used()).cpu - before.cpu) / count }
    },
  }
}
