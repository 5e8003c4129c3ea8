/** Where a channel publishes, and whether it has credentials of its own. */
import type { ReactNode } from 'react'
import { CopyText } from '../../../components/copy.tsx'
import type { Channel } from '../../../destinations.ts'

type Row = readonly [label: string, value: ReactNode]

function placeRows(channel: Channel): Row[] {
  const copied = (text: string, label: string) => <CopyText key={label} inline text={text} label={`Copy ${label}`} />
  switch (channel.transport) {
    case 'pubsub':
      return [['Topic', copied(channel.topic, 'topic')]]
    case 'sns':
      return [
        ['Topic', copied(channel.topic, 'topic')],
        ['Role', channel.role_arn === null ? 'none' : copied(channel.role_arn, 'role')],
      ]
    case 'nats':
      return [
        [
          'Servers',
          <span key="servers" className="wrap">
            {channel.servers.join(', ')}
          </span>,
        ],
        ['Subject', copied(channel.subject, 'subject')],
        ['Stream', channel.stream ?? 'any with this subject'],
      ]
    case 'amqp':
      return [
        ['Broker', copied(channel.url, 'address of the broker')],
        ['Exchange', channel.exchange || 'the default exchange'],
        ['Routing key', channel.routing_key || 'empty'],
      ]
  }
}

/** What a channel without credentials uses. */
const otherwise: Readonly<Record<Channel['transport'], string>> = {
  pubsub: 'those of the operator',
  sns: 'those of the operator',
  nats: 'none',
  amqp: 'none',
}

export const channelRows = (channel: Channel): Row[] => [
  ...placeRows(channel),
  ['Credentials', channel.has_credentials ? 'stored, encrypted' : otherwise[channel.transport]],
]
