// The published AWS client against the simulated SNS. The client signs its requests, and the simulator verifies them.
import { createHash, createHmac } from 'node:crypto'
import {
  CreateTopicCommand,
  GetTopicAttributesCommand,
  PublishBatchCommand,
  PublishCommand,
  SNSClient,
} from '@aws-sdk/client-sns'
import { afterEach, expect, test } from 'vitest'
import { type SnsOptions, type SnsSimulator, startSns } from '../src/index.ts'

const running: AsyncDisposable[] = []
afterEach(async () => {
  for (const each of running.splice(0).reverse()) await each[Symbol.asyncDispose]()
})

async function start(options: SnsOptions = {}): Promise<SnsSimulator> {
  const sns = await startSns(options)
  running.push(sns)
  return sns
}

function clientOf(sns: SnsSimulator, credentials = sns.addUser(), region = sns.region): SNSClient {
  return new SNSClient({ endpoint: sns.url, region, credentials, maxAttempts: 1 })
}

const nameOf = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error: { name: string }) => error.name,
  )

test('the published client creates a topic, publishes with attributes, and reads the attributes of the topic', async () => {
  const sns = await start()
  const client = clientOf(sns)
  const { TopicArn } = await client.send(new CreateTopicCommand({ Name: 'notifications' }))
  const MessageAttributes = { type: { DataType: 'String', StringValue: 'message.created' } }
  const sent = await client.send(new PublishCommand({ TopicArn, Message: 'Grüße <&>', MessageAttributes }))
  expect(sns.messages(TopicArn ?? '')).toMatchObject([
    { messageId: sent.MessageId, message: 'Grüße <&>', attributes: { type: { value: 'message.created' } } },
  ])
  const { Attributes } = await client.send(new GetTopicAttributesCommand({ TopicArn }))
  expect(Attributes).toMatchObject({ TopicArn, Owner: sns.account })
})

test('a batch reports each entry: a message that is not valid fails alone', async () => {
  const sns = await start()
  const TopicArn = sns.addTopic('notifications')
  const entries = [
    { Id: 'a', Message: 'first' },
    { Id: 'b', Message: '' },
    { Id: 'c', Message: 'third' },
  ]
  const answer = await clientOf(sns).send(new PublishBatchCommand({ TopicArn, PublishBatchRequestEntries: entries }))
  expect(answer.Successful?.map(({ Id }) => Id)).toEqual(['a', 'c'])
  expect(answer.Failed).toMatchObject([{ Id: 'b', Code: 'InvalidParameter', SenderFault: true }])
  expect(sns.messages(TopicArn).map(({ message }) => message)).toEqual(['first', 'third'])
})

test('a batch has at most 10 entries with different ids and 262,144 bytes', async () => {
  const sns = await start()
  const TopicArn = sns.addTopic('notifications')
  const client = clientOf(sns)
  const batch = (messages: string[], idOf = (at: number) => String(at)) =>
    nameOf(
      client.send(
        new PublishBatchCommand({
          TopicArn,
          PublishBatchRequestEntries: messages.map((Message, at) => ({ Id: idOf(at), Message })),
        }),
      ),
    )
  expect(await batch(Array(11).fill('x'))).toBe('TooManyEntriesInBatchRequestException')
  expect(await batch(['x', 'y'], () => 'same')).toBe('BatchEntryIdsNotDistinctException')
  expect(await batch(['x'.repeat(200_000), 'y'.repeat(200_000)])).toBe('BatchRequestTooLongException')
  expect(await batch([])).toBe('EmptyBatchRequestException')
  const long = new PublishCommand({ TopicArn, Message: 'x'.repeat(262_145) })
  expect(await nameOf(client.send(long))).toBe('InvalidParameterException')
  expect(sns.messages(TopicArn)).toEqual([])
})

test('a FIFO topic needs a group, and drops a repetition for five minutes', async () => {
  let now = Date.now()
  const sns = await start({ now: () => now })
  const TopicArn = sns.addTopic('notifications.fifo')
  const client = clientOf(sns)
  const publish = (fields: object) => client.send(new PublishCommand({ TopicArn, Message: 'x', ...fields }))
  expect(await nameOf(publish({}))).toBe('InvalidParameterException')
  expect(await nameOf(publish({ MessageGroupId: 'g' }))).toBe('InvalidParameterException')
  const first = await publish({ MessageGroupId: 'g', MessageDeduplicationId: 'n-1' })
  const again = await publish({ MessageGroupId: 'g', MessageDeduplicationId: 'n-1' })
  expect(again).toMatchObject({ MessageId: first.MessageId, SequenceNumber: first.SequenceNumber })
  now += 5 * 60_000
  await publish({ MessageGroupId: 'g', MessageDeduplicationId: 'n-1' })
  expect(sns.messages(TopicArn).map(({ deduplicationId }) => deduplicationId)).toEqual(['n-1', 'n-1'])
})

