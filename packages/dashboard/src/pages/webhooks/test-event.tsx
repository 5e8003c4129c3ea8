/** Sends a test notification: any trigger, with an edited sample, to one destination. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { type TestEvent, type Trigger, triggers, WaypostError, type Webhook } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { json } from '../../components/copy.tsx'
import { AreaField, SelectField } from '../../components/form.tsx'
import { Card } from '../../components/page.tsx'
import { ErrorNote, Loaded } from '../../components/states.tsx'
import { DestinationFrame } from './destination-frame.tsx'
import { triggerList } from './edit-destination.tsx'
import { ToDeliveries } from './to-deliveries.tsx'

/** Parses the editor's text as an object, or returns the reason why it is invalid. */
function objectIn(text: string): Record<string, unknown> | string {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
    return 'Enter one JSON object.'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

interface SentEvent {
  ok: boolean
  error?: Error
  took: number
}

async function send(application: string, body: TestEvent): Promise<SentEvent> {
  const started = performance.now()
  const took = (): number => Math.round(performance.now() - started)
  try {
    await api(application).webhooks.sendTestEvent({ body })
    return { ok: true, took: took() }
  } catch (error) {
    // A failed delivery is a result; an invalid request is a form error.
    if (error instanceof WaypostError && error.type === '70005') return { ok: false, error, took: took() }
    throw error
  }
}

function Composer({
  application,
  webhook,
  trigger,
  sample,
}: {
  application: string
  webhook: Webhook
  trigger: Trigger
  sample: string
}) {
  const [text, setText] = useState(sample)
  const [secret, setSecret] = useState<'destination' | 'test'>('destination')
  const object = objectIn(text)
  const sending = useMutation({
    mutationFn: (given: Record<string, unknown>) =>
      send(application, { trigger_type: trigger, webhook_id: webhook.id, object: given, secret }),
  })
  const result = sending.data
  return (
    <form
      className="card-body form"
      onSubmit={(event) => {
        event.preventDefault()
        if (typeof object !== 'string') sending.mutate(object)
      }}
    >
      <AreaField
        label="Object (data.object)"
        name="object"
        mono
        rows={18}
        hint="Edit the sample. The service checks that it matches the trigger."
        value={text}
        onChange={setText}
      />
      {typeof object === 'string' && (
        <p className="problem" role="alert">
          Invalid JSON: {object}
        </p>
      )}
      <SelectField
        label="Signed with"
        name="secret"
        value={secret}
        onChange={(value) => setSecret(value === 'test' ? 'test' : 'destination')}
        options={[
          ['destination', 'the secret of this destination, like real deliveries'],
          ['test', 'the fixed secret mock-webhook-secret'],
        ]}
        hint="With the real secret, the source is /waypost/test so that receivers can recognize it."
      />
      {sending.error && <ErrorNote error={sending.error} />}
      {result && (
        <div className={`note ${result.ok ? 'good' : 'bad'}`} role="status">
          <strong>
            {result.ok ? `The receiver accepted it after ${result.took} ms.` : 'The receiver rejected it.'}
          </strong>
          {result.error && <span>{result.error.message}</span>}
        </div>
      )}
      <div className="dialog-foot">
        <Button onClick={() => setText(sample)}>Reset to sample</Button>
        <Button type="submit" kind="primary" changes busy={sending.isPending}>
          {sending.isPending ? 'Sending…' : 'Send test event'}
        </Button>
      </div>
    </form>
  )
}

function Chooser({ application, webhook }: { application: string; webhook: Webhook }) {
  const [trigger, setTrigger] = useState<Trigger>(webhook.trigger_types[0] ?? 'message.created')
  const sample = useQuery({
    queryKey: ['sample', application, trigger],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const { data } = await api(application).webhooks.mockPayload({ body: { trigger_type: trigger }, signal })
      return json(data.data.object)
    },
  })
  const others = triggerList.filter(({ name }) => !webhook.trigger_types.includes(name))
  return (
    <Card title="Send a test event" lead="Sent once to this destination, without retries.">
      <div className="card-body form">
        <SelectField
          label="Trigger"
          name="trigger_type"
          value={trigger}
          hint={triggers[trigger].summary}
          onChange={(value) => setTrigger(triggerList.find(({ name }) => name === value)?.name ?? trigger)}
          options={[
            ...webhook.trigger_types.map((name) => [name, name] as const),
            ...others.map(({ name }) => [name, `${name} (not subscribed)`] as const),
          ]}
        />
      </div>
      <Loaded query={sample}>
        {(text) => <Composer key={trigger} {...{ application, webhook, trigger }} sample={text} />}
      </Loaded>
    </Card>
  )
}

export function TestEvents({ application, id }: { application: string; id: string }) {
  return (
    <DestinationFrame {...{ application, id }} current="test">
      {(destination) =>
        destination.transport === 'webhook' ? (
          <Chooser {...{ application, webhook: destination }} />
        ) : (
          <ToDeliveries {...{ application, id }} />
        )
      }
    </DestinationFrame>
  )
}
