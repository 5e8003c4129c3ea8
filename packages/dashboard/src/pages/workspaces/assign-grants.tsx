/** Assigns grants to a workspace, and removes them from it. */
import { keepPreviousData } from '@tanstack/react-query'
import type { Workspace } from '@waypost/sdk'
import { useDeferredValue, useState } from 'react'
import { api } from '../../api.ts'
import { CheckField, TextField } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Empty, Loaded } from '../../components/states.tsx'
import { plural } from '../../format.ts'
import { refresh, useData } from '../../queries.ts'

/** Grants that are offered at once. Others are found by search. */
const offered = 25

/** Grants whose address, name or id contains the text; without a text, the newest. */
const useGrants = (application: string, search: string) =>
  useData(
    ['grants', application, 'assign', search],
    (signal) => {
      const query = { search: search.trim() || undefined, limit: offered }
      return api().adminGrants.list({ application_id: application, query, signal })
    },
    { placeholderData: keepPreviousData },
  )

export function AssignGrants({
  application,
  workspace,
  onClose,
}: {
  application: string
  workspace: Workspace
  onClose(): void
}) {
  const { workspace_id } = workspace
  const [search, setSearch] = useState('')
  /** The wanted membership of grants whose boxes were clicked. */
  const [wanted, setWanted] = useState<ReadonlyMap<string, boolean>>(new Map())
  const query = useGrants(application, useDeferredValue(search))
  const chosen = (isMember: boolean): string[] =>
    [...wanted].filter(([, isWanted]) => isWanted === isMember).map(([id]) => id)
  return (
    <FormDialog
      wide
      title={`Grants of ${workspace.name}`}
      onClose={onClose}
      submit={wanted.size === 0 ? 'Save' : `Save ${plural(wanted.size, 'change')}`}
      onSubmit={async () => {
        if (wanted.size === 0) return
        const body = { assign_grants: chosen(true), remove_grants: chosen(false) }
        await api(application).workspaces.manualAssign({ workspace_id, body })
      }}
      reload={() => refresh('grants', application)}
      done={wanted.size > 0 ? `${plural(wanted.size, 'grant')} moved` : undefined}
    >
      <TextField
        label="Search"
        name="search"
        type="search"
        required={false}
        placeholder="Address, name or ID"
        value={search}
        onChange={setSearch}
        hint="Checked grants are in this workspace. A grant that leaves it moves to the default workspace."
        autoFocus
      />
      <Loaded query={query} lines={4}>
        {(grants) =>
          grants.length === 0 ? (
            <Empty title="No matching grants">Search for part of the address, name or ID.</Empty>
          ) : (
            <div className="choices">
              {grants.map(({ id, email, name, workspace_id: current }) => (
                <CheckField
                  key={id}
                  name={`grant ${id}`}
                  label={email}
                  hint={name ?? undefined}
                  checked={wanted.get(id) ?? current === workspace_id}
                  onChange={(isMember) => {
                    const next = new Map(wanted)
                    if (isMember === (current === workspace_id)) next.delete(id)
                    else next.set(id, isMember)
                    setWanted(next)
                  }}
                />
              ))}
            </div>
          )
        }
      </Loaded>
      {(query.data?.length ?? 0) === offered && <p className="quiet small">Search to find more.</p>}
    </FormDialog>
  )
}
