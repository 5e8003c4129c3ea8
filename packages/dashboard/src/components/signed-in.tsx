/** The signed-in user at the bottom of the menu, and the sign-out button. */

import { roleNames, useSession } from '../rights.ts'
import { SignOutButton } from './sign-out-button.tsx'

export function SignedIn() {
  const session = useSession()
  if (!session) return null
  const { person, rights } = session
  return (
    <section className="signed-in" aria-label="Signed in">
      <span className="who">
        <strong title={person?.email ?? 'Signed in with the installation password or a one-time link'}>
          {person?.name ?? 'Installation'}
        </strong>
        <span className="quiet">{roleNames[rights.role]}</span>
      </span>
      <SignOutButton />
    </section>
  )
}
