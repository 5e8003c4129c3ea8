/** Actions required right after sign-in: changing an initial password, or setting up a second factor. */
import type { RequiredAction, Session } from '@waypost/sdk'
import { useState } from 'react'
import { SignOutButton } from '../../components/sign-out-button.tsx'
import '../../styles/people.css'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Form, TextField } from '../../components/form.tsx'
import { NewPasswordFields, newPasswordIn } from '../../components/new-password.tsx'
import { refresh } from '../../queries.ts'
import { SetUpTotp } from '../account/set-up-totp.tsx'
import { EntryPage } from './entry-page.tsx'

function ChangePassword() {
  return (
    <>
      <p>You signed in with the generated initial password. Choose your own password to continue.</p>
      <Form
        submit="Change password"
        fullWidth
        own
        onSubmit={(values) =>
          api().session.password({
            body: { current_password: values.exact('current_password'), new_password: newPasswordIn(values) },
          })
        }
        reload={() => refresh('session')}
      >
        <input hidden readOnly name="username" value="admin" autoComplete="username" />
        <TextField
          label="Initial password"
          name="current_password"
          type="password"
          autoComplete="current-password"
          autoFocus
        />
        <NewPasswordFields />
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
        Your role requires a second factor. Set up an authenticator app to continue. You also get recovery codes in case
        you lose it.
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
  change_password: 'Change password',
  set_up_second_factor: 'Set up a second factor',
}

/** `onHold` keeps the page open while recovery codes are shown, because they are shown only once. */
export function RequiredActionPage({ session, onHold }: { session: Session; onHold(held: boolean): void }) {
  // Meanwhile the second factor may already be set up, so the initial action is kept.
  const [action] = useState(session.required_action ?? 'set_up_second_factor')
  return (
    <EntryPage title={titles[action]}>
      {action === 'change_password' ? <ChangePassword /> : <SetUpSecondFactor session={session} onHold={onHold} />}
      <SignOutButton />
    </EntryPage>
  )
}
