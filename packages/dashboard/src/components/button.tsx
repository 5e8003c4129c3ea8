import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Link } from 'wouter'

type Kind = 'primary' | 'danger' | 'danger-solid' | 'plain' | 'normal'

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  kind?: Kind
  small?: boolean
  /** While its work goes on: it keeps its place and the focus, and does nothing. */
  busy?: boolean
}

export function Button({ kind = 'normal', small, busy = false, onClick, children, type, ...rest }: ButtonProps) {
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
  children,
}: {
  to: string
  kind?: Kind
  small?: boolean
  children: ReactNode
}) {
  return (
    <Link href={to} className={`button ${kind} ${small ? 'small' : ''}`}>
      {children}
    </Link>
  )
}