test('a signature is valid only with the right secret, region and time', async () => {
  let now = Date.now()
  const sns = await start({ now: () => now })
  const TopicArn = sns.addTopic('notifications')
  const key = sns.addUser()
  const publish = (client: SNSClient) => nameOf(client.send(new PublishCommand({ TopicArn, Message: 'x' })))
  expect(await publish(clientOf(sns, key))).toBe('ok')
  expect(await publish(clientOf(sns, { ...key, secretAccessKey: 'wrong' }))).toBe('SignatureDoesNotMatch')
  expect(await publish(clientOf(sns, key, 'eu-west-1'))).toBe('SignatureDoesNotMatch')
  expect(await publish(clientOf(sns, { ...key, accessKeyId: 'AKIAUNKNOWN' }))).toBe('InvalidClientTokenId')
  now += 16 * 60_000
  expect(await publish(clientOf(sns, key))).toBe('SignatureDoesNotMatch')
  const unsigned = await fetch(sns.url, { method: 'POST', body: 'Action=Publish&Version=2010-03-31' })
  expect([unsigned.status, await unsigned.text()]).toEqual([403, expect.stringContaining('MissingAuthenticationToken')])
  expect(sns.messages(TopicArn)).toHaveLength(1)
})

test('a changed body does not match its signature', async () => {
  const sns = await start()
  const key = sns.addUser()
  const TopicArn = sns.addTopic('notifications')
  const body = (message: string) =>
    new URLSearchParams({ Action: 'Publish', Version: '2010-03-31', TopicArn, Message: message }).toString()
  const send = async (text: string, signed: string) =>
    (await fetch(sns.url, { method: 'POST', headers: signedByHand(sns, key, signed), body: text })).status
  expect(await send(body('mine'), body('mine'))).toBe(200)
  expect(await send(body('other'), body('mine'))).toBe(403)
  expect(sns.messages(TopicArn).map(({ message }) => message)).toEqual(['mine'])
})

test('permissions, unknown topics, deleted keys and throttling answer with the documented codes', async () => {
  const open = await start({ messagesPerSecond: 2 })
  const TopicArn = open.addTopic('notifications')
  const publish = (client: SNSClient, arn = TopicArn) =>
    nameOf(client.send(new PublishCommand({ TopicArn: arn, Message: 'x' })))
  const key = open.addUser(['sns:Publish'])
  expect(await publish(clientOf(open, open.addUser([])))).toBe('AuthorizationErrorException')
  expect(await publish(clientOf(open, key), `${TopicArn}-missing`)).toBe('NotFoundException')
  const all = await Promise.all(Array.from({ length: 8 }, () => publish(clientOf(open, key))))
  expect(all).toContain('Throttling')
  open.deleteKey(key.accessKeyId)
  expect(await publish(clientOf(open, key))).toBe('InvalidClientTokenId')
})

interface Key {
  accessKeyId: string
  secretAccessKey: string
}

/** Signs a form for SNS, written out step by step. */
function signedByHand(sns: SnsSimulator, { accessKeyId, secretAccessKey }: Key, body: string): Record<string, string> {
  const date = new Date().toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const scope = `${date.slice(0, 8)}/${sns.region}/sns/aws4_request`
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const canonical = `POST\n/\n\nhost:${new URL(sns.url).host}\nx-amz-date:${date}\n\nhost;x-amz-date\n${hash(body)}`
  const key = hmac(hmac(hmac(hmac(`AWS4${secretAccessKey}`, date.slice(0, 8)), sns.region), 'sns'), 'aws4_request')
  const signature = hmac(key, `AWS4-HMAC-SHA256\n${date}\n${scope}\n${hash(canonical)}`).toString('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=host;x-amz-date, Signature=${signature}`
  return { authorization, 'x-amz-date': date, 'content-type': 'application/x-www-form-urlencoded' }
}
