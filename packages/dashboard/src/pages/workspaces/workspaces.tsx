/** Workspaces: groups of the application's grants. */
import type { Workspace } from '@waypost/sdk'
import { useState } from 'react'
import { Link } from 'wouter'
import { api } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmButton } from '../../components/dialog.tsx'
import { CheckField, TextField } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Card, Page } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { Table } from '../../components/table.tsx'
import { plural } from '../../format.ts'
import { useOpened } from '../../list/address.ts'
import { refresh, useData } from '../../queries.ts'
import { useWorkspaces } from '../../workspaces.ts'
import { AssignGrants } from './assign-grants.tsx'
import { EditWorkspace } from './edit-workspace.tsx'

/** Grouping happens in the background. */
const refetchInterval = 5_000

/** The number of grants in a workspace, which is a link to them. */
function GrantCount({ application, workspace }: { application: string; workspace: Workspace }) {
  const { workspace_id: id } = workspace
  const { data } = useData(
    ['grants', application, 'count', { workspace_id: id }],
    (signal) => api().adminGrants.count({ application_id: application, query: { workspace_id: id }, signal }),
    { refetchInterval },
  )
  if (!data) return <span className="quiet">…</span>
  const text = data.more ? `${data.count}+ grants` : plural(data.count, 'grant')
  return <Link href={`/a/${application}/grants?workspace=${encodeURIComponent(id)}`}>{text}</Link>
}

function Actions({ application, workspace }: { application: string; workspace: Workspace }) {
  const [open, setOpen] = useState<'change' | 'assign'>()
  const { workspace_id: id, name } = workspace
  if (workspace.default) return null
  return (
    <span className="actions">
      <Button small changes onClick={() => setOpen('assign')}>
        Assign grants
      </Button>
      <Button small changes onClick={() => setOpen('change')}>
        Change
      </Button>
      <ConfirmButton
        small
        label="Delete"
        title={`Delete ${name}?`}
        onConfirm={() => api(application).workspaces.delete({ workspace_id: id })}
        reload={() => Promise.all([refresh('workspaces', application), refresh('grants', application)])}
        done="Workspace deleted"
      >
        <p>Its grants keep working and move to the default workspace.</p>
      </ConfirmButton>
      {open === 'change' && <EditWorkspace {...{ application, workspace }} onClose={() => setOpen(undefined)} />}
      {open === 'assign' && <AssignGrants {...{ application, workspace }} onClose={() => setOpen(undefined)} />}
    </span>
  )
}

export function Workspaces({ application }: { application: string }) {
  const [creating, setCreating] = useOpened()
  const [grouping, setGrouping] = useState(false)
  const query = useWorkspaces(application, { refetchInterval })
  return (
    <Page
      title="Workspaces"
      lead="Groups of grants, usually one for each organization. Every grant is in one workspace."
      actions={
        <>
          <Button changes onClick={() => setGrouping(true)}>
            Group by domain…
          </Button>
          <Button kind="primary" changes onClick={() => setCreating(true)}>
            New workspace
          </Button>
        </>
      }
    >
      <Card>
        <Loaded query={query}>
          {(workspaces) => (
            <Table
              label="Workspaces"
              rows={workspaces}
              id={({ workspace_id }) => workspace_id}
              columns={[
                {
                  title: 'Workspace',
                  cell: ({ workspace_id, name, default: isDefault }) => (
                    <span className="main-cell wrap">
                      <span className="tags">
                        <strong>{name}</strong>
                        {isDefault && <Badge plain>default</Badge>}
                      </span>
                      <code className="quiet small">{workspace_id}</code>
                    </span>
                  ),
                },
                { title: 'Domain', cell: ({ domain }) => domain || <span className="quiet">none</span> },
                {
                  title: 'New grants',
                  cell: ({ auto_group, default: isDefault }) =>
                    isDefault ? 'all that no other takes' : auto_group ? 'those of its domain' : 'by hand only',
                },
                { title: 'Grants', kind: 'tight', cell: (workspace) => <GrantCount {...{ application, workspace }} /> },
              ]}
              actions={(workspace) => <Actions {...{ application, workspace }} />}
            />
          )}
        </Loaded>
      </Card>
      {creating && <EditWorkspace application={application} onClose={() => setCreating(false)} />}
      {grouping && <GroupGrants application={application} onClose={() => setGrouping(false)} />}
    </Page>
  )
}

/** Starts the job that groups grants of the default workspace by their domain. */
function GroupGrants({ application, onClose }: { application: string; onClose(): void }) {
  return (
    <FormDialog
      title="Group grants by domain"
      onClose={onClose}
      submit="Group grants"
      onSubmit={(values) =>
        api(application).workspaces.autoGroup({
          body: {
            specific_domain: values.text('specific_domain') ?? null,
            invalid_also: values.checked('invalid_also'),
          },
        })
      }
      reload={() => Promise.all([refresh('workspaces', application), refresh('grants', application)])}
      done="Grants are grouped in the background"
    >
      <p>
        Grants of the default workspace move to the workspace of their domain. A domain without a workspace gets one.
        Grants in other workspaces stay there.
      </p>{' '}
      <TextField label="Only this domain" name="specific_domain" optional placeholder="example.com" />
      <CheckField label="Also invalid grants" name="invalid_also" />
    </FormDialog>
  )
}
