// Cloud Pub/Sub, limited to push subscriptions: a message published to a topic is posted to the endpoint of its
// subscription. A bearer token identifies the sender. https://cloud.google.com/pubsub/docs/push
import { ISSUER } from './oauth/oauth.ts'
import type { World } from './world.ts'

let published = 0

/** Publishes to a topic; without a subscription, the message is dropped. */
export function publish(world: World, topicName: string, data: string): void {
  const subscription = world.topics.get(topicName)
  if (subscription === undefined) return
  const { endpoint, audience = endpoint, serviceAccountEmail } = subscription
  published++
  const messageId = String(10_000_000_000_000 + published)
  const publishTime = new Date(world.now()).toISOString()
  const body = JSON.stringify({
    message: {
      data: Buffer.from(data).toString('base64'),
      messageId,
      message_id: messageId,
      publishTime,
      publish_time: publishTime,
    },
    subscription: topicName.replace('/topics/', '/subscriptions/'),
  })
  world.push({
    url: endpoint,
    body,
    async headers() {
      const plain = { 'content-type': 'application/json', 'user-agent': 'APIs-Google' }
      if (serviceAccountEmail === undefined) return plain
      const iat = Math.floor(world.now() / 1000)
      const token = await world.key.sign({
        iss: ISSUER,
        aud: audience,
        azp: '115555555555555555555',
        sub: '115555555555555555555',
        email: serviceAccountEmail,
        email_verified: true,
        iat,
        exp: iat + 3600,
      })
      return { ...plain, authorization: `Bearer ${token}` }
    },
  })
}
