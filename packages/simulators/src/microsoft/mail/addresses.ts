// The addresses of a user, and the Message-IDs that are made in their name.
import { randomBytes } from 'node:crypto'
import type { Recipient } from '../../shared/mail/content.ts'
import type { AccountOwner } from '../owner.ts'

export function ownAddress({ name, email }: AccountOwner): Recipient {
  return { name, address: email }
}

export function isOwnAddress({ email, aliases }: AccountOwner, address: string): boolean {
  return [email, ...aliases].some((own) => own.toLowerCase() === address.toLowerCase())
}

/** As Exchange makes one for a message that has none. */
export function newMessageId({ tenant }: AccountOwner): string {
  return `<${randomBytes(12).toString('hex').toUpperCase()}@${tenant.domain || 'outlook.example'}>`
}
