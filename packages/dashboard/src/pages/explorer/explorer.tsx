/** Runs any operation of the API with the administrator's session instead of an API key. */

import { useMutation, useQuery } from '@tanstack/react-query'
import type { AdminGrant } from '@waypost/sdk'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { CustomerData } from '../../components/customer-data.tsx'
import { TextField } from '../../components/form.tsx'
import { Card, Page } from '../../components/page.tsx'
import { Prose } from '../../components/prose.tsx'
import { Empty, ErrorNote, Loaded, Skeleton } from '../../components/states.tsx'
import { now } from '../../format.ts'
import { useData } from '../../queries.ts'
import { deleteHistory } from '../../session-storage.ts'
import { providerTitle } from '../connectors/kinds.ts'
import '../../styles/explorer.css'
import { ShownAnswer } from './answer.tsx'
import { Combobox, type Option } from './combobox.tsx'
import { CopyAs } from './copy-as.tsx'
import { historyOf, remember, type SentRequest } from './history.ts'
import { filledIn } from './link.ts'
import { type Api, apiOf, beginning, type Operation, ofGrant, readDocument } from './operations.ts'
import { type Filled, type Request, requestOf, sendRequest } from './request.ts'
import { RequestForm } from './request-form.tsx'
import { SentList } from './sent-list.tsx'
import { SchemaContext } from './value-field.tsx'

/** Initial values of an operation: examples of required parameters, such as `primary`. */
function begun(operation: Operation): Filled {
  const query = operation.parameters
    .filter((each) => each.in === 'query' && each.required && each.name === 'calendar_id')
    .map(({ name, example }) => [name, String(example ?? '')])
  return { path: {}, query: Object.fromEntries(query), body: undefined }
}

interface BenchProps {
  application: string
  operation: Operation
  grant: string
  start: Filled | undefined
  onSent(): void
}

function Bench({ application, operation, grant, start, onSent }: BenchProps) {
  const [given, setFilled] = useState<Filled>(start ?? begun(operation))
  const [files, setFiles] = useState<readonly File[]>([])
  const [problem, setProblem] = useState<string>()
  const filled = ofGrant(operation) ? { ...given, path: { ...given.path, grant_id: grant } } : given
  const request = requestOf(operation, filled, files)
  const sending = useMutation({
    mutationFn: (requested: Request) => sendRequest(application, requested),
    onSuccess: ({ status, milliseconds }) => {
      remember({ at: now(), application, operation: operation.id, filled: given, status, milliseconds })
      onSent()
    },
  })
  return (
    <div className="explorer">
      <Card title={operation.summary} lead={operation.description && <Prose text={operation.description} />}>
        <form
          className="card-body form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (problem === undefined) sending.mutate(request)
          }}
        >
          <div className="operation">
            <span className="method">{operation.method}</span>
            <code className="wrap">{operation.path}</code>
          </div>
          <RequestForm
            {...{ operation, filled, files }}
            onChange={setFilled}
            onFiles={setFiles}
            onProblem={setProblem}
          />
          <div className="dialog-foot">
            <Button type="submit" kind="primary" changes={operation.method !== 'GET'} busy={sending.isPending}>
              {sending.isPending ? 'Sending…' : 'Send'}
            </Button>
          </div>
        </form>
      </Card>
      <div className="stack" aria-live="polite">
        {sending.error && <ErrorNote error={sending.error} />}
        {sending.data ? (
          <ShownAnswer answer={sending.data} />
        ) : (
          <Card>
            <Empty title="Nothing sent yet">The response appears here exactly as a client receives it.</Empty>
          </Card>
        )}
        <CopyAs {...{ operation, filled, request }} />
      </div>
    </div>
  )
}

const optionsOf = (operations: readonly Operation[], can: readonly string[] | undefined): Option[] =>
  operations.map((operation) => {
    const { id, group, summary, path, method } = operation
    const isLacking = can !== undefined && ofGrant(operation) && !id.startsWith('grants.') && !can.includes(id)
    return {
      id,
      group,
      text: summary,
      words: `${method} ${path}`,
      note: isLacking ? 'not available for this account' : undefined,
    }
  })

const isWorking = ({ grant_status, blocked }: AdminGrant): boolean => grant_status === 'valid' && !blocked

const GrantHint = ({ grant }: { grant: AdminGrant }) => (
  <>
    {providerTitle(grant.provider)}, ID <code>{grant.id}</code>
    {!isWorking(grant) && `. This grant does not work: it is ${grant.blocked ? 'blocked' : grant.grant_status}.`}
  </>
)

