/** What somebody must do after the sign-in before anything else: change a first password, or set up a second factor. */

import type { RequiredAction, Session } from '@waypost/sdk'
import { useState } from 'react'
import { SignOutButton } from '../../components/sign-out-button.tsx'
import '../../styles/people.css'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { FieldError, Form, TextField } from '../../components/form.tsx'
import { refresh } from '../../queries.ts'
import { SetUpTotp } from '../account/set-up-totp.tsx'
import { EntryPage } from './entry-page.tsx'

function ChangePassword() {
  return (
    <>
      <p>You signed in with the first password, which the service made up. Choose your own before you go on.</p>
      <Form
        submit="Change password"
        wide
        own
        onSubmit={async (values) => {
          const next = values.exact('new_password')
          if (next !== values.exact('repeated')) throw new FieldError('repeated', 'The two passwords differ.')
          await api().session.password({
            body: { current_password: values.exact('current_password'), new_password: next },
          })
          await refresh('session')
        }}
      >
        <input hidden readOnly name="username" value="admin" autoComplete="username" />
        <TextField
          label="First password"
          name="current_password"
          type="password"
          autoComplete="current-password"
          autoFocus
        />
        <TextField
          label="New password"
          name="new_password"
          type="password"
          autoComplete="new-password"
          minLength={8}
          hint="At least 8 characters; 15 or more are better."
        />
        <TextField label="New password, once more" name="repeated" type="password" autoComplete="new-password" />
      </Form>
    </>
  )
}

function SetUpSecondFactor({ session, onHold }: { session: Session; onHold(held: boolean): void }) {
  const [open, setOpen] = useState(false)
  const show = (shown: boolean): void => {
    setOpen(shown)
    onHold(shown)
    if (!shown) void refresh('session')
  }
  return (
    <>
      <p>
        The owners of this service require a second factor for your role. Set up an authenticator app to go on. You will
        also get recovery codes, in case you lose it.
      </p>
      <p className="quiet small wrap">Signed in as {session.person?.email}</p>
      <Button kind="primary" onClick={() => show(true)}>
        Set up a second factor
      </Button>
      {open && <SetUpTotp onClose={() => show(false)} />}
    </>
  )
}

const titles: Record<RequiredAction, string> = {
  change_password: 'Change the password',
  set_up_second_factor: 'Set up a second factor',
}

/** `onHold` keeps the page while recovery codes are shown: they are shown once. */
export function RequiredActionPage({ session, onHold }: { session: Session; onHold(held: boolean): void }) {
  // While it is held, the second factor may be set up already.
  const [action] = useState(session.required_action ?? 'set_up_second_factor')
  return (
    <EntryPage title={titles[action]}>
      {action === 'change_password' ? <ChangePassword /> : <SetUpSecondFactor session={session} onHold={onHold} />}
      <SignOutButton />
    </EntryPage>
  )
}
