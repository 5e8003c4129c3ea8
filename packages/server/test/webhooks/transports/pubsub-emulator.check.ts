// Google's own emulator, where it is installed. It checks neither tokens nor permissions, so the simulator stands for
// the token endpoint.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { startPubSub } from '@waypost/simulators'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { pubsub } from '../../../src/webhooks/transports/pubsub/pubsub.ts'
import { cloudTools, messageOf } from './cloud-setup.ts'

const program = [
  '/usr/lib/google-cloud-sdk/platform/pubsub-emulator/bin/cloud-pubsub-emulator',
  '/opt/google-cloud-sdk/platform/pubsub-emulator/bin/cloud-pubsub-emulator',
].find(existsSync)
if (program === undefined)
  console.warn('Skipped: the Pub/Sub emulator is missing (gcloud components install pubsub-emulator)')

const topic = 'projects/simulated-project/topics/notifications'
let emulator: ChildProcess | undefined
let url = ''

beforeAll(async () => {
  if (program === undefined) return
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  emulator = spawn(program, ['--host=127.0.0.1', `--port=${port}`], { stdio: 'ignore', detached: true })
  await vi.waitFor(() => fetch(url), { interval: 200 })
  // Its first request about topics takes several seconds.
  await fetch(`${url}/v1/projects/simulated-project/topics`)
})
afterAll(async () => {
  // The program is a script that starts Java: the signal goes to both.
  if (emulator?.pid === undefined) return
  process.kill(-emulator.pid)
  await once(emulator, 'exit')
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const json = { 'content-type': 'application/json' }
const post = (path: string, body: object, method = 'POST') =>
  fetch(`${url}/v1/${path}`, { method, headers: json, body: JSON.stringify(body) })

test.skipIf(program === undefined)(
  "notifications reach Google's emulator in order, and an unknown topic is refused",
  async () => {
    await using google = await startPubSub()
    await using tools = cloudTools({ pubsub: url })
    const credentials = { credentials: JSON.stringify(google.addServiceAccount()) }
    await expect(pubsub.verify({ topic }, credentials, tools)).rejects.toMatchObject({ field: 'topic' })
    await post(topic, {}, 'PUT')
    await expect(pubsub.verify({ topic }, credentials, tools)).resolves.toBeUndefined()
    const subscription = 'projects/simulated-project/subscriptions/worker'
    await post(subscription, { topic, enableMessageOrdering: true }, 'PUT')
    using transport = pubsub.open({ topic }, credentials, tools)
    const ids = Array.from({ length: 5 }, (_, at) => `n-${at}`)
    for (const id of ids) expect((await transport.send(messageOf(id))).status).toBe(200)
    const answer = await post(`${subscription}:pull`, { maxMessages: 10 })
    const {
      receivedMessages,
    }: { receivedMessages: { message: { attributes: { id: string }; orderingKey: string } }[] } = JSON.parse(
      await answer.text(),
    )
    expect(receivedMessages.map(({ message }) => [message.orderingKey, message.attributes.id])).toEqual(
      ids.map((id) => ['grant-1', id]),
    )
    using unknown = pubsub.open({ topic: `${topic}-missing` }, credentials, tools)
    expect((await unknown.send(messageOf('n-9'))).status).toBe(404)
  },
)
