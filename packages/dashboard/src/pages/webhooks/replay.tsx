/** Delivers notifications that match a filter again, after showing their number. */
import { useMutation } from '@tanstack/react-query'
import type { Replay, Trigger } from '@waypost/sdk'
import { useDeferredValue, useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { SelectField, TextField } from '../../components/form.tsx'
import { ErrorNote } from '../../components/states.tsx'
import { showToast } from '../../components/toast.tsx'
import { count, plural } from '../../format.ts'
import { secondsOf } from '../../local-time.ts'
import { refresh, useData } from '../../queries.ts'

export async function replay(application: string, id: string, body: Replay): Promise<void> {
  const { data } = await api(application).deliveries.replay({ id, body })
  await refresh('webhooks', application, id)
  showToast(`${plural(data.replayed, 'notification')} will be delivered again`)
}

interface Filter {
  outcome: 'failed' | 'delivered' | 'all'
  from: string
  to: string
  trigger: string
  grant: string
}

const outcomes = [
  ['failed', 'Permanently failed'],
  ['delivered', 'Delivered'],
  ['all', 'All'],
] as const

/** The request of the form, or the reason why it is incomplete. */
function bodyOf({ outcome, from, to, trigger, grant }: Filter, triggers: readonly Trigger[]): Replay | string {
  const [start, end] = [secondsOf(from), secondsOf(to)]
  if (end !== undefined && start === undefined) return 'Enter a start time.'
  if (start !== undefined && end !== undefined && end <= start) return 'The end must be after the start.'
  const chosen = triggers.find((name) => name === trigger)
  return {
    outcome,
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
    ...(chosen ? { trigger_types: [chosen] } : {}),
    ...(grant.trim() ? { grant_id: grant.trim() } : {}),
  }
}

function ReplayFields({
  filter,
  triggers,
  onChange,
}: {
  filter: Filter
  triggers: readonly Trigger[]
  onChange(part: Partial<Filter>): void
}) {
  return (
    <div className="form">
      <SelectField
        label="What"
        name="outcome"
        value={filter.outcome}
        options={outcomes}
        onChange={(value) => onChange({ outcome: outcomes.find(([each]) => each === value)?.[0] ?? 'failed' })}
      />
      <div className="form-grid">
        <TextField
          label="From"
          name="from"
          type="datetime-local"
          optional
          value={filter.from}
          onChange={(from) => onChange({ from })}
        />
        <TextField
          label="Until"
          name="to"
          type="datetime-local"
          optional
          value={filter.to}
          onChange={(to) => onChange({ to })}
        />
        <SelectField
          label="Trigger"
          name="trigger"
          value={filter.trigger}
          options={[['', 'All'], ...triggers.map((name) => [name, name] as const)]}
          onChange={(trigger) => onChange({ trigger })}
        />
        <TextField
          label="Grant"
          name="grant"
          optional
          placeholder="Grant ID"
          value={filter.grant}
          onChange={(grant) => onChange({ grant })}
        />
      </div>
    </div>
  )
}

/** Number of notifications that would be replayed, counted by the service. */
function useCount(application: string, id: string, body: Replay | string) {
  return useData(
    ['webhooks', application, id, 'replay', body],
    (signal) => {
      const requested = typeof body === 'string' ? {} : body
      return api(application).deliveries.replay({ id, body: { ...requested, dry_run: true }, signal })
    },
    { enabled: typeof body !== 'string', staleTime: 0 },
  )
}

export function ReplayDialog({
  application,
  id,
  triggers,
  onClose,
}: {
  application: string
  id: string
  triggers: readonly Trigger[]
  onClose(): void
}) {
  const [filter, setFilter] = useState<Filter>({ outcome: 'failed', from: '', to: '', trigger: '', grant: '' })
  const body = bodyOf(useDeferredValue(filter), triggers)
  const counted = useCount(application, id, body)
  const work = useMutation({
    mutationFn: (requested: Replay) => replay(application, id, requested),
    onSuccess: onClose,
  })
  const matching = counted.data?.matching ?? 0
  const said = counted.data?.more ? `${count(matching)}+` : plural(matching, 'notification')
  return (
    <Dialog wide title="Deliver again" onClose={onClose}>
      <ReplayFields filter={filter} triggers={triggers} onChange={(part) => setFilter({ ...filter, ...part })} />
      <p role="status">
        {typeof body === 'string' ? (
          <span className="problem">{body}</span>
        ) : counted.data ? (
          <>
            <strong>{said}</strong> match{matching === 1 && !counted.data.more ? 'es' : ''} and will be delivered again.
            IDs stay the same, so receivers can detect duplicates.
          </>
        ) : (
          !counted.error && 'Counting…'
        )}
      </p>
      {counted.error && <ErrorNote error={counted.error} />}
      {work.error && <ErrorNote error={work.error} />}
      <div className="dialog-foot">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="primary"
          changes
          busy={work.isPending || counted.isPending || matching === 0}
          onClick={() => typeof body !== 'string' && work.mutate(body)}
        >
          {counted.data ? `Deliver ${said} again` : 'Deliver again'}
        </Button>
      </div>
    </Dialog>
  )
}
