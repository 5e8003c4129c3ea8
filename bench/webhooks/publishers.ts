/** How the floor publishes: with the client that the vendor of a broker publishes, or with bare signed requests. */
import { PublishBatchCommand, SNSClient } from '@aws-sdk/client-sns'
import { PubSub } from '@google-cloud/pubsub'
import { jetstream } from '@nats-io/jetstream'
import { connect as connectNats, headers as natsHeaders } from '@nats-io/transport-node'
import { connect as connectAmqp } from 'amqplib'
import { GoogleAuth, OAuth2Client } from 'google-auth-library'
import { importPKCS8, SignJWT } from 'jose'
import { Pool } from 'undici'
import { Batches } from '../../packages/server/src/webhooks/transports/batches.ts'
import { signed } from '../../packages/server/src/webhooks/transports/sns/keys.ts'
import { batchForm } from '../../packages/server/src/webhooks/transports/sns/message.ts'
import type { PubSubPlace, SnsPlace } from './clouds.ts'

export type Publishing =
  | { by: 'nats'; servers: string; subject: string }
  | { by: 'amqp'; url: string; queue: string }
  | ({ by: 'google' | 'bare pubsub' } & PubSubPlace)
  | ({ by: 'aws' | 'bare sns' } & SnsPlace)

export interface Message {
  id: string
  type: string
  grantId: string
  body: Buffer
}

/** Resolves with what the broker answered, when it confirmed the message. */
export interface Publisher extends AsyncDisposable {
  publish(message: Message): Promise<string>
}

export async function openPublisher(publishing: Publishing): Promise<Publisher> {
  switch (publishing.by) {
    case 'nats':
      return overNats(publishing)
    case 'amqp':
      return overAmqp(publishing)
    case 'google':
      return withGoogle(publishing)
    case 'bare pubsub':
      return bareToPubSub(publishing)
    case 'aws':
      return withAws(publishing)
    case 'bare sns':
      return bareToSns(publishing)
  }
}

async function overNats({ servers, subject }: { servers: string; subject: string }): Promise<Publisher> {
  const connection = await connectNats({ servers })
  const stream = jetstream(connection)
  return {
    async publish({ id, type, grantId, body }) {
      const headers = natsHeaders()
      headers.set('Content-Type', 'application/json')
      headers.set('Waypost-Type', type)
      headers.set('Waypost-Grant-Id', grantId)
      const { stream: name, seq } = await stream.publish(subject, body, { msgID: id, headers })
      return `{"stream":"${name}","seq":${seq}}`
    },
    [Symbol.asyncDispose]: () => connection.close(),
  }
}

async function overAmqp({ url, queue }: { url: string; queue: string }): Promise<Publisher> {
  const connection = await connectAmqp(url)
  const channel = await connection.createConfirmChannel()
  return {
    publish: ({ id, type, grantId, body }) =>
      new Promise((resolve, reject) => {
        const properties = { persistent: true, mandatory: true, contentType: 'application/json', messageId: id, type }
        const headers = { 'waypost-grant-id': grantId }
        channel.publish('', queue, body, { ...properties, headers }, (error) =>
          error ? reject(error) : resolve('confirmed'),
        )
      }),
    [Symbol.asyncDispose]: () => connection.close(),
  }
}

const scope = 'https://www.googleapis.com/auth/pubsub'

async function googleToken(credentials: string): Promise<string> {
  const key: { client_email: string; private_key: string; token_uri: string } = JSON.parse(credentials)
  const now = Math.floor(Date.now() / 1000)
  const assertion = await new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(key.client_email)
    .setAudience(key.token_uri)
    .setIssuedAt(now)
    .setExpirationTime(now + 3_600)
    .sign(await importPKCS8(key.private_key, 'RS256'))
  const body = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion })
  const answer: { access_token: string } = JSON.parse(
    await (await fetch(key.token_uri, { method: 'POST', body })).text(),
  )
  return answer.access_token
}

