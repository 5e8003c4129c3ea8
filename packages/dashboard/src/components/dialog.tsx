/** Native dialogs: the browser traps the focus, closes them with Escape and restores the focus. */
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { useShownProblem } from './form-problems.ts'
import { Icon } from './icons.tsx'
import { carryOut, type Outcome } from './outcome.ts'
import { ErrorNote } from './states.tsx'

interface DialogProps {
  title: string
  onClose(): void
  wide?: boolean | undefined
  children: ReactNode
}

/** A dialog that is open while it is rendered. */
export function Dialog({ title, onClose, wide, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    if (element && !element.open) {
      element.showModal()
      // The browser focuses the first button, so a field that needs the focus is marked with `data-autofocus`.
      element.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    }
    return () => {
      element?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog ref={dialog} aria-labelledby={id} className={wide ? 'wide' : undefined} onClose={onClose}>
      <div className="dialog-body">
        <div className="split">
          <h2 id={id}>{title}</h2>
          <Button kind="plain" small aria-label="Close" onClick={() => dialog.current?.close()}>
            <Icon name="cross" />
          </Button>
        </div>
        {children}
      </div>
    </dialog>
  )
}

/** A button that asks for confirmation in a dialog, which explains the consequences. */
export function ConfirmButton({
  label,
  title,
  confirm = label,
  children,
  danger = true,
  small,
  own,
  onConfirm,
  ...outcome
}: Outcome & {
  label: string
  title: string
  /** Text of the button that confirms, if it says more than the first one. */
  confirm?: string
  /** Explains the consequences. */
  children: ReactNode
  danger?: boolean
  small?: boolean
  /** The action concerns the user's own account, so viewers may use it too. */
  own?: boolean
  onConfirm(): Promise<unknown>
}) {
  const [open, setOpen] = useState(false)
  const work = useMutation({ mutationFn: () => carryOut(onConfirm, outcome), onSuccess: () => setOpen(false) })
  const note = useShownProblem<HTMLDivElement>(work.error)
  return (
    <>
      <Button changes={!own} small={small} kind={danger ? 'danger' : 'normal'} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {open && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          <div className="stack">{children}</div>
          <div ref={note}>{work.error && <ErrorNote error={work.error} />}</div>
          <div className="dialog-foot">
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button kind={danger ? 'danger-solid' : 'primary'} busy={work.isPending} onClick={() => work.mutate()}>
              {confirm}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}

/** A button that runs an action at once and shows an error next to it. */
export function ActionButton({
  label,
  busyLabel,
  small,
  kind,
  changes,
  onAct,
  ...outcome
}: Outcome & {
  label: string
  busyLabel?: string
  small?: boolean
  kind?: 'primary' | 'normal'
  /** Hidden from viewers. */
  changes?: boolean
  onAct(): Promise<unknown>
}) {
  const work = useMutation({ mutationFn: () => carryOut(onAct, outcome) })
  return (
    <>
      <Button changes={changes} small={small} kind={kind} busy={work.isPending} onClick={() => work.mutate()}>
        {work.isPending ? (busyLabel ?? label) : label}
      </Button>
      {work.error && (
        <Dialog title="The action failed" onClose={() => work.reset()}>
          <ErrorNote error={work.error} />
        </Dialog>
      )}
    </>
  )
}
