/** The visitor's time zone: a button that opens a list to search (an editable combobox of the ARIA practices). */
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { nowInSeconds, usePage } from '../page.ts'
import { formatsOf } from '../time/formats.ts'
import { allZones, ownZone, type ZoneName, zoneNameOf, zonesMatching } from '../time/zones.ts'
import { Icon } from './icon.tsx'

/** More matches than anyone reads. */
const max = 60

interface ListProps {
  close(): void
}

const ZoneOption = ({
  zone,
  isActive,
  id,
  choose,
}: {
  zone: ZoneName
  isActive: boolean
  id: string
  choose(): void
}) => {
  const { tag, hour12, zone: current } = usePage()
  const now = useMemo(() => formatsOf(tag, zone.id, hour12).time(nowInSeconds()), [tag, zone.id, hour12])
  return (
    // The text field handles the keys.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox owns the focus
    <li
      id={id}
      role="option"
      aria-selected={zone.id === current}
      class={isActive ? 'active' : ''}
      onMouseDown={(event) => event.preventDefault()}
      onClick={choose}
    >
      <span>
        <b>{zone.city}</b> <small>{zone.name}</small>
      </span>
      <small>
        {zone.offset} · {now}
      </small>
    </li>
  )
}

function ZoneList({ close }: ListProps) {
  const { t, tag, setZone } = usePage()
  const id = useId()
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const zones = useMemo(() => allZones(tag, ownZone()), [tag])
  const found = zonesMatching(zones, text).slice(0, max)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => field.current?.focus(), [])
  useEffect(() => list.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active])
  const choose = (zone: ZoneName | undefined): void => {
    if (zone) setZone(zone.id)
    close()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setActive((at) => Math.max(0, Math.min(found.length - 1, at + step)))
    else if (event.key === 'Enter') choose(found[active])
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
  }
  return (
    <div class="popover">
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-label={t('find_zone')}
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={found[active] && `${id}-${active}`}
        placeholder={t('find_zone')}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <ul ref={list} role="listbox" id={`${id}-list`} aria-label={t('time_zone')} tabIndex={-1}>
        {found.map((zone, index) => (
          <ZoneOption
            key={zone.id}
            zone={zone}
            id={`${id}-${index}`}
            isActive={index === active}
            choose={() => choose(zone)}
          />
        ))}
      </ul>
      {found.length === 0 && <p role="status">{t('no_zone')}</p>}
    </div>
  )
}

export function ZoneChoice() {
  const { t, tag, zone } = usePage()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { city, name, offset } = useMemo(() => zoneNameOf(zone, tag), [zone, tag])
  const close = (): void => {
    setOpen(false)
    button.current?.focus()
  }
  return (
    <div class="zone">
      <button
        ref={button}
        type="button"
        class="quiet-button"
        aria-expanded={isOpen}
        aria-haspopup="listbox"
        onClick={() => setOpen(true)}
      >
        <Icon name="globe" />
        <span title={name}>
          <span class="hidden">{t('time_zone')}: </span>
          {city} <small>{offset}</small>
        </span>
        <Icon name="down" />
      </button>
      {isOpen && <ZoneList close={close} />}
    </div>
  )
}

export function HourChoice() {
  const { t, hour12, setHour12 } = usePage()
  return (
    <fieldset class="hours">
      <legend class="hidden">{t('hour_format')}</legend>
      {[true, false].map((choice) => (
        <label key={String(choice)}>
          <input type="radio" name="hours" checked={hour12 === choice} onChange={() => setHour12(choice)} />
          <span>{t(choice ? 'hour_12' : 'hour_24')}</span>
        </label>
      ))}
    </fieldset>
  )
}
