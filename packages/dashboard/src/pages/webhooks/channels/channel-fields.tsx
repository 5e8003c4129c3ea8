/** The fields of a channel's form: where it publishes, and how it signs in there. */
import { type ReactNode, useState } from 'react'
import { AreaField, SelectField, TextField } from '../../../components/form.tsx'
import type { Channel, ChannelTransport } from '../../../destinations.ts'
import { credentialKindsFor, type SecretField } from './credentials.ts'

const only = <T extends ChannelTransport>(transport: T, channel: Channel | undefined) =>
  channel?.transport === transport ? (channel as Extract<Channel, { transport: T }>) : undefined

const places: Readonly<Record<ChannelTransport, (channel: Channel | undefined) => ReactNode>> = {
  pubsub: (channel) => (
    <TextField
      label="Topic"
      name="topic"
      defaultValue={only('pubsub', channel)?.topic}
      placeholder="projects/my-project/topics/my-topic"
      hint="Its full name. The service account needs the role Pub/Sub Publisher."
    />
  ),
  sns: (channel) => (
    <>
      <TextField
        label="Topic"
        name="topic"
        defaultValue={only('sns', channel)?.topic}
        placeholder="arn:aws:sns:eu-west-1:123456789012:my-topic.fifo"
        hint="Its ARN. A FIFO topic keeps the order of each grant; a standard topic may not."
      />
      <TextField
        label="Role"
        name="role_arn"
        optional
        defaultValue={only('sns', channel)?.role_arn ?? undefined}
        placeholder="arn:aws:iam::123456789012:role/publisher"
        hint="The ARN of a role to assume, with the application ID as external ID. Without it, the access key publishes."
      />
    </>
  ),
  nats: (channel) => (
    <>
      <AreaField
        label="Servers"
        name="servers"
        rows={2}
        mono
        defaultValue={only('nats', channel)?.servers.join('\n')}
        placeholder="tls://nats.example.com:4222"
        hint="Addresses of one cluster, one per line. They are tried in this order."
      />
      <div className="form-grid">
        <TextField
          label="Subject"
          name="subject"
          defaultValue={only('nats', channel)?.subject}
          placeholder="waypost.notifications"
          hint="A JetStream stream must have this subject."
        />
        <TextField
          label="Stream"
          name="stream"
          optional
          defaultValue={only('nats', channel)?.stream ?? undefined}
          hint="The stream that must store the messages. Empty: any."
        />
      </div>
    </>
  ),
  amqp: (channel) => (
    <>
      <TextField
        label="Broker"
        name="url"
        defaultValue={only('amqp', channel)?.url}
        placeholder="amqps://rabbit.example.com/my-vhost"
        hint="Its address with the virtual host, without a user."
      />
      <div className="form-grid">
        <TextField
          label="Exchange"
          name="exchange"
          optional
          defaultValue={only('amqp', channel)?.exchange}
          hint="It must exist. Empty: the default exchange, which routes to the queue with the name of the routing key."
        />
        <TextField
          label="Routing key"
          name="routing_key"
          optional
          defaultValue={only('amqp', channel)?.routing_key}
          hint="A queue must be bound to it."
        />
      </div>
    </>
  ),
}

function Secret({ name, label, hint, kind }: SecretField) {
  if (kind === 'lines') return <AreaField {...{ name, label, hint }} rows={4} mono />
  return (
    <TextField {...{ name, label, hint }} type={kind} autoComplete={kind === 'password' ? 'new-password' : 'off'} />
  )
}

function CredentialFields({ transport, channel }: { transport: ChannelTransport; channel: Channel | undefined }) {
  const ways = credentialKindsFor(transport, channel)
  const [chosen, setChosen] = useState(ways[0]?.value ?? '')
  const way = ways.find(({ value }) => value === chosen)
  return (
    <>
      <SelectField
        label="Credentials"
        name="sign_in"
        value={chosen}
        onChange={setChosen}
        options={ways.map(({ value, text }) => [value, text])}
      />
      {way && way.fields.length > 0 && (
        <div key={chosen} className={way.fields.length > 1 ? 'form-grid' : 'form'}>
          {way.fields.map((field) => (
            <Secret key={field.name} {...field} />
          ))}
        </div>
      )}
    </>
  )
}

export function ChannelFields({ transport, channel }: { transport: ChannelTransport; channel: Channel | undefined }) {
  return (
    <>
      {places[transport](channel)}
      <CredentialFields {...{ transport, channel }} />
    </>
  )
}
