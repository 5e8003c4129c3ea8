import type { Person } from '@waypost/sdk'
import { api } from '../../api.ts'
import { Form, TextField } from '../../components/form.tsx'
import { Card, Facts } from '../../components/page.tsx'
import { tell } from '../../components/toast.tsx'
import { refresh, useApplicationNames } from '../../queries.ts'
import { roleNames } from '../../rights.ts'

/** What each role may do, in a sentence. */
export const roleWords: Record<Person['role'], string> = {
  owner: 'Everything, with the people and the settings of the installation.',
  administrator: 'Everything but people and the settings of the installation.',
  viewer: 'Looks at everything but customers’ data and secrets, and changes nothing.',
}

/** Which applications somebody reaches, by name. */
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
          onDone={async () => {
            await Promise.all([refresh('account'), refresh('session')])
            tell('Saved')
          }}
        >
          <TextField
            label="Name"
            name="name"
            autoComplete="name"
            maxLength={256}
            defaultValue={person.name}
            hint="Stands beside what you do in the audit."
          />
        </Form>
      </div>
    </Card>
  )
}
