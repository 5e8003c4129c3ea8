import { type Trigger, triggers, type Webhook } from '@waypost/sdk'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../api.ts'
import { Dialog } from '../../components/dialog.tsx'
import { AreaField, CheckField, Choices, Form, TextField, type Values } from '../../components/form.tsx'
import { showToast } from '../../components/toast.tsx'
import { refresh } from '../../queries.ts'
import { Secret } from './secret.tsx'

export const triggerList = Object.entries(triggers).map(([name, { summary }]) => ({ name: name as Trigger, summary }))

/** Creates or edits a destination. */
export function EditWebhook({
  application,
  webhook,
  onClose,
}: {
  application: string
  webhook?: Webhook
  onClose(): void
}) {
  const [, navigate] = useLocation()
  const [made, setMade] = useState<{ id: string; secret: string }>()
  if (made) {
    return (
      <Secret
        title="Destination verified and active"
        secret={made.secret}
        onClose={() => navigate(`/a/${application}/webhooks/${made.id}`)}
      />
    )
  }
  return (
    <Dialog wide title={webhook ? 'Edit destination' : 'New destination'} onClose={onClose}>
      <Form
        submit={webhook ? 'Save' : 'Create destination'}
        onCancel={onClose}
        onSubmit={(values) => save(application, webhook, values)}
        onDone={(result) => {
          if (result) return setMade(result)
          showToast('Saved')
          onClose()
        }}
      >
        <WebhookFields webhook={webhook} />
      </Form>
    </Dialog>
  )
}

/** Saves the form. A new destination returns its secret, which is shown once. */
async function save(application: string, webhook: Webhook | undefined, values: Values) {
  const chosen = values.all('trigger_types')
  // Null clears a field; an empty value would leave it unchanged.
  const addresses = values.lines('notification_email_addresses')
  const body = {
    webhook_url: values.text('webhook_url') ?? '',
    description: values.text('description') ?? null,
    trigger_types: triggerList.map(({ name }) => name).filter((name) => chosen.includes(name)),
    notification_email_addresses: addresses.length > 0 ? addresses : null,
    compressed_delivery: values.checked('compressed_delivery'),
  }
  const routes = api(application).webhooks
  if (webhook) {
    await routes.update({ id: webhook.id, body: { ...body, status: undefined } })
    await refresh('webhooks', application)
    return undefined
  }
  const { data } = await routes.create({ body })
  await refresh('webhooks', application)
  return { id: data.id, secret: data.webhook_secret }
}

function WebhookFields({ webhook }: { webhook: Webhook | undefined }) {
  return (
    <>
      <TextField
        label="Address"
        name="webhook_url"
        type="url"
        defaultValue={webhook?.webhook_url}
        placeholder="https://app.example.com/webhooks"
        hint="The service verifies it first: your receiver must answer GET ?challenge=… with exactly that text within 10 seconds."
        autoFocus
      />
      <TextField label="Description" name="description" optional defaultValue={webhook?.description} />
      <Choices legend="Triggers" name="trigger_types">
        {triggerList.map(({ name, summary }) => (
          <CheckField
            key={name}
            name="trigger_types"
            value={name}
            checked={webhook ? webhook.trigger_types.includes(name) : name === 'message.created'}
            label={<code>{name}</code>}
            hint={summary}
          />
        ))}
      </Choices>
      <AreaField
        label="Failure alert recipients"
        name="notification_email_addresses"
        optional
        rows={2}
        hint="One address per line."
        defaultValue={webhook?.notification_email_addresses.join('\n')}
      />
      <CheckField
        name="compressed_delivery"
        checked={webhook?.compressed_delivery}
        label="Compress request bodies"
        hint="Uses gzip. The signature covers the compressed bytes."
      />
    </>
  )
}
