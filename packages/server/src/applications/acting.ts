import type { PersonSummary, RequiredAction, Rights, ServiceAccountPermission } from '@waypost/contract'
import type { HeldSession } from '@waypost/store/tables/applications/admin-sessions'
import type { Guesser } from '../telemetry/password-guessing.ts'

/** A program that administers the service. */
export interface ActingServiceAccount {
  id: string
  name: string
  permissions: readonly ServiceAccountPermission[]
}

/** The identity, source and rights of a signed-in administrator, or of a service account. */
export interface Acting {
  actor: 'session' | 'password' | 'service_account'
  address: string
  /** Null for the installation password, one-time links and service accounts. */
  person: PersonSummary | null
  /** The service account that signed the request. */
  serviceAccount?: ActingServiceAccount
  rights: Rights
  /** The action that must be completed before anything else is allowed. */
  requiredAction: RequiredAction | null
  /** The session, if the request belongs to one. */
  session?: HeldSession
  /** How password attempts of this caller are counted. */
  guesser: Guesser
}

/** The identity and rights of a caller. */
export type Standing = Pick<Acting, 'person' | 'rights' | 'requiredAction'>
