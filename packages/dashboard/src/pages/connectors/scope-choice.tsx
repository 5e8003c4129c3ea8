/** Permissions: chosen by plain names, shown with the provider's scopes. */
import type { ProviderKind } from '@waypost/sdk'
import { useState } from 'react'
import { AreaField, SelectField } from '../../components/form.tsx'
import { chosenIn, scopeTables, withChoice } from './scopes.ts'

const linesOf = (text: string): string[] => text.split(/\s+/).filter((line) => line !== '')

export function ScopeChoice({ kind, scopes }: { kind: ProviderKind; scopes: readonly string[] }) {
  const [text, setText] = useState(scopes.join('\n'))
  const table = scopeTables[kind]
  const given = linesOf(text)
  return (
    <fieldset className="scopes">
      <legend>Permissions</legend>
      {table && (
        <>
          <p className="quiet small">{table.note}</p>
          <div className="form-grid">
            {table.parts.map((part) => (
              <SelectField
                key={part.name}
                label={part.title}
                name={`part-${part.name}`}
                value={chosenIn(table, part, given)}
                onChange={(choice) => setText(withChoice(table, given, { part: part.name, choice }).join('\n'))}
                options={part.choices.map(({ name, text: words }) => [name, words] as const)}
              />
            ))}
          </div>
        </>
      )}
      <AreaField
        label="Scopes"
        name="scope"
        optional
        mono
        rows={4}
        hint="The same permissions as provider scopes, one per line. Leave empty for the defaults."
        value={text}
        onChange={setText}
      />
    </fieldset>
  )
}
