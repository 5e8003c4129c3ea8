/** Names and addresses as headers have them, each apart, so that nothing in one turns the others around. */
import type { EmailName } from '@waypost/sdk'

/** What a person is called in a list. */
export const shortName = ({ name, email }: EmailName): string => name?.trim() || email

/** Who a message is from or to, in a few words. */
export function namesOf(people: readonly EmailName[] | undefined, own?: string): string {
  const names = (people ?? []).map((each) => (each.email.toLowerCase() === own?.toLowerCase() ? 'me' : shortName(each)))
  return [...new Set(names)].join(', ') || '(nobody)'
}

export function People({ list }: { list: readonly EmailName[] | undefined }) {
  return (list ?? []).map(({ name, email }, index) => (
    <span key={`${email} ${index}`} className="wrap">
      {index > 0 && ', '}
      {name && <bdi>{name} </bdi>}
      <bdi className={name ? 'quiet' : undefined}>{name ? `<${email}>` : email}</bdi>
    </span>
  ))
}

/** A coloured letter in place of a picture. */
export function Initial({ of }: { of: EmailName | undefined }) {
  const words = of ? shortName(of) : ''
  const letter = /\p{L}|\p{N}/u.exec(words)?.[0]?.toUpperCase() ?? '?'
  const colour = [...(of?.email ?? '')].reduce((sum, each) => sum + (each.codePointAt(0) ?? 0), 0) % 6
  return (
    <span className={`initial fill-${colour + 1}`} aria-hidden="true">
      {letter}
    </span>
  )
}
