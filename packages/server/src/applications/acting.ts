import type { PersonSummary, RequiredAction, Rights } from '@waypost/contract'
import type { HeldSession } from '../store/tables/applications/admin-sessions.ts'
import type { Guesser } from '../telemetry/password-guessing.ts'

/** In whose name, by what, and with which rights an administrator acts. */
export interface Acting {
  actor: 'session' | 'password'
  address: string
  /** Null for the password of the installation, and for a one-time link. */
  person: PersonSummary | null
  rights: Rights
  /** What must be done before anything else is allowed. */
  requiredAction: RequiredAction | null
  /** The session, where it is one. */
  session?: HeldSession
  /** By what it is counted when it tries a password. */
  guesser: Guesser
}

/** Who somebody is, and what they may do. */
export type Standing = Pick<Acting, 'person' | 'rights' | 'requiredAction'>
