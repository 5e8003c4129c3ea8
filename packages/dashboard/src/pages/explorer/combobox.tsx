/** A field that chooses one of many options by typing. Arrow keys, Enter and Escape work. */
import { useId, useRef, useState } from 'react'

export interface Option {
  id: string
  group: string
  text: string
  /** More search terms in addition to the text. */
  words: string
  /** A remark next to the option, which stays selectable. */
  note?: string | undefined
}

const fits = ({ id, text, words, group }: Option, wanted: string): boolean => {
  const all = `${id} ${text} ${words} ${group}`.toLowerCase()
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word))
}

function Groups({
  options,
  active,
  idOf,
  onChoose,
}: {
  options: readonly Option[]
  active: string | undefined
  idOf(option: Option): string
  onChoose(option: Option): void
}) {
  const groups = [...new Set(options.map(({ group }) => group))]
  return groups.map((group) => (
    // biome-ignore lint/a11y/useSemanticElements: a group of options in a list box
    <div key={group} role="group" aria-label={group}>
      <div className="combobox-group" aria-hidden="true">
        {group}
      </div>
      {options
        .filter((each) => each.group === group)
        .map((option) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard stays in the field, which moves among the options
          <div
            key={option.id}
            id={idOf(option)}
            role="option"
            tabIndex={-1}
            aria-selected={option.id === active}
            className="combobox-option"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(option)}
          >
            <span>{option.text}</span>
            <code className="quiet small">{option.id}</code>
            {option.note && <span className="quiet small">{option.note}</span>}
          </div>
        ))}
    </div>
  ))
}

export function Combobox({
  label,
  options,
  chosen,
  onChoose,
}: {
  label: string
  options: readonly Option[]
  chosen: string
  onChoose(id: string): void
}) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<string>()
  const [active, setActive] = useState<string>()
  const open = typed !== undefined
  const found = open ? options.filter((each) => fits(each, typed)) : []
  const current = options.find((each) => each.id === chosen)
  const idOf = (option: Option): string => `${id}-${option.id}`
  const close = (): void => {
    setTyped(undefined)
    setActive(undefined)
  }
  const choose = (option: Option): void => {
    close()
    onChoose(option.id)
  }
  const move = (to: number): void => {
    const next = found[Math.max(0, Math.min(found.length - 1, to))]
    setActive(next?.id)
    if (next) document.getElementById(idOf(next))?.scrollIntoView({ block: 'nearest' })
  }
  const onKey = (key: string): boolean => {
    const at = found.findIndex((each) => each.id === active)
    const isMove = ['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(key)
    if (!open && (key === 'ArrowDown' || key === 'ArrowUp')) setTyped('')
    else if (isMove && open) move({ ArrowDown: at + 1, ArrowUp: at - 1, Home: 0 }[key] ?? found.length - 1)
    else if (key === 'Escape' && open) close()
    else if (key === 'Enter' && open) {
      const option = found[at] ?? found[0]
      if (option) choose(option)
    } else return false
    return true
  }
  const shownActive = found.some((each) => each.id === active) ? active : undefined
  return (
    <div className="field combobox">
      <label htmlFor={id}>{label}</label>
      <input
        ref={field}
        id={id}
        className="input"
        role="combobox"
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={shownActive ? `${id}-${shownActive}` : undefined}
        autoComplete="off"
        spellCheck={false}
        value={typed ?? (current ? `${current.text} (${current.id})` : '')}
        onClick={() => !open && setTyped('')}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setActive(undefined)
        }}
        onBlur={close}
        onKeyDown={(event) => onKey(event.key) && event.preventDefault()}
      />
      <div id={`${id}-list`} role="listbox" aria-label={label} className="combobox-list" hidden={!open}>
        <Groups options={found} active={shownActive} idOf={idOf} onChoose={choose} />
        {open && found.length === 0 && <div className="combobox-group">No results</div>}
      </div>
    </div>
  )
}
