import { useState } from 'react'
import { api } from '../../api.ts'
import { Form, TextField } from '../../components/form.tsx'
import { NewPasswordFields, newPasswordIn } from '../../components/new-password.tsx'
import { Card } from '../../components/page.tsx'
import { refresh } from '../../queries.ts'

/** Changes the password of the signed-in person, or the installation's password. */
export function PasswordCard({ installation }: { installation: boolean }) {
  const [times, setTimes] = useState(0)
  const lead = installation
    ? 'This is the installation’s password. Changing it ends all other sessions that use it, and all one-time links.'
    : 'Changing it ends your other sessions.'
  return (
    <Card title="Password" lead={lead}>
      <div className="card-body">
        <Form
          key={times}
          own
          submit="Change password"
          onSubmit={(values) =>
            api().session.password({
              body: { current_password: values.exact('current_password'), new_password: newPasswordIn(values) },
            })
          }
          onDone={() => setTimes(times + 1)}
          reload={() => refresh('sessions')}
          done="Password changed"
        >
          <div className="form-grid">
            <TextField
              label="Current password"
              name="current_password"
              type="password"
              autoComplete="current-password"
            />
            <NewPasswordFields />
          </div>
        </Form>
      </div>
    </Card>
  )
}
