import { type Trigger, triggers, WaypostError } from '@waypost/sdk'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../api.ts'
import { Dialog } from '../../components/dialog.tsx'
import {
  AreaField,
  CheckField,
  Choices,
  FieldError,
  Form,
  SelectField,
  TextField,
  type Values,
} from '../../components/form.tsx'
import { Prose } from '../../components/prose.tsx'
import { showToast } from '../../components/toast.tsx'
import { type ChannelTransport, type Destination, isChannel, type Transport, transports } from '../../destinations.ts'
import { refresh } from '../../queries.ts'
import { ChannelFields } from './channels/channel-fields.tsx'
import { secretsIn } from './channels/credentials.ts'
import { Secret } from './secret.tsx'

export const triggerList = Object.entries(triggers).map(([name, { summary }]) => ({ name: name as Trigger, summary }))

/** Creates or edits a destination. */
export function EditDestination({
  application,
  destination,
  onClose,
}: {
  application: string
  destination?: Destination
  onClose(): void
}) {
  const [, navigate] = useLocation()
  const [transport, setTransport] = useState<Transport>(destination?.transport ?? 'webhook')
  const [made, setMade] = useState<{ id: string; secret: string }>()
  const show = (id: string): void => navigate(`/a/${application}/webhooks/${id}`)
  if (made) {
    return <Secret title="Destination verified and active" secret={made.secret} onClose={() => show(made.id)} />
  }
  return (
    <Dialog wide title={destination ? 'Edit destination' : 'New destination'} onClose={onClose}>
      <Form
        submit={destination ? 'Save' : 'Create destination'}
        busyLabel={destination ? 'Saving…' : 'Verifying…'}
        onCancel={onClose}
        explain={explainRefusal}
        onSubmit={(values) => save(application, { transport, id: destination?.id }, values)}
        onDone={({ id, secret }) => {
          if (secret !== undefined) return setMade({ id, secret })
          showToast(destination ? 'Saved' : 'Destination verified and active')
          if (destination) onClose()
          else show(id)
        }}
      >
        {!destination && (
          <SelectField
            label="Transport"
            name="transport"
            value={transport}
            options={transports}
            onChange={(value) => setTransport(transports.find(([each]) => each === value)?.[0] ?? 'webhook')}
            hint={
              transport === 'webhook'
                ? 'A webhook posts notifications to your URL.'
                : 'A channel publishes notifications to your broker. The service asks the broker first whether it takes them.'
            }
          />
        )}
        <PlaceFields key={transport} transport={transport} destination={destination} />
        <DestinationFields destination={destination} />
      </Form>
    </Dialog>
  )
}

/** A receiver or broker that refused the destination names the field at fault. */
function explainRefusal(error: unknown): unknown {
  if (!(error instanceof WaypostError)) return error
  const [, field, problem] = /^unable\.verify\.(\w+) : (.+)$/s.exec(error.message) ?? []
  return field && problem ? new FieldError(field, problem) : error
}

/** Saves the form. A new webhook returns its secret, which is shown once. */
async function save(
  application: string,
  { transport, id }: { transport: Transport; id: string | undefined },
  values: Values,
): Promise<{ id: string; secret?: string }> {
  const chosen = values.all('trigger_types')
  // Null clears a field; an empty value would leave it unchanged.
  const addresses = values.lines('notification_email_addresses')
  const common: CommonFields = {
    description: values.text('description') ?? null,
    trigger_types: triggerList.map(({ name }) => name).filter((name) => chosen.includes(name)),
    notification_email_addresses: addresses.length > 0 ? addresses : null,
    compressed_delivery: values.checked('compressed_delivery'),
  }
  const saved = await (transport === 'webhook'
    ? saveWebhook(application, id, { ...common, webhook_url: values.text('webhook_url') ?? '' })
    : { id: await saveChannel(application, { transport, id }, values, common) })
  await refresh('webhooks', application)
  return saved
}

