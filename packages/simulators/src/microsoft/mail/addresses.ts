// The addresses of a user.
import type { AccountOwner } from '../owner.ts'
import type { Recipient } from './stored.ts'

export function ownAddress({ name, email }: AccountOwner): Recipient {
  return { name, address: email }
}

export function isOwnAddress({ email, aliases }: AccountOwner, address: string): boolean {
  return [email, ...aliases].some((own) => own.toLowerCase() === address.toLowerCase())
}
