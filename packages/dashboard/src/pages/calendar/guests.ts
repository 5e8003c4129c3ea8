/** Guests as lines of text: an address, or a name followed by the address. */
import type { Event } from '@waypost/sdk'

interface Guest {
  email: string
  name?: string | null
}

export const guestLines = (participants: Event['participants']): string =>
  participants.flatMap(({ email, name }) => (email ? [name ? `${name} <${email}>` : email] : [])).join('\n')

export function guestsOf(lines: readonly string[]): Guest[] {
  return lines.map((line) => {
    const [, name, email] = /^(.*?)\s*<([^<>]+)>$/.exec(line) ?? []
    return email ? { email: email.trim(), ...(name ? { name: name.replace(/^"(.*)"$/, '$1') } : {}) } : { email: line }
  })
}
