/** Who is signed in here, and what they may do. The service refuses the rest anyway: pages do not offer it. */
import { useQuery } from '@tanstack/react-query'
import type { Session } from '@waypost/sdk'
import { createContext, use } from 'react'

export interface MyRights {
  role: Session['rights']['role']
  /** Whether anything may be changed: viewers only look. */
  change: boolean
  /** Whether people and the settings of the installation are theirs. */
  people: boolean
  /** Whether what concerns the whole service is theirs, and not some applications alone. */
  service: boolean
  /** Whether customers' mail, calendars and contacts may be seen. */
  customerData: boolean
}

const nothing: MyRights = { role: 'viewer', change: false, people: false, service: false, customerData: false }

export function rightsIn(session: Session | undefined): MyRights {
  if (!session) return nothing
  const { role, applications, customer_data: customerData } = session.rights
  return { role, change: role !== 'viewer', people: role === 'owner', service: applications === 'all', customerData }
}

/** The session of this browser, as it was last told. */
export const useSession = (): Session | undefined =>
  useQuery<Session>({ queryKey: ['session'], enabled: false, staleTime: Infinity }).data

/** Given to all pages behind the sign-in; before it there is nothing to forbid. */
export const RightsHere = createContext<MyRights>({
  role: 'owner',
  change: true,
  people: true,
  service: true,
  customerData: true,
})

export const useRights = (): MyRights => use(RightsHere)

export const roles = ['owner', 'administrator', 'viewer'] as const

export const roleNames: Record<MyRights['role'], string> = {
  owner: 'Owner',
  administrator: 'Administrator',
  viewer: 'Viewer',
}
