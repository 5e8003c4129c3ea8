/** The rights of a restricted API key or an agent, in words. */
import { useQuery } from '@tanstack/react-query'
import type { KeyRights } from '@waypost/sdk'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { api, isMissing } from '../../api.ts'
import { Facts } from '../../components/page.tsx'
import { type ChosenGrant, sayApproval, sayGrants, sayLimits, sayOperations } from './rights.ts'

/** What the credential may do, a line for each kind of object. */
const Operations = ({ rights }: { rights: KeyRights }) =>
  sayOperations(rights).map((line) => (
    <span key={line} className="rights-line">
      {line}
    </span>
  ))

/** A few lines for a list. */
export function RightsSummary({ rights, grants }: { rights: KeyRights | null; grants?: string }) {
  if (!rights) return <span className="quiet">All rights</span>
  return (
    <span className="main-cell wrap rights-summary">
      <Operations rights={rights} />
      <span className="quiet small">{[...sayLimits(rights, grants), sayApproval(rights)].join(' · ')}</span>
    </span>
  )
}

/** Addresses are looked up for this many grants. */
const maxNamed = 20

/** The grants with these ids, with their addresses where they are found. */
export const useNamedGrants = (application: string, ids: readonly string[]) =>
  useQuery({
    queryKey: ['grants', application, 'named', ids],
    queryFn: ({ signal }): Promise<ChosenGrant[]> =>
      Promise.all(
        ids.map(async (id, index) => {
          if (index >= maxNamed) return { id, email: id }
          try {
            const { data } = await api(application).grants.get({ grant_id: id, signal })
            return { id, email: data.email ?? id }
          } catch (error) {
            if (isMissing(error)) return { id, email: id }
            throw error
          }
        }),
      ),
  })

export function GrantLinks({ application, ids }: { application: string; ids: readonly string[] }) {
  const named = useNamedGrants(application, ids)
  const grants = named.data ?? ids.map((id) => ({ id, email: id }))
  return (
    <span className="grant-links">
      {grants.map(({ id, email }) => (
        <Link key={id} href={`/a/${application}/grants/${id}`} className="wrap">
          {email}
        </Link>
      ))}
    </span>
  )
}

/** All rights in words. */
export function RightsFacts({
  application,
  rights,
  grantIds,
}: {
  application: string
  rights: KeyRights
  /** The grants of an agent. */
  grantIds?: readonly string[]
}) {
  const ids = grantIds ?? (rights.grants && 'ids' in rights.grants ? rights.grants.ids : undefined)
  const lines = (texts: readonly string[]): ReactNode => <span className="wrap">{texts.join(', ')}</span>
  return (
    <Facts
      rows={[
        ['May', <Operations key="may" rights={rights} />],
        ['Grants', ids ? <GrantLinks {...{ application, ids }} /> : lines([sayGrants(rights.grants)])],
        ['Recipients', rights.recipients ? lines(rights.recipients) : 'Everybody'],
        ['Messages per hour', rights.messages_per_hour ?? 'No limit of its own'],
        ['Networks', rights.networks ? lines(rights.networks) : 'From everywhere'],
        [
          'Approval',
          <span key="approval">
            {sayApproval(rights)}
            {rights.approval.length > 0 &&
              (rights.elicitation ? '. The person at the assistant may approve there.' : '. Only in Waypost.')}
          </span>,
        ],
      ]}
    />
  )
}
