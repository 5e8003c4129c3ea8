import type { Workspace } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Dialog } from '../../components/dialog.tsx'
import { CheckField, Form, TextField } from '../../components/form.tsx'
import { showToast } from '../../components/toast.tsx'
import { refresh } from '../../queries.ts'

const groupHint = 'New grants with an address in the domain join the workspace. Names below the domain do not match.'

/** Creates or changes a workspace. Its domain cannot change. */
export function EditWorkspace({
  application,
  workspace,
  onClose,
}: {
  application: string
  workspace?: Workspace
  onClose(): void
}) {
  const [domain, setDomain] = useState(workspace?.domain ?? '')
  const hasDomain = domain.trim() !== ''
  return (
    <Dialog title={workspace ? 'Change the workspace' : 'New workspace'} onClose={onClose}>
      <Form
        submit={workspace ? 'Save' : 'Create workspace'}
        onCancel={onClose}
        onSubmit={async (values) => {
          const { workspaces } = api(application)
          const name = values.text('name') ?? ''
          const grouping = hasDomain ? { auto_group: values.checked('auto_group') } : {}
          if (workspace) {
            await workspaces.update({ workspace_id: workspace.workspace_id, body: { name, ...grouping } })
          } else {
            await workspaces.create({ body: { name, domain: values.text('domain') ?? null, ...grouping } })
          }
          await refresh('workspaces', application)
        }}
        onDone={() => {
          showToast(workspace ? 'Saved' : 'Workspace created')
          onClose()
        }}
      >
        <TextField label="Name" name="name" maxLength={256} defaultValue={workspace?.name} autoFocus />
        {!workspace && (
          <TextField
            label="Domain"
            name="domain"
            optional
            placeholder="example.com"
            value={domain}
            onChange={(event) => setDomain(event.currentTarget.value)}
            hint="It does not change later. Without it, grants are assigned by hand."
          />
        )}
        {hasDomain && (
          <CheckField
            label="Group new grants automatically"
            name="auto_group"
            checked={workspace?.auto_group ?? true}
            hint={groupHint}
          />
        )}
      </Form>
    </Dialog>
  )
}
