/** Ends the session and shows the sign-in page. */
import { api } from '../api.ts'
import { leave } from '../queries.ts'
import { ActionButton } from './dialog.tsx'

export function SignOutButton() {
  return (
    <ActionButton
      small
      label="Sign out"
      onAct={async () => {
        await api().session.delete()
        await leave()
      }}
    />
  )
}
