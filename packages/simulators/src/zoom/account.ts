// A user of the simulated Zoom.
import { createHash } from 'node:crypto'

export interface AccountSeed {
  readonly email: string
  readonly name?: string
}

export interface SimulatedZoomAccount {
  readonly email: string
  readonly name: string
  /** Zoom's stable id of the user. */
  readonly id: string
  /** The user removes the app of one client, or every app: its tokens end. */
  revokeConsent(clientId?: string): void
}

/** A user id in Zoom's format: 22 characters, always the same for an address. */
export const userIdOf = (email: string): string =>
  createHash('sha256').update(email.toLowerCase()).digest('base64url').slice(0, 22)
