import type { Person } from '@waypost/sdk'
import { api } from '../../api.ts'
import { Form, TextField } from '../../components/form.tsx'
import { Card, Facts } from '../../components/page.tsx'
import { refresh, useApplicationNames } from '../../queries.ts'
import { roleNames } from '../../rights.ts'

/** A one-sentence description of each role. */
export const roleWords: Record<Person['role'], string> = {
  owner: 'Full access, including people and installation settings.',
  administrator: 'Full access, except people and installation settings.',
  viewer: 'Read-only access, without customer data and secrets.',
}

/** The names of the applications that a person can access. */
export function ReachedNames({ applications }: { applications: Person['applications'] }) {
  const names = useApplicationNames(applications === 'all' ? [] : applications)
  if (applications === 'all') return 'All'
  if (applications.length === 0) return 'None'
  const nameOf = (id: string): string => names.data?.get(id) ?? id
  return <span className="wrap">{applications.map(nameOf).join(', ')}</span>
}

export function ProfileCard({ person }: { person: Person }) {
  return (
    <Card title="You">
      <div className="card-body stack">
        <Facts
          rows={[
            [
              'Address',
              <span key="email" className="wrap">
                {person.email}
              </span>,
            ],
            [
              'Role',
              <span key="role" title={roleWords[person.role]}>
                {roleNames[person.role]}
              </span>,
            ],
            ['Applications', <ReachedNames key="reached" applications={person.applications} />],
          ]}
        />
        <Form
          own
          submit="Save name"
          onSubmit={(values) => api().account.update({ body: { name: values.text('name') ?? '' } })}
          reload={() => Promise.all([refresh('account'), refresh('session')])}
          done="Saved"
        >
          <TextField
            label="Name"
            name="name"
            autoComplete="name"
            maxLength={256}
            defaultValue={person.name}
            hint="Shown in the audit log next to your changes."
          />
        </Form>
      </div>
    </Card>
  )
}
