/** The people who administer the service. Only owners see this page. */
import type { Person } from '@waypost/sdk'
import { Link } from 'wouter'
import '../../styles/people.css'
import { api } from '../../api.ts'
import { Status } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ExportButton } from '../../components/export.tsx'
import { ChoiceFilter, CopyLink, Filters, TextFilter } from '../../components/filters.tsx'
import { ListTable } from '../../components/list.tsx'
import { Card, Page } from '../../components/page.tsx'
import { Empty } from '../../components/states.tsx'
import type { Column } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { useListAddress, useOpened } from '../../list/address.ts'
import { type ExportColumn, isoTime } from '../../list/export-format.ts'
import { type ReadPage, useServiceList } from '../../list/view.ts'
import { roleNames, useRights, useSession } from '../../rights.ts'
import { ReachedNames } from '../account/profile.tsx'
import { InstallationPassword } from './installation-password.tsx'
import { Invite } from './invite.tsx'
import { SecondFactorPolicy } from './second-factor-policy.tsx'

/** How a person can sign in. */
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

const filterNames = ['search', 'role', 'state'] as const
const roles = ['owner', 'administrator', 'viewer'] as const
const states = ['active', 'invited', 'blocked'] as const

const exportColumns: readonly ExportColumn<Person>[] = [
  ['id', ({ id }) => id],
  ['email', ({ email }) => email],
  ['name', ({ name }) => name],
  ['state', ({ state }) => state],
  ['role', ({ role }) => role],
  ['applications', ({ applications }) => (applications === 'all' ? 'all' : applications.join(' '))],
  ['has_totp', ({ has_totp }) => has_totp],
  ['signed_in_at', ({ signed_in_at }) => isoTime(signed_in_at)],
]

function List() {
  const me = useSession()?.person?.id
  const [inviting, setInviting] = useOpened()
  // The service sorts people by address only.
  const address = useListAddress({ by: 'email', order: 'asc' })
  const filters = {
    search: address.read('search') || undefined,
    role: roles.find((each) => each === address.read('role')),
    state: states.find((each) => each === address.read('state')),
  }
  const read: ReadPage<Person> = (page, signal) => api().people.list({ query: { ...filters, ...page }, signal })
  const view = useServiceList(['people', 'list', filters], address, read)
  const words = { one: 'person', many: 'people' }
  const isFiltered = address.isFiltered(filterNames)
  const invite = (
    <Button kind="primary" onClick={() => setInviting(true)}>
      Invite a person
    </Button>
  )
  return (
    <Page
      title="People"
      lead="People who administer the service. Each has a role, and access to all or selected applications."
      actions={invite}
    >
      <Filters
        names={filterNames}
        tools={
          <>
            <CopyLink />
            <ExportButton name="people" {...words} columns={exportColumns} read={read} />
          </>
        }
      >
        <TextFilter label="Search" name="search" placeholder="Address or name" />
        <ChoiceFilter label="Role" name="role" options={roles.map((each) => [each, roleNames[each]])} />
        <ChoiceFilter label="State" name="state" options={states.map((each) => [each, each])} />
      </Filters>
      <Card>
        <ListTable
          label="People"
          {...{ view, address, ...words }}
          id={({ id }) => id}
          columns={columnsFor(me)}
          none={
            isFiltered ? (
              <Empty title="No matching people">Search for part of the address or name, or remove a filter.</Empty>
            ) : (
              <Empty title="No people yet" actions={invite}>
                Everyone shares the installation’s password. Start by inviting yourself as an owner.
              </Empty>
            )
          }
        />
      </Card>
      <SecondFactorPolicy />
      <InstallationPassword />
      {inviting && <Invite onClose={() => setInviting(false)} />}
    </Page>
  )
}

/** Shown to users who are not owners. */
export function OwnersOnly() {
  return (
    <Page title="People">
      <Card>
        <Empty title="Owners only">Only owners can see and manage people. Ask an owner.</Empty>
      </Card>
    </Page>
  )
}

export function People() {
  return useRights().people ? <List /> : <OwnersOnly />
}