/** Over REST, because the simulator has no gRPC. */
async function withGoogle({ url, topic, credentials }: PubSubPlace): Promise<Publisher> {
  const authClient = new OAuth2Client()
  authClient.setCredentials({ access_token: await googleToken(credentials), expiry_date: Date.now() + 3_600_000 })
  const { host } = new URL(url)
  const over = { projectId: 'simulated-project', fallback: true, protocol: 'http', apiEndpoint: host }
  const client = new PubSub({ ...over, auth: new GoogleAuth({ authClient }) } as never)
  const opened = client.topic(topic, { messageOrdering: true, batching: { maxMilliseconds: 0 } })
  return {
    async publish({ id, type, grantId, body }) {
      const messageId = await opened.publishMessage({ data: body, attributes: { id, type }, orderingKey: grantId })
      return `{"messageIds":["${messageId}"]}`
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

const connections = 64

async function bareToPubSub({ url, topic, credentials }: PubSubPlace): Promise<Publisher> {
  const pool = new Pool(url, { connections })
  const headers = { authorization: `Bearer ${await googleToken(credentials)}`, 'content-type': 'application/json' }
  return {
    async publish({ id, type, grantId, body }) {
      const rest = `"attributes":{"id":"${id}","type":"${type}"},"orderingKey":"${grantId}"`
      const text = `{"messages":[{"data":"${body.toString('base64')}",${rest}}]}`
      const answer = await pool.request({ path: `/v1/${topic}:publish`, method: 'POST', headers, body: text })
      const answered = await answer.body.text()
      if (answer.statusCode !== 200) throw new Error(answered)
      return answered
    },
    [Symbol.asyncDispose]: () => pool.close(),
  }
}

const inBatch = { messages: 10, bytes: 262_144 }
interface Batched extends Message {
  bytes: number
}

/** Ten messages in a request, as many as SNS takes. */
function inBatches(request: (messages: readonly Batched[]) => Promise<void>, close: () => unknown): Publisher {
  const batches = new Batches<Batched, string>(inBatch, async (messages) => {
    await request(messages)
    return messages.map(() => '')
  })
  return {
    publish: (message) => batches.send({ ...message, bytes: message.body.length }),
    [Symbol.asyncDispose]: async () => void (await close()),
  }
}

async function withAws({ url, region, topic, accessKeyId, secretAccessKey }: SnsPlace): Promise<Publisher> {
  const client = new SNSClient({ endpoint: url, region, credentials: { accessKeyId, secretAccessKey } })
  const text = (value: string) => ({ DataType: 'String', StringValue: value })
  return inBatches(
    async (messages) => {
      const entries = messages.map(({ id, type, body }, at) => ({
        ...{ Id: String(at + 1), Message: body.toString() },
        MessageAttributes: { id: text(id), type: text(type) },
      }))
      const answer = await client.send(
        new PublishBatchCommand({ TopicArn: topic, PublishBatchRequestEntries: entries }),
      )
      if (answer.Failed && answer.Failed.length > 0) throw new Error(JSON.stringify(answer.Failed))
    },
    () => client.destroy(),
  )
}

async function bareToSns({ url, region, topic, accessKeyId, secretAccessKey }: SnsPlace): Promise<Publisher> {
  const pool = new Pool(url, { connections })
  const keys = { accessKeyId, secretAccessKey }
  const plain = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
  return inBatches(
    async (messages) => {
      const entries = messages.map(({ id, type, grantId, body, bytes }) => ({
        ...{ id, grantId, bytes, text: body.toString() },
        attributes: { id, type },
      }))
      const body = batchForm(topic, entries, false)
      const at = { region, service: 'sns', at: Date.now() }
      const headers = signed({ url: new URL(url), headers: plain, body }, keys, at)
      const answer = await pool.request({ path: '/', method: 'POST', headers, body })
      const answered = await answer.body.text()
      if (answer.statusCode !== 200) throw new Error(answered)
    },
    () => pool.close(),
  )
}
