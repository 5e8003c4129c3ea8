/** Simulated clouds in a process of their own, so that their processor time counts for nobody. */
import { startPubSub, startSns } from '@waypost/simulators'
import { answering } from './child.ts'

export interface PubSubPlace {
  url: string
  topic: string
  /** The key file of a service account. */
  credentials: string
}
export interface SnsPlace {
  url: string
  region: string
  topic: string
  accessKeyId: string
  secretAccessKey: string
}

const pubsub = await startPubSub()
const sns = await startSns()
const pubsubTopic = 'projects/simulated-project/topics/notifications'
const snsTopic = sns.addTopic('notifications')
pubsub.addTopic(pubsubTopic)

const places = {
  pubsub: (): PubSubPlace => ({
    url: pubsub.url,
    topic: pubsubTopic,
    credentials: JSON.stringify(pubsub.addServiceAccount()),
  }),
  sns: (): SnsPlace => ({ url: sns.url, region: sns.region, topic: snsTopic, ...sns.addUser() }),
}

answering(
  {
    ...places,
    count: ({ cloud }: { cloud: keyof typeof places }) =>
      (cloud === 'pubsub' ? pubsub.messages(pubsubTopic) : sns.messages(snsTopic)).length,
    clear() {
      pubsub.clearCalls()
      pubsub.deleteTopic(pubsubTopic)
      pubsub.addTopic(pubsubTopic)
      sns.clearCalls()
      sns.deleteTopic(snsTopic)
      sns.addTopic('notifications')
    },
  },
  async () => {
    await pubsub[Symbol.asyncDispose]()
    await sns[Symbol.asyncDispose]()
  },
)