async function saveWebhook(
  application: string,
  id: string | undefined,
  body: CommonFields & { webhook_url: string },
): Promise<{ id: string; secret?: string }> {
  const routes = api(application).webhooks
  if (id !== undefined) {
    await routes.update({ id, body: { ...body, status: undefined } })
    return { id }
  }
  const { data } = await routes.create({ body })
  return { id: data.id, secret: data.webhook_secret }
}

function PlaceFields({ transport, destination }: { transport: Transport; destination: Destination | undefined }) {
  if (transport !== 'webhook') {
    return (
      <ChannelFields transport={transport} channel={destination && isChannel(destination) ? destination : undefined} />
    )
  }
  return (
    <TextField
      label="Address"
      name="webhook_url"
      type="url"
      defaultValue={destination?.transport === 'webhook' ? destination.webhook_url : undefined}
      placeholder="https://app.example.com/webhooks"
      hint="The service verifies it first: your receiver must answer GET ?challenge=… with exactly that text within 10 seconds."
      autoFocus
    />
  )
}

/** The fields that all destinations have. */
function DestinationFields({ destination }: { destination: Destination | undefined }) {
  return (
    <>
      <TextField label="Description" name="description" optional defaultValue={destination?.description} />
      <Choices legend="Triggers" name="trigger_types">
        {triggerList.map(({ name, summary }) => (
          <CheckField
            key={name}
            name="trigger_types"
            value={name}
            checked={destination ? destination.trigger_types.includes(name) : name === 'message.created'}
            label={<code>{name}</code>}
            hint={<Prose text={summary} />}
          />
        ))}
      </Choices>
      <AreaField
        label="Failure alert recipients"
        name="notification_email_addresses"
        optional
        rows={2}
        hint="One address per line."
        defaultValue={destination?.notification_email_addresses.join('\n')}
      />
      <CheckField
        name="compressed_delivery"
        checked={destination?.compressed_delivery}
        label="Compress bodies"
        hint="Uses gzip. The signature of a webhook covers the compressed bytes. Messages of a channel have an attribute or header that says so."
      />
    </>
  )
}

/** The fields that all destinations have. */
interface CommonFields {
  description: string | null
  trigger_types: Trigger[]
  notification_email_addresses: string[] | null
  compressed_delivery: boolean
}

/** Creates a channel, or changes the one with the id. Resolves with its id. */
async function saveChannel(
  application: string,
  { transport, id }: { transport: ChannelTransport; id: string | undefined },
  values: Values,
  common: CommonFields,
): Promise<string> {
  const client = api(application)
  const shared = { ...common, ...secretsIn(transport, values) }
  const text = (name: string): string => values.text(name) ?? ''
  switch (transport) {
    case 'pubsub': {
      const { create, update } = client.pubsubChannels
      const body = { ...shared, topic: text('topic') }
      return (await (id === undefined ? create({ body }) : update({ channel_id: id, body }))).data.id
    }
    case 'sns': {
      const { create, update } = client.snsChannels
      const body = { ...shared, topic: text('topic'), role_arn: values.text('role_arn') ?? null }
      return (await (id === undefined ? create({ body }) : update({ channel_id: id, body }))).data.id
    }
    case 'nats': {
      const { create, update } = client.natsChannels
      const place = {
        servers: values.lines('servers'),
        subject: text('subject'),
        stream: values.text('stream') ?? null,
      }
      const body = { ...shared, ...place }
      return (await (id === undefined ? create({ body }) : update({ channel_id: id, body }))).data.id
    }
    case 'amqp': {
      const { create, update } = client.amqpChannels
      const place = { url: text('url'), exchange: text('exchange'), routing_key: text('routing_key') }
      const body = { ...shared, ...place }
      return (await (id === undefined ? create({ body }) : update({ channel_id: id, body }))).data.id
    }
  }
}
