/** The form of an operation: parameters, body as fields or JSON, examples, files. */
import { type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { SelectField, TextField } from '../../components/form.tsx'
import { Prose } from '../../components/prose.tsx'
import { plural } from '../../format.ts'
import { JsonField } from './json-field.tsx'
import { type Example, emptyBody, type Operation, type Parameter } from './operations.ts'
import type { Filled } from './request.ts'
import { BodyFields } from './value-field.tsx'

interface Fields {
  operation: Operation
  filled: Filled
  onChange(filled: Filled): void
}

function ParameterField({
  parameter,
  value,
  onChange,
}: {
  parameter: Parameter
  value: string
  onChange(value: string): void
}) {
  const { name, schema = {}, required = false, description } = parameter
  const common = {
    label: name,
    name: `${parameter.in}.${name}`,
    optional: !required,
    hint: description && <Prose text={description} />,
    value,
  }
  const choices = schema.type === 'boolean' ? ['true', 'false'] : schema.enum?.map(String)
  if (choices) {
    return (
      <SelectField
        {...common}
        onChange={onChange}
        options={[['', 'not set'], ...choices.map((each) => [each, each] as const)]}
      />
    )
  }
  const example = parameter.example === undefined ? schema.default : parameter.example
  return (
    <TextField
      {...common}
      inputMode={schema.type === 'integer' ? 'numeric' : undefined}
      placeholder={example === undefined ? undefined : String(example)}
      onChange={onChange}
    />
  )
}

function Parameters({ operation, filled, onChange }: Fields) {
  // The grant is chosen above the form for all operations.
  const shown = operation.parameters.filter(({ name }) => name !== 'grant_id' || !operation.path.includes('{grant_id}'))
  const field = (parameter: Parameter): ReactNode => {
    const place = parameter.in === 'path' ? 'path' : 'query'
    return (
      <ParameterField
        key={`${place} ${parameter.name}`}
        parameter={parameter}
        value={filled[place][parameter.name] ?? ''}
        onChange={(value) => onChange({ ...filled, [place]: { ...filled[place], [parameter.name]: value } })}
      />
    )
  }
  const optional = shown.filter(({ required }) => !required)
  const given = optional.filter(({ name }) => filled.query[name]).length
  return (
    <>
      {shown.filter(({ required }) => required).map(field)}
      {optional.length > 0 && (
        <details className="disclosure">
          <summary>
            Optional parameters ({optional.length}
            {given > 0 ? `, ${given} filled in` : ''})
          </summary>
          <div className="form">{optional.map(field)}</div>
        </details>
      )}
    </>
  )
}

function Examples({ examples, onChoose }: { examples: readonly Example[]; onChoose(example: Example): void }) {
  return (
    <div className="actions examples">
      <span className="quiet small">Use example:</span>
      {examples.map((example) => (
        <Button small key={example.summary} onClick={() => onChoose(example)}>
          {example.summary}
        </Button>
      ))}
    </div>
  )
}

function Files({ files, onChange }: { files: readonly File[]; onChange(files: readonly File[]): void }) {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  return (
    <div className="field">
      <label htmlFor="explorer-files">
        Files<span className="optional"> (optional)</span>
      </label>
      <input
        id="explorer-files"
        type="file"
        multiple
        className="input"
        onChange={(event) => onChange([...(event.currentTarget.files ?? [])])}
      />
      <span className="hint">
        {files.length > 0
          ? `${plural(files.length, 'file')}, ${plural(bytes, 'byte')}.`
          : 'Sent as attachments, up to 3 MB in total.'}
      </span>
    </div>
  )
}

export function RequestForm({
  operation,
  filled,
  files,
  onChange,
  onFiles,
  onProblem,
}: Fields & {
  files: readonly File[]
  onFiles(files: readonly File[]): void
  onProblem(problem: string | undefined): void
}) {
  const [asJson, setAsJson] = useState(false)
  const setBody = (body: unknown): void => onChange({ ...filled, body })
  return (
    <div className="form">
      <Parameters {...{ operation, filled, onChange }} />
      {operation.body && (
        <section className="form" aria-label="Body">
          <div className="split">
            <h3>Body</h3>
            <Button
              small
              aria-pressed={asJson}
              onClick={() => {
                setAsJson(!asJson)
                onProblem(undefined)
              }}
            >
              {asJson ? 'Edit as form' : 'Edit as JSON'}
            </Button>
          </div>
          {operation.examples.length > 0 && (
            <Examples examples={operation.examples} onChoose={({ body }) => setBody(body)} />
          )}
          {asJson ? (
            <JsonField
              name="Body as JSON"
              place="body"
              required={false}
              rows={14}
              value={filled.body ?? emptyBody(operation)}
              onChange={setBody}
              onProblem={onProblem}
            />
          ) : (
            <BodyFields schema={operation.body} value={filled.body} onChange={setBody} />
          )}
        </section>
      )}
      {operation.filePart && <Files files={files} onChange={onFiles} />}
    </div>
  )
}
