// The addresses of a user, and the Message-IDs created for the user.
import { randomBytes } from 'node:crypto'
import type { Recipient } from '../../shared/mail/content.ts'
import type { AccountOwner } from '../owner.ts'

export function ownAddress({ name, email }: AccountOwner): Recipient {
  return { name, address: email }
}

export function isOwnAddress({ email, aliases }: AccountOwner, address: string): boolean {
  return [email, ...aliases].some((own) => own.toLowerCase() === address.toLowerCase())
}

/** A Message-ID in the form that Exchange generates. */
export function newMessageId({ tenant }: AccountOwner): string {
  return `<${randomBytes(12).toString('hex').toUpperCase()}@${tenant.domain || 'outlook.example'}>`
}
