/** The fields that describe the rights of a restricted API key or an agent. */
import type { KeyRights } from '@waypost/sdk'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { AreaField, CheckField, Choices, SelectField, TextField } from '../../components/form.tsx'
import { Icon } from '../../components/icons.tsx'
import { HostChoice } from '../booking-pages/new/host-choice.tsx'
import { approvalKinds, type ChosenGrant, operationGroups, type Preset, presets } from './rights.ts'

function Presets({ onChoose }: { onChoose(preset: Preset): void }) {
  return (
    <fieldset className="field">
      <legend>Start from</legend>
      <div className="cards">
        {presets.map((preset) => (
          <button key={preset.name} type="button" className="card-choice" onClick={() => onChoose(preset)}>
            <span>
              <strong>{preset.name}</strong>
              <span className="hint">{preset.means}</span>
            </span>
          </button>
        ))}
      </div>
    </fieldset>
  )
}

function Operations({ chosen, only }: { chosen: KeyRights['operations']; only?: KeyRights['operations'] }) {
  const groups = operationGroups.map(
    ([title, all]) => [title, all.filter(([operation]) => !only || only.includes(operation))] as const,
  )
  return groups
    .filter(([, operations]) => operations.length > 0)
    .map(([title, operations]) => (
      <Choices key={title} legend={title} name="operations">
        {operations.map(([operation, label, means]) => (
          <CheckField
            key={operation}
            label={label}
            hint={means}
            name="operations"
            value={operation}
            checked={chosen.includes(operation)}
          />
        ))}
      </Choices>
    ))
}

const kindOf = (grants: KeyRights['grants']): string => (!grants ? 'all' : 'ids' in grants ? 'chosen' : 'metadata')

function Grants({
  application,
  rights,
  chosen,
  onChosen,
}: {
  application: string
  rights: KeyRights
  chosen: readonly ChosenGrant[]
  onChosen(grants: readonly ChosenGrant[]): void
}) {
  const [kind, setKind] = useState(kindOf(rights.grants))
  const [pair] = rights.grants && 'metadata' in rights.grants ? Object.entries(rights.grants.metadata) : []
  return (
    <>
      <SelectField
        label="Grants"
        name="grants"
        value={kind}
        onChange={setKind}
        options={[
          ['all', 'All grants, also later ones'],
          ['chosen', 'Only chosen grants'],
          ['metadata', 'Grants with a metadata pair, also later ones'],
        ]}
      />
      {kind === 'chosen' && (
        <div className="stack">
          {chosen.length > 0 && (
            <ul className="chosen-grants" aria-label="Chosen grants">
              {chosen.map((grant) => (
                <li key={grant.id}>
                  <span className="wrap">{grant.email}</span>
                  <Button
                    small
                    kind="plain"
                    aria-label={`Remove ${grant.email}`}
                    onClick={() => onChosen(chosen.filter(({ id }) => id !== grant.id))}
                  >
                    <Icon name="cross" />
                  </Button>
                </li>
              ))}
            </ul>
          )}
          <HostChoice
            application={application}
            label="Add a grant"
            except={chosen.map(({ id }) => id)}
            onChoose={({ id, email }) => onChosen([...chosen, { id, email }])}
          />
        </div>
      )}
      {kind === 'metadata' && (
        <div className="form-grid">
          <TextField label="Key" name="metadata_key" defaultValue={pair?.[0]} placeholder="team" />
          <TextField label="Value" name="metadata_value" defaultValue={pair?.[1]} placeholder="support" />
        </div>
      )}
    </>
  )
}

function Limits({ rights }: { rights: KeyRights }) {
  return (
    <>
      <div className="form-grid">
        <AreaField
          label="Recipients"
          name="recipients"
          optional
          mono
          rows={3}
          defaultValue={rights.recipients?.join('\n')}
          placeholder={'example.com\nann@example.org'}
          hint="One address or domain per line. Nobody else can be written to or invited. Empty: everybody."
        />
        <AreaField
          label="Networks"
          name="networks"
          optional
          mono
          rows={3}
          defaultValue={rights.networks?.join('\n')}
          placeholder="203.0.113.0/24"
          hint="One address or range per line. Requests from elsewhere are refused. Empty: from everywhere."
        />
      </div>
      <TextField
        label="Messages per hour"
        name="messages_per_hour"
        type="number"
        min={1}
        max={100_000}
        optional
        defaultValue={rights.messages_per_hour ?? ''}
        hint="Messages and invitations together. Empty: no limit of its own."
      />
    </>
  )
}

function Approval({ rights }: { rights: KeyRights }) {
  return (
    <>
      <Choices legend="Needs the approval of a person" name="approval">
        {approvalKinds.map(([kind, label, means]) => (
          <CheckField
            key={kind}
            label={label}
            hint={means}
            name="approval"
            value={kind}
            checked={rights.approval.includes(kind)}
          />
        ))}
      </Choices>
      <CheckField
        label="The person at the assistant may approve there"
        hint="Otherwise only on the Approvals page, or the owner of the account. Turn it off for assistants that can run code."
        name="elicitation"
        checked={rights.elicitation}
      />
    </>
  )
}

export function RightsFields({
  application,
  rights: given,
  chosen,
  onChosen,
  only,
}: {
  application: string
  rights: KeyRights
  chosen: readonly ChosenGrant[]
  onChosen(grants: readonly ChosenGrant[]): void
  /** The operations of an agent: it never gets more than the person agreed to, and keeps its grants. */
  only?: KeyRights['operations']
}) {
  const [{ rights, version }, setShown] = useState({ rights: given, version: 0 })
  const choose = ({ operations }: Preset): void =>
    setShown((before) => ({ rights: { ...before.rights, operations: [...operations] }, version: before.version + 1 }))
  return (
    <>
      {!only && <Presets onChoose={choose} />}
      {/* A preset fills the boxes again. */}
      <Operations key={version} chosen={rights.operations} {...(only ? { only } : {})} />
      {!only && <Grants {...{ application, rights, chosen, onChosen }} />}
      <Limits rights={rights} />
      <Approval rights={rights} />
    </>
  )
}
