/**
 * Actions on many rows at once: a confirmation with the number of rows, the progress, and the failures with their
 * reasons.
 */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { messageOf } from '../api.ts'
import { count, plural } from '../format.ts'
import { type BulkProgress, runBulk } from '../list/bulk.ts'
import type { Selection } from '../list/selection.ts'
import type { Total } from '../list/view.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { TextField } from './form.tsx'
import { sayTotal } from './list.tsx'
import { ErrorNote } from './states.tsx'
import type { RowCount } from './table.tsx'
import { showToast } from './toast.tsx'

/** An object that the action is applied to, and its display name. */
export interface Target {
  id: string
  name: string
}

export interface BulkAction {
  /** Such as `Block`. */
  label: string
  /** Such as `blocked`. */
  done: string
  /** Explains the consequences in the confirmation dialog. */
  children: ReactNode
  /** The action cannot be undone, so the user must type the number of objects to confirm. */
  isFinal?: boolean
  danger?: boolean
  act(id: string): Promise<unknown>
}

interface BulkProps<T> extends RowCount {
  selection: Selection<T>
  total: Total | undefined
  actions: readonly BulkAction[]
  targetOf(row: T): Target
  /** Finds every matching row on all pages, and reports the number found so far. */
  everything(signal: AbortSignal, onFound: (found: number) => void): Promise<Target[]>
  /** Called after objects changed, to reload the list. */
  onChanged(): Promise<unknown>
}

/** The bar above a table while rows are selected. */
export function Bulk<T>(props: BulkProps<T>) {
  const { selection, total, actions, one, many } = props
  const [pending, setPending] = useState<BulkAction>()
  const chosen = selection.rows.size
  if (chosen === 0 && !selection.all && !pending) return null
  const isMore = total && (total.more || total.count > chosen)
  return (
    <section className="bulk" aria-label="Selected rows">
      <strong aria-live="polite">
        {selection.all && total ? `All ${sayTotal(total, props)} that match` : `${plural(chosen, one, many)} selected`}
      </strong>
      {!selection.all && isMore && (
        <Button small kind="plain" onClick={selection.setAll}>
          Select all {sayTotal(total, props)} that match
        </Button>
      )}
      <div className="actions">
        {actions.map((action) => (
          <Button
            key={action.label}
            small
            kind={action.danger ? 'danger' : 'normal'}
            onClick={() => setPending(action)}
          >
            {action.label}
          </Button>
        ))}
        <Button small kind="plain" onClick={selection.clear}>
          Clear selection
        </Button>
      </div>
      {pending && <BulkDialog {...props} action={pending} onClose={() => setPending(undefined)} />}
    </section>
  )
}

type Stage =
  | { is: 'finding'; found: number }
  | { is: 'polling'; targets: readonly Target[] }
  | { is: 'running'; targets: readonly Target[]; progress: BulkProgress<Target> }
  | { is: 'over'; targets: readonly Target[]; progress: BulkProgress<Target>; stopped: boolean }
  | { is: 'lost'; error: unknown }

