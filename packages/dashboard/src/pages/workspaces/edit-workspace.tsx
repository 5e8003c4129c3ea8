import type { Workspace } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { CheckField, TextField } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
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
    <FormDialog
      title={workspace ? 'Change the workspace' : 'New workspace'}
      onClose={onClose}
      submit={workspace ? 'Save' : 'Create workspace'}
      onSubmit={async (values) => {
        const { workspaces } = api(application)
        const name = values.text('name') ?? ''
        const grouping = hasDomain ? { auto_group: values.checked('auto_group') } : {}
        if (workspace) {
          await workspaces.update({ workspace_id: workspace.workspace_id, body: { name, ...grouping } })
        } else {
          await workspaces.create({ body: { name, domain: values.text('domain') ?? null, ...grouping } })
        }
      }}
      reload={() => refresh('workspaces', application)}
      done={workspace ? 'Saved' : 'Workspace created'}
    >
      <TextField label="Name" name="name" maxLength={256} defaultValue={workspace?.name} autoFocus />
      {!workspace && (
        <TextField
          label="Domain"
          name="domain"
          optional
          placeholder="example.com"
          value={domain}
          onChange={setDomain}
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
    </FormDialog>
  )
}
