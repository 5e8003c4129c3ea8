import type { PersonSummary, RequiredAction, Rights } from '@waypost/contract'
import type { HeldSession } from '../store/tables/applications/admin-sessions.ts'
import type { Guesser } from '../telemetry/password-guessing.ts'

/** The identity, source and rights of a signed-in administrator. */
export interface Acting {
  actor: 'session' | 'password'
  address: string
  /** Null for the installation password and for one-time links. */
  person: PersonSummary | null
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