function BulkDialog<T>({ action, onClose, ...props }: BulkProps<T> & { action: BulkAction; onClose(): void }) {
  const { selection, targetOf, everything, onChanged, one, many } = props
  const [stage, setStage] = useState<Stage>(() =>
    selection.all
      ? { is: 'finding', found: 0 }
      : { is: 'polling', targets: [...selection.rows.values()].map(targetOf) },
  )
  const stopping = useRef(new AbortController())
  useEffect(() => {
    const finding = new AbortController()
    if (selection.all) {
      everything(finding.signal, (found) => setStage({ is: 'finding', found })).then(
        (targets) => !finding.signal.aborted && setStage({ is: 'polling', targets }),
        (error: unknown) => !finding.signal.aborted && setStage({ is: 'lost', error }),
      )
    }
    return () => finding.abort()
  }, [])
  const run = async (targets: readonly Target[]): Promise<void> => {
    const { signal } = stopping.current
    setStage({ is: 'running', targets, progress: { done: 0, failures: [] } })
    const onProgress = (progress: BulkProgress<Target>): void => setStage({ is: 'running', targets, progress })
    const progress = await runBulk(targets, ({ id }) => action.act(id), { signal, onProgress })
    setStage({ is: 'over', targets, progress, stopped: signal.aborted })
    showToast(`${plural(progress.done, one, many)} ${action.done}`)
    if (progress.failures.length === 0) selection.clear()
    await onChanged()
  }
  const close = (): void => {
    stopping.current.abort()
    onClose()
  }
  const number = 'targets' in stage ? plural(stage.targets.length, one, many) : ''
  return (
    <Dialog
      title={stage.is === 'polling' ? `${action.label} ${number}?` : `${action.label} ${many ?? `${one}s`}`}
      onClose={close}
    >
      {stage.is === 'finding' && (
        <>
          <p role="status">Finding all matches: {count(stage.found)} so far.</p>
          <div className="dialog-foot">
            <Button onClick={close}>Cancel</Button>
          </div>
        </>
      )}
      {stage.is === 'lost' && <ErrorNote error={stage.error} />}
      {stage.is === 'polling' && (
        <Confirmation
          {...{ action, number }}
          length={stage.targets.length}
          onCancel={close}
          onConfirm={() => void run(stage.targets)}
        />
      )}
      {stage.is === 'running' && (
        <>
          <Progress {...stage} />
          <div className="dialog-foot">
            <Button onClick={() => stopping.current.abort()}>Stop</Button>
          </div>
        </>
      )}
      {stage.is === 'over' && <Over {...stage} {...{ action, one, many }} onClose={close} />}
    </Dialog>
  )
}

function Confirmation({
  action,
  length,
  number,
  onCancel,
  onConfirm,
}: {
  action: BulkAction
  length: number
  number: string
  onCancel(): void
  onConfirm(): void
}) {
  const [typed, setTyped] = useState('')
  const mayGo = length > 0 && (!action.isFinal || typed.replaceAll(/[\s.,']/g, '') === String(length))
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        if (mayGo) onConfirm()
      }}
    >
      <div className="stack">{action.children}</div>
      {action.isFinal && (
        <TextField
          label={`Type ${length} to confirm`}
          name="count"
          inputMode="numeric"
          autoFocus
          value={typed}
          onChange={setTyped}
        />
      )}
      <div className="dialog-foot">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" kind={action.danger ? 'danger-solid' : 'primary'} disabled={!mayGo}>
          {action.label} {number}
        </Button>
      </div>
    </form>
  )
}

function Progress({ targets, progress }: { targets: readonly Target[]; progress: BulkProgress<Target> }) {
  const ended = progress.done + progress.failures.length
  return (
    <div className="stack">
      <progress aria-label="Progress" max={targets.length} value={ended} />
      <p role="status">
        {count(ended)} of {count(targets.length)}
        {progress.failures.length > 0 && `, ${count(progress.failures.length)} failed`}
      </p>
    </div>
  )
}

/** Maximum number of failures listed after an action. */
const maxListed = 100

function Over({
  targets,
  progress: { done, failures },
  stopped,
  action,
  one,
  many,
  onClose,
}: RowCount & {
  targets: readonly Target[]
  progress: BulkProgress<Target>
  stopped: boolean
  action: BulkAction
  onClose(): void
}) {
  const left = targets.length - done - failures.length
  return (
    <>
      <p role="status">
        <strong>
          {plural(done, one, many)} {action.done}
        </strong>
        {failures.length > 0 && `, ${count(failures.length)} failed`}
        {stopped && left > 0 && `, ${count(left)} unchanged`}.
      </p>
      {failures.length > 0 && (
        <ul className="outcomes" aria-label="Failures">
          {failures.slice(0, maxListed).map(({ target, error }) => (
            <li key={target.id}>
              <span className="wrap">{target.name}</span> <code className="small wrap">{target.id}</code>
              <span className="quiet small wrap">{messageOf(error)}</span>
            </li>
          ))}
          {failures.length > maxListed && <li className="quiet">and {count(failures.length - maxListed)} more</li>}
        </ul>
      )}
      <div className="dialog-foot">
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </>
  )
}
