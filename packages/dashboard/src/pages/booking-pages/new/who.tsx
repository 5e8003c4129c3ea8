/** Step 1: whose calendars, and how hosts share the bookings. */
import type { AdminGrant } from '@waypost/sdk'
import { LinkButton } from '../../../components/button.tsx'
import { CardChoice } from '../../../components/card-choice.tsx'
import { useSeesCustomerData } from '../../../components/customer-data.tsx'
import { SelectField } from '../../../components/form.tsx'
import { useFoundAccounts } from '../data.ts'
import { kinds, methods, type RoundRobinMethod } from '../kinds.ts'
import { type Answers, type Host, takesOneHost, withKind } from '../new-page.ts'
import { ChosenHost } from './chosen-host.tsx'
import { HostChoice } from './host-choice.tsx'

export interface StepProps {
  application: string
  answers: Answers
  /** Takes the answers as they are then, because calendars arrive later. */
  change(edit: (answers: Answers) => Answers): void
}

const roleOf = ({ kind }: Answers, index: number): string | undefined =>
  kind === 'collective' && index === 0 ? 'organizer, gets the events' : undefined

export function Who({ application, answers, change }: StepProps) {
  const seesCalendars = useSeesCustomerData()
  const any = useFoundAccounts(application, '', true)
  const { hosts, kind } = answers
  const setHost = (grantId: string, edit: (host: Host) => Host): void =>
    change((now) => ({ ...now, hosts: now.hosts.map((each) => (each.grantId === grantId ? edit(each) : each)) }))
  const add = ({ id, email, name, provider }: AdminGrant): void => {
    const calendarId = seesCalendars ? undefined : 'primary'
    const host: Host = { grantId: id, email, name: name ?? '', provider, calendarId }
    change((now) => ({ ...now, hosts: takesOneHost(now.kind) ? [host] : [...now.hosts, host] }))
  }
  return (
    <>
      <CardChoice
        legend="Type of page"
        name="kind"
        options={kinds}
        value={kind}
        onChoose={(next) => change((now) => withKind(now, next))}
      />
      {any.data?.length === 0 && (
        <div className="note warn">
          <strong>This application has no valid account.</strong>
          <span>A booking page needs the calendar of a connected account.</span>
          <div className="actions">
            <LinkButton small changes to={`/a/${application}/grants?new=yes`}>
              Connect an account
            </LinkButton>
          </div>
        </div>
      )}
      <div className="field">
        <HostChoice
          application={application}
          label={takesOneHost(kind) ? 'Account' : hosts.length === 0 ? 'Accounts' : 'Add an account'}
          except={hosts.map(({ grantId }) => grantId)}
          onChoose={add}
        />
        {hosts.length > 0 && (
          <ul className="hosts" aria-label="Chosen accounts">
            {hosts.map((host, index) => (
              <ChosenHost
                key={host.grantId}
                {...{ application, host }}
                note={roleOf(answers, index)}
                zone={answers.zone}
                onChange={(next) => setHost(host.grantId, () => next)}
                onCalendar={({ id }) => setHost(host.grantId, (each) => ({ ...each, calendarId: id }))}
                onRemove={() =>
                  change((now) => ({ ...now, hosts: now.hosts.filter(({ grantId }) => grantId !== host.grantId) }))
                }
              />
            ))}
          </ul>
        )}
      </div>
      {kind === 'round-robin' && (
        <SelectField
          label="Who is booked"
          name="method"
          value={answers.method}
          options={methods}
          onChange={(method) => change((now) => ({ ...now, method: method as RoundRobinMethod }))}
        />
      )}
    </>
  )
}
