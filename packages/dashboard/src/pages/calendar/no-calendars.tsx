/** An account without calendars, and the form for its first one. */
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Form, TextField } from '../../components/form.tsx'
import { Card } from '../../components/page.tsx'
import { Empty } from '../../components/states.tsx'
import { refresh } from '../../queries.ts'
import { type Account, keyOf } from './data.ts'
import { localZone } from './zones.ts'

/** Other providers accept only a name. */
const takesZone = ['google', 'virtual-calendar']

export function NoCalendars({ account }: { account: Account }) {
  const [isCreating, setCreating] = useState(false)
  const hasZone = takesZone.includes(account.grant.provider)
  return (
    <Card>
      <Empty
        title="No calendars yet"
        actions={
          <Button changes kind="primary" onClick={() => setCreating(true)}>
            New calendar
          </Button>
        }
      >
        This account has no calendars.
      </Empty>
      {isCreating && (
        <Dialog title="New calendar" onClose={() => setCreating(false)}>
          <Form
            submit="Create calendar"
            onCancel={() => setCreating(false)}
            onSubmit={(values) =>
              api(account.application).calendars.create({
                grant_id: account.grant.id,
                body: { name: values.exact('name'), ...(hasZone ? { timezone: values.text('timezone') } : {}) },
              })
            }
            reload={() => refresh(...keyOf(account))}
            done="Calendar created"
          >
            <TextField label="Name" name="name" maxLength={1024} />
            {hasZone && (
              <TextField
                label="Time zone"
                name="timezone"
                defaultValue={localZone()}
                hint="Used for all-day events, such as Europe/Berlin."
              />
            )}
          </Form>
        </Dialog>
      )}
    </Card>
  )
}
