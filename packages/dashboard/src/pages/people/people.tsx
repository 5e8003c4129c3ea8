/** The people who administer the service, for owners. */
import type { Person } from '@waypost/sdk'
import { useState } from 'react'
import { Link } from 'wouter'
import '../../styles/people.css'
import { api } from '../../api.ts'
import { Status } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Card, Page } from '../../components/page.tsx'
import { Empty } from '../../components/states.tsx'
import { type Column, PagedTable } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { usePages } from '../../queries.ts'
import { roleNames, useRights, useSession } from '../../rights.ts'
import { ReachedNames } from '../account/profile.tsx'
import { InstallationPassword } from './installation-password.tsx'
import { Invite } from './invite.tsx'

/** How somebody can sign in. */
export function Ways({ person }: { person: Person }) {
  const ways = [
    person.has_password && 'password',
    person.has_totp && 'second factor',
    person.has_oidc && 'OpenID Connect',
  ]
  return ways.filter(Boolean).join(', ') || <span className="quiet">none yet</span>
}

const columnsFor = (me: string | undefined): readonly Column<Person>[] => [
  {
    title: 'Name',
    cell: ({ id, name, email }) => (
      <span className="main-cell wrap">
        <span>
          <Link href={`/people/${id}`}>{name}</Link>
          {id === me && <span className="quiet"> (you)</span>}
        </span>
        {email !== name && <span className="quiet">{email}</span>}
      </span>
    ),
  },
  { title: 'State', kind: 'tight', cell: ({ state }) => <Status of={state} /> },
  { title: 'Role', kind: 'tight', cell: ({ role }) => roleNames[role] },
  { title: 'Applications', cell: ({ applications }) => <ReachedNames applications={applications} /> },
  { title: 'Signs in with', cell: (person) => <Ways person={person} /> },
  { title: 'Last signed in', kind: 'tight', cell: ({ signed_in_at }) => <Time at={signed_in_at} /> },
]

function List() {
  const me = useSession()?.person?.id
  const [inviting, setInviting] = useState(false)
  const people = usePages(['people', 'list'], async (page_token, signal) =>
    api().people.list({ query: { limit: 50, page_token }, signal }),
  )
  const invite = (
    <Button kind="primary" onClick={() => setInviting(true)}>
      Invite a person
    </Button>
  )
  return (
    <Page
      title="People"
      lead="Who administers the service, each under their own name, with a role, for all applications or some."
      actions={invite}
    >
      <Card>
        <PagedTable
          query={people}
          label="People"
          one="person"
          many="people"
          id={({ id }) => id}
          columns={columnsFor(me)}
          none={
            <Empty title="Nobody yet" actions={invite}>
              Everybody shares the installation’s password. Invite yourself first, as an owner.
            </Empty>
          }
        />
      </Card>
      <InstallationPassword />
      {inviting && <Invite onClose={() => setInviting(false)} />}
    </Page>
  )
}

/** What stands in place of the pages of people for who is no owner. */
export function OwnersOnly() {
  return (
    <Page title="People">
      <Card>
        <Empty title="For owners">Only owners see and change who administers the service. Ask one of them.</Empty>
      </Card>
    </Page>
  )
}

export function People() {
  return useRights().people ? <List /> : <OwnersOnly />
}
