/** Sends a test notification, or only shows its payload. */
import type { Trigger } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Code, json } from '../../components/copy.tsx'
import { ActionButton, Dialog } from '../../components/dialog.tsx'
import { Form, SelectField, TextField } from '../../components/form.tsx'
import { Card } from '../../components/page.tsx'
import { triggerList } from './edit-destination.tsx'

export function TryOut({ application, urls }: { application: string; urls: readonly string[] }) {
  const [trigger, setTrigger] = useState<Trigger>('message.created')
  const [shown, setShown] = useState<string>()
  return (
    <Card
      title="Try it out"
      lead="Test events are signed with the fixed secret mock-webhook-secret."
      actions={
        <ActionButton
          changes
          label="Show a payload"
          onAct={async () => {
            const { data } = await api(application).webhooks.mockPayload({ body: { trigger_type: trigger } })
            setShown(json(data))
          }}
        />
      }
    >
      <div className="card-body">
        <Form
          key={urls[0]}
          submit="Send test event"
          onSubmit={(values) =>
            api(application).webhooks.sendTestEvent({
              body: { trigger_type: trigger, webhook_url: values.text('webhook_url') ?? '' },
            })
          }
          done="The receiver accepted the test event"
        >
          <div className="form-grid">
            <SelectField
              label="Trigger"
              name="trigger_type"
              value={trigger}
              onChange={(value) => setTrigger(triggerList.find(({ name }) => name === value)?.name ?? trigger)}
              options={triggerList.map(({ name }) => [name, name])}
            />
            <TextField
              label="Address"
              name="webhook_url"
              type="url"
              defaultValue={urls[0] ?? ''}
              placeholder="https://app.example.com/webhooks"
              hint="It does not have to be a destination."
            />
          </div>
        </Form>
      </div>
      {shown !== undefined && (
        <Dialog wide title={trigger} onClose={() => setShown(undefined)}>
          <Code label="The payload as JSON" text={shown} />
        </Dialog>
      )}
    </Card>
  )
}
