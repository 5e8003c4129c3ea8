/** The signed-in user and their rights. The service enforces them; pages only hide what is not allowed. */
import { useQuery } from '@tanstack/react-query'
import type { Session } from '@waypost/sdk'
import { createContext, use } from 'react'

export interface MyRights {
  role: Session['rights']['role']
  /** False for viewers. */
  change: boolean
  /** Whether the user manages people and the settings of the installation. */
  people: boolean
  /** Whether the user has access to the whole service, not only to some applications. */
  service: boolean
  /** Whether the user may see customers' mail, calendars and contacts. */
  customerData: boolean
}

const nothing: MyRights = { role: 'viewer', change: false, people: false, service: false, customerData: false }

export function rightsIn(session: Session | undefined): MyRights {
  if (!session) return nothing
  const { role, applications, customer_data: customerData } = session.rights
  return { role, change: role !== 'viewer', people: role === 'owner', service: applications === 'all', customerData }
}

/** The cached session of this browser. */
export const useSession = (): Session | undefined =>
  useQuery<Session>({ queryKey: ['session'], enabled: false, staleTime: Infinity }).data

/** Provided to all pages behind the sign-in. Before the sign-in everything is allowed, because no page is shown. */
export const RightsContext = createContext<MyRights>({
  role: 'owner',
  change: true,
  people: true,
  service: true,
  customerData: true,
})

export const useRights = (): MyRights => use(RightsContext)

export const roles = ['owner', 'administrator', 'viewer'] as const

export const roleNames: Record<MyRights['role'], string> = {
  owner: 'Owner',
  administrator: 'Administrator',
  viewer: 'Viewer',
}