function GrantField({
  application,
  grant,
  onChange,
}: {
  application: string
  grant: string
  onChange(id: string): void
}) {
  const grants = useGrants(application).data ?? []
  const known = grants.find(({ id, email }) => id === grant || email === grant)
  // A grant is chosen by address; requests use its id.
  const choose = (text: string): void => onChange(grants.find(({ email }) => email === text)?.id ?? text)
  return (
    <>
      <TextField
        label="Grant"
        name="grant"
        list="explorer-grants"
        required={false}
        hint={known ? <GrantHint grant={known} /> : 'Enter an address or a grant ID.'}
        value={known?.email ?? grant}
        onChange={choose}
      />
      <datalist id="explorer-grants">
        {grants.map(({ id, email, provider, grant_status }) => (
          <option key={id} value={email}>
            {`${providerTitle(provider)}, ${grant_status}`}
          </option>
        ))}
      </datalist>
    </>
  )
}

const useGrants = (application: string) =>
  useData(['grants', application, 'explorer'], (signal) =>
    api().adminGrants.list({ application_id: application, query: { limit: 100 }, signal }),
  )

/** The chosen grant, or else the newest working one, and the operations of its account. */
function useChosenGrant(application: string, named: string) {
  const grants = useGrants(application)
  const first = grants.data?.find(isWorking) ?? grants.data?.[0]
  const chosen = named || first?.id || ''
  const id = grants.data?.find((each) => each.id === chosen || each.email === chosen)?.id
  const activity = useData(
    ['grant', application, id, 'activity'],
    (signal) => api().adminGrants.activity({ application_id: application, grant_id: id ?? '', signal }),
    { enabled: id !== undefined },
  )
  const email = grants.data?.find((each) => each.id === id)?.email ?? (chosen || undefined)
  const isLoaded = grants.error !== null || (grants.data !== undefined && (id === undefined || !activity.isPending))
  return { chosen, email, can: activity.data?.operations, isLoaded }
}

function Chosen({ application, document }: { application: string; document: Api }) {
  const [params, setParams] = useSearchParams()
  const named = params.get('grant') ?? ''
  const { chosen: grant, email, can, isLoaded } = useChosenGrant(application, named)
  const [start, setStart] = useState(() => filledIn(window.location.hash))
  const [turn, setTurn] = useState(0)
  const [sent, setSent] = useState(() => historyOf(application))
  const wanted = params.get('operation')
  useEffect(() => {
    // Values from a link are used once.
    if (window.location.hash !== '') history.replaceState(null, '', window.location.pathname + window.location.search)
  }, [])
  if (wanted === null && !isLoaded) return <Skeleton lines={10} />
  const operation = document.operations.find(({ id }) => id === (wanted ?? beginning(can))) ?? document.operations[0]
  if (!operation) return <Empty title="No operations found" />
  const go = (id: string, grantId: string): void =>
    setParams({ operation: id, ...(grantId ? { grant: grantId } : {}) }, { replace: true })
  const bench = (
    <Bench
      key={`${operation.id} ${turn}`}
      {...{ application, operation, grant, start }}
      onSent={() => setSent(historyOf(application))}
    />
  )
  const reopen = (each: SentRequest): void => {
    setStart(each.filled)
    setTurn(turn + 1)
    go(each.operation, named)
  }
  return (
    <SchemaContext value={document.schemas}>
      <div className="explorer-head">
        <Combobox
          label="Operation"
          options={optionsOf(document.operations, can)}
          chosen={operation.id}
          onChoose={(id) => {
            setStart(undefined)
            go(id, named)
          }}
        />
        <GrantField application={application} grant={grant} onChange={(id) => go(operation.id, id)} />
      </div>
      {operation.isCustomerData ? (
        <CustomerData of={ofGrant(operation) ? email : undefined}>{bench}</CustomerData>
      ) : (
        bench
      )}
      <SentList
        sent={sent}
        onOpen={reopen}
        onClear={() => {
          deleteHistory()
          setSent([])
        }}
      />
    </SchemaContext>
  )
}

export function Explorer({ application }: { application: string }) {
  const document = useQuery({
    queryKey: ['openapi'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => apiOf(await readDocument(signal)),
  })
  return (
    <Page title="Explorer" lead="Try any API operation. Requests are real: they send mail and delete data.">
      <Loaded query={document} lines={10}>
        {(found) => <Chosen application={application} document={found} />}
      </Loaded>
    </Page>
  )
}
