/** Dialogs of the browser itself: it keeps the focus inside, closes them with Escape and gives the focus back. */
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { useShownProblem } from './form-problems.ts'
import { Icon } from './icons.tsx'
import { ErrorNote } from './states.tsx'

interface DialogProps {
  title: string
  onClose(): void
  wide?: boolean
  children: ReactNode
}

/** Open as long as it is rendered. */
export function Dialog({ title, onClose, wide, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    if (element && !element.open) {
      element.showModal()
      // The browser takes the first button: a field that is to have the focus says so.
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

/** A button whose work is asked about first, with what follows from it. */
export function ConfirmButton({
  label,
  title,
  confirm,
  children,
  danger = true,
  small,
  own,
  onConfirm,
}: {
  label: string
  title: string
  confirm: string
  /** What follows. */
  children: ReactNode
  danger?: boolean
  small?: boolean
  /** It is about oneself, and there for who may otherwise only look. */
  own?: boolean
  onConfirm(): Promise<unknown>
}) {
  const [open, setOpen] = useState(false)
  const work = useMutation({ mutationFn: onConfirm, onSuccess: () => setOpen(false) })
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

/** A button that does its work at once and tells what went wrong beside it. */
export function ActionButton({
  label,
  busyLabel,
  small,
  kind,
  changes,
  onAct,
}: {
  label: string
  busyLabel?: string
  small?: boolean
  kind?: 'primary' | 'normal'
  /** Not there for who may only look. */
  changes?: boolean
  onAct(): Promise<unknown>
}) {
  const work = useMutation({ mutationFn: onAct })
  return (
    <>
      <Button changes={changes} small={small} kind={kind} busy={work.isPending} onClick={() => work.mutate()}>
        {work.isPending ? (busyLabel ?? label) : label}
      </Button>
      {work.error && (
        <Dialog title="That did not work" onClose={() => work.reset()}>
          <ErrorNote error={work.error} />
        </Dialog>
      )}
    </>
  )
}
