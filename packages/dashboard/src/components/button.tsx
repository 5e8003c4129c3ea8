import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Link } from 'wouter'
import { useRights } from '../rights.ts'

type Kind = 'primary' | 'danger' | 'danger-solid' | 'plain' | 'normal'

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  kind?: Kind
  small?: boolean
  /** The action is running: the button keeps its place and the focus, but ignores clicks. */
  busy?: boolean
  /** The button changes something, so it is hidden from viewers. */
  changes?: boolean
}

export function Button({
  kind = 'normal',
  small,
  busy = false,
  changes,
  onClick,
  children,
  type,
  ...rest
}: ButtonProps) {
  const { change } = useRights()
  if (changes && !change) return null
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      className={`button ${kind} ${small ? 'small' : ''}`}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {children}
    </button>
  )
}

export function LinkButton({
  to,
  kind = 'normal',
  small,
  changes,
  children,
}: {
  to: string
  kind?: Kind
  small?: boolean
  /** The link leads to a change, so it is hidden from viewers. */
  changes?: boolean
  children: ReactNode
}) {
  const { change } = useRights()
  if (changes && !change) return null
  return (
    <Link href={to} className={`button ${kind} ${small ? 'small' : ''}`}>
      {children}
    </Link>
  )
}
