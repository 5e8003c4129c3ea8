/** Additional guests: a list of addresses that grows. */
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../components/icon.tsx'
import { usePage } from '../page.ts'

const max = 20

interface GuestsProps {
  guests: readonly string[]
  wrong: Readonly<Record<string, string | undefined>>
  change(guests: readonly string[]): void
}

export function Guests({ guests, wrong, change }: GuestsProps) {
  const { t } = usePage()
  const added = useRef(false)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!added.current) return
    added.current = false
    list.current?.querySelector<HTMLElement>('.guest:last-of-type input')?.focus()
  })
  const add = (): void => {
    added.current = true
    change([...guests, ''])
  }
  return (
    <div class="guests" ref={list} role="group" aria-label={t('guests')}>
      {guests.map((guest, index) => {
        const message = wrong[`guest.${index}`]
        const number = index + 1
        return (
          <div class="field guest" key={index}>
            <label for={`input-guest.${index}`}>{t('guest_email', { number })}</label>
            <div class="with-button">
              <input
                type="email"
                id={`input-guest.${index}`}
                name={`guest.${index}`}
                value={guest}
                autocomplete="off"
                maxLength={320}
                aria-invalid={message ? 'true' : undefined}
                aria-describedby={message ? `input-guest.${index}-wrong` : undefined}
                onInput={({ currentTarget }) =>
                  change(guests.map((each, at) => (at === index ? currentTarget.value : each)))
                }
              />
              <button
                type="button"
                class="round"
                aria-label={t('remove_guest', { number })}
                onClick={() => change(guests.filter((_, at) => at !== index))}
              >
                <Icon name="cross" />
              </button>
            </div>
            {message && (
              <p class="wrong" id={`input-guest.${index}-wrong`}>
                {message}
              </p>
            )}
          </div>
        )
      })}
      {guests.length < max && (
        <button type="button" class="quiet-button" onClick={add}>
          <Icon name="plus" />
          <span>{t('add_guest')}</span>
        </button>
      )}
    </div>
  )
}
