/** Names and addresses from headers. Each is isolated, so that bidirectional text cannot reorder the others. */
import type { EmailName } from '@waypost/sdk'

/** Display name of a person in a list. */
export const shortName = ({ name, email }: EmailName): string => name?.trim() || email

/** Short list of senders or recipients. */
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

/** A colored initial instead of a picture. */
export function Initial({ of }: { of: EmailName | undefined }) {
  const words = of ? shortName(of) : ''
  const letter = /\p{L}|\p{N}/u.exec(words)?.[0]?.toUpperCase() ?? '?'
  const color = [...(of?.email ?? '')].reduce((sum, each) => sum + (each.codePointAt(0) ?? 0), 0) % 6
  return (
    <span className={`initial fill-${color + 1}`} aria-hidden="true">
      {letter}
    </span>
  )
}
