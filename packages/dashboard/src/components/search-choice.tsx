/** A field that chooses one of many objects, which the service finds by the typed text. */
import { type Key, type ReactNode, useId, useState } from 'react'
import { useCombobox } from './combobox.tsx'

/** The typed text of a choice. The list is open while there is one. */
export function useTypedText() {
  const [typed, setTyped] = useState<string>()
  return { typed, setTyped, text: typed ?? '', isOpen: typed !== undefined }
}

interface SearchChoiceProps<T> {
  label: string
  /** Accessible name of the list. */
  listLabel: string
  placeholder: string
  className?: string
  typed: ReturnType<typeof useTypedText>
  /** Text of the closed field: the current choice. */
  shown?: string
  options: readonly T[]
  isSearching: boolean
  /** The service has more objects than it returned. */
  hasMore: boolean
  /** Shown when nothing was found. */
  none: string
  keyOf(option: T): Key
  isCurrent?(option: T): boolean
  onChoose(option: T): void
  children(option: T): ReactNode
}

export function SearchChoice<T>({ typed: search, shown = '', options, onChoose, ...props }: SearchChoiceProps<T>) {
  const { typed, setTyped, isOpen } = search
  const id = useId()
  const close = (): void => setTyped(undefined)
  const combobox = useCombobox({
    label: props.listLabel,
    length: options.length,
    isOpen,
    onChoose(index) {
      const chosen = options[index]
      if (!chosen) return
      close()
      onChoose(chosen)
    },
    onClose: close,
    onOpen: () => setTyped(''),
  })
  return (
    <div className={`choice ${props.className ?? ''}`}>
      <label htmlFor={id}>{props.label}</label>
      <input
        id={id}
        className="input"
        spellCheck={false}
        autoComplete="off"
        placeholder={props.placeholder}
        value={typed ?? shown}
        onFocus={(event) => event.currentTarget.select()}
        onClick={() => !isOpen && setTyped('')}
        onBlur={close}
        onChange={(event) => {
          combobox.first()
          setTyped(isOpen ? event.currentTarget.value : event.currentTarget.value.replace(shown, ''))
        }}
        {...combobox.field}
      />
      {isOpen && (
        <div className="choice-list">
          <div {...combobox.list}>
            {options.map((option, index) => (
              <div
                key={props.keyOf(option)}
                {...combobox.option(index)}
                data-current={props.isCurrent?.(option) || undefined}
              >
                {props.children(option)}
              </div>
            ))}
          </div>
          {options.length === 0 && <p className="quiet small">{props.isSearching ? 'Searching…' : props.none}</p>}
          {props.hasMore && <p className="quiet small">Type to find others</p>}
        </div>
      )}
    </div>
  )
}
