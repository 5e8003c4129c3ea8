/** Tries any operation of the API, with the administrator's session in place of an API key. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { api } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Code, CopyButton, json } from '../../components/copy.tsx'
import { Card, Page } from '../../components/page.tsx'
import { Prose } from '../../components/prose.tsx'
import { Empty, ErrorNote, Loaded } from '../../components/states.tsx'
import { count } from '../../format.ts'
import { Letters, lettersIn } from './messages.tsx'
import { type FieldValues, OperationForm } from './operation-form.tsx'
import { type Operation, operationsOf, readDocument } from './operations.ts'
import { type Answer, curlOf, type Request, requestOf, sendRequest } from './request.ts'

function Shown({ answer }: { answer: Answer }) {
  const letters = lettersIn(answer.json)
  return (
    <>
      <Card
        title="Answer"
        actions={
          <>
            <Badge plain tone={answer.status < 400 ? 'good' : 'bad'}>
              {answer.status}
            </Badge>
            <span className="quiet small">{count(answer.milliseconds)} ms</span>
          </>
        }
      >
        <div className="card-body stack">
          {answer.file ? (
            <a className="button" href={answer.file.url} download="file">
              Save the file ({count(answer.file.bytes)} bytes)
            </a>
          ) : (
            <Code label="The answer" text={answer.json === undefined ? answer.text || '(empty)' : json(answer.json)} />
          )}
          {answer.requestId && (
            <span className="quiet small">
              Request id <code>{answer.requestId}</code>
            </span>
          )}
        </div>
      </Card>
      {letters.length > 0 && (
        <Card title="As people see it">
          <Letters letters={letters} />
        </Card>
      )}
    </>
  )
}

/** The request as it stands in the form, or what is wrong with the form. */
function attempt(operation: Operation, values: FieldValues): { request: Request } | { problem: Error } {
  try {
    return { request: requestOf(operation, values) }
  } catch (problem) {
    return { problem: problem instanceof Error ? problem : new Error(String(problem)) }
  }
}

function Bench({ application, operation, grant }: { application: string; operation: Operation; grant: string }) {
  const [values, setValues] = useState<FieldValues>({ 'path.grant_id': grant })
  const grants = useQuery({
    queryKey: ['grants', application, 'explorer'],
    queryFn: async ({ signal }) =>
      (await api().adminGrants.list({ application_id: application, query: { limit: 100 }, signal })).data,
  })
  const first = grants.data?.[0]?.id
  useEffect(() => {
    if (first) setValues((given) => (given['path.grant_id'] ? given : { ...given, 'path.grant_id': first }))
  }, [first])
  const sending = useMutation({ mutationFn: (request: Request) => sendRequest(application, request) })
  const made = attempt(operation, values)
  return (
    <div className="explorer">
      <Card title={operation.summary} lead={operation.description && <Prose text={operation.description} />}>
        <form
          className="card-body form"
          onSubmit={(event) => {
            event.preventDefault()
            if ('request' in made) sending.mutate(made.request)
          }}
        >
          <div className="operation">
            <span className="method">{operation.method}</span>
            <code className="wrap">{operation.path}</code>
          </div>
          <OperationForm
            operation={operation}
            values={values}
            grants={grants.data ?? []}
            onChange={(name, value) => setValues((given) => ({ ...given, [name]: value }))}
          />
          {'problem' in made && <ErrorNote error={made.problem} />}
          <div className="dialog-foot">
            <Button type="submit" kind="primary" busy={sending.isPending}>
              {sending.isPending ? 'Sending…' : 'Send'}
            </Button>
          </div>
        </form>
      </Card>
      <div className="stack">
        {'request' in made && (
          <Card title="The same with curl" actions={<CopyButton text={curlOf(made.request)} label="Copy the line" />}>
            <div className="card-body">
              <Code label="curl" text={curlOf(made.request)} />
            </div>
          </Card>
        )}
        {sending.error && <ErrorNote error={sending.error} />}
        {sending.data ? (
          <Shown answer={sending.data} />
        ) : (
          <Card>
            <Empty title="Nothing sent yet">The answer of the service stands here, exactly as a client gets it.</Empty>
          </Card>
        )}
      </div>
    </div>
  )
}

function Chooser({
  operations,
  chosen,
  onChoose,
}: {
  operations: readonly Operation[]
  chosen: string
  onChoose(id: string): void
}) {
  const groups = [...new Set(operations.map(({ group }) => group))]
  return (
    <div className="field">
      <label htmlFor="operation">Operation</label>
      <select id="operation" className="input" value={chosen} onChange={(event) => onChoose(event.currentTarget.value)}>
        {groups.map((group) => (
          <optgroup key={group} label={group}>
            {operations
              .filter((each) => each.group === group)
              .map(({ id, summary }) => (
                <option key={id} value={id}>
                  {`${id} · ${summary}`}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
    </div>
  )
}

export function Explorer({ application }: { application: string }) {
  const [params, setParams] = useSearchParams()
  const document = useQuery({
    queryKey: ['openapi'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => operationsOf(await readDocument(signal)),
  })
  const grant = params.get('grant') ?? ''
  return (
    <Page title="Explorer" lead="Try any operation. Requests are real: what you send is sent, what you delete is gone.">
      <Loaded query={document} lines={10}>
        {(operations) => {
          const named = params.get('operation') ?? 'messages.list'
          const operation = operations.find(({ id }) => id === named) ?? operations[0]
          if (!operation) return <Empty title="The API has no operations" />
          return (
            <>
              <Chooser
                operations={operations}
                chosen={operation.id}
                onChoose={(id) => setParams({ operation: id, ...(grant ? { grant } : {}) }, { replace: true })}
              />
              <Bench key={operation.id} application={application} operation={operation} grant={grant} />
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}
