import { useEffect, useRef, useState } from 'react'
import { visibleText } from '../foreign-text.ts'
import { Button } from './button.tsx'
import { Icon } from './icons.tsx'

/**
 * Browsers offer the clipboard only on https and loopback pages. Elsewhere the text is selected, to be copied by
 * hand.
 */
async function copy(text: string, element: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    if (element) window.getSelection()?.selectAllChildren(element)
    return false
  }
}

export function CopyButton({
  text,
  label,
  target,
}: {
  text: string
  label: string
  target?: () => HTMLElement | null
}) {
  const [done, setDone] = useState(false)
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => setDone(false), 2000)
    return () => clearTimeout(timer)
  }, [done])
  return (
    <Button
      small
      kind="plain"
      title={label}
      aria-label={done ? 'Copied' : label}
      onClick={async () => setDone(await copy(text, target?.() ?? null))}
    >
      <Icon name={done ? 'check' : 'copy'} />
    </Button>
  )
}

/** A text with a button that copies it exactly. */
export function CopyText({ text, label, inline = false }: { text: string; label: string; inline?: boolean }) {
  const code = useRef<HTMLElement>(null)
  return (
    <span className={`copy ${inline ? 'inline' : ''}`}>
      <code ref={code}>{text}</code>
      <CopyButton text={text} label={label} target={() => code.current} />
    </span>
  )
}

export function Code({ text, label }: { text: string; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard must reach it
    <section className="code" tabIndex={0} aria-label={label}>
      <pre>{visibleText(text)}</pre>
    </section>
  )
}

export const json = (value: unknown): string => JSON.stringify(value, null, 2)
