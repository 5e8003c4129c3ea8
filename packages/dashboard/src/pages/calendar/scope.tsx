/** Questions before a change: which occurrences of a series it applies to, and whether guests are notified. */
import type { Event } from '@waypost/sdk'
import type { ReactNode } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { CheckField, Form } from '../../components/form.tsx'
import { type Scope, scopes } from './series.ts'

const words: Record<Scope, string> = {
  one: 'This event',
  following: 'This and following events',
  all: 'All events in the series',
}
const isScope = (text: string | undefined): text is Scope => scopes.some((scope) => scope === text)

export const isOfSeries = (event: Event): boolean => Boolean(event.master_event_id)

/** Whether there is anything to ask. */
export const hasChoices = (event: Event): boolean => isOfSeries(event) || event.participants.length > 0

export function ScopeChoice({ without }: { without?: Scope }) {
  const offered = scopes.filter((scope) => scope !== without)
  return (
    <fieldset>
      <legend>Apply to</legend>
      <div className="stack">
        {offered.map((scope, index) => (
          <label key={scope} className="check">
            <input type="radio" name="scope" value={scope} defaultChecked={index === 0} />
            <span>{words[scope]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

export function NotifyChoice() {
  return (
    <CheckField
      label="Notify guests"
      name="notify"
      checked
      hint="Guests get an email from the provider or from this service."
    />
  )
}

export function ScopeDialog({
  title,
  event,
  submit,
  danger = false,
  canNotify = true,
  children,
  onChoose,
  onDone,
  onClose,
}: {
  title: string
  event: Event
  submit: string
  danger?: boolean
  canNotify?: boolean
  children?: ReactNode
  onChoose(choice: { scope: Scope; notify: boolean }): Promise<unknown>
  onDone(): void
  onClose(): void
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <Form
        submit={submit}
        kind={danger ? 'danger-solid' : 'primary'}
        onCancel={onClose}
        onDone={onDone}
        onSubmit={(values) => {
          const scope = values.text('scope')
          const notify = event.participants.length === 0 || !canNotify || values.checked('notify')
          return onChoose({ scope: isScope(scope) ? scope : 'one', notify })
        }}
      >
        {isOfSeries(event) && <ScopeChoice />}
        {canNotify && event.participants.length > 0 && <NotifyChoice />}
      </Form>
    </Dialog>
  )
}
