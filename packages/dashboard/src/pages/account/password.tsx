import { useState } from 'react'
import { api } from '../../api.ts'
import { Form, TextField } from '../../components/form.tsx'
import { Card } from '../../components/page.tsx'
import { tell } from '../../components/toast.tsx'
import { refresh } from '../../queries.ts'

/** Of the person who is signed in; or, where there is none, of the installation. */
export function PasswordCard({ installation }: { installation: boolean }) {
  const [times, setTimes] = useState(0)
  const lead = installation
    ? 'Of the installation. Every other session with it, and every one-time link, ends when it changes.'
    : 'Your other sessions end when it changes.'
  return (
    <Card title="Password" lead={lead}>
      <div className="card-body">
        <Form
          key={times}
          own
          submit="Change password"
          onSubmit={(values) =>
            api().session.password({
              body: { current_password: values.exact('current_password'), new_password: values.exact('new_password') },
            })
          }
          onDone={() => {
            setTimes(times + 1)
            void refresh('sessions')
            tell('The password was changed')
          }}
        >
          <div className="form-grid">
            <TextField
              label="Current password"
              name="current_password"
              type="password"
              autoComplete="current-password"
            />
            <TextField
              label="New password"
              name="new_password"
              type="password"
              autoComplete="new-password"
              minLength={8}
              hint="At least 8 characters; 15 or more are better."
            />
          </div>
        </Form>
      </div>
    </Card>
  )
}
