/** The command palette: pages, applications, grants, destinations, operations and actions. */
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../api.ts'
import { placeOf, transportNames, useDestinations } from '../destinations.ts'
import { fuzzyFind } from '../list/fuzzy.ts'
import { useData, useFoundApplications } from '../queries.ts'
import { useRights } from '../rights.ts'
import { applyTheme, currentTheme } from '../theme.ts'
import { useCombobox } from './combobox.tsx'
import { Icon, type IconName } from './icons.tsx'

export interface PaletteEntry {
  id: string
  group: string
  text: string
  hint?: string
  icon: IconName
  /** More search terms in addition to the text. */
  words?: string
  run(): void
}

interface PaletteProps {
  application: string | undefined
  pages: readonly (readonly [to: string, text: string, icon: IconName])[]
  onShortcuts(): void
  onClose(): void
}

/** Maximum number of results per group. */
const maxPerGroup = 6
const pauseMs = 150

const textOf = ({ text, words = '' }: PaletteEntry): string => `${text} ${words}`

/** The typed text, delayed until the user stops typing for a moment. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}

const useFoundGrants = (application: string | undefined, search: string) =>
  useData(
    ['grants', application, 'palette', search],
    (signal) => {
      const query = { search, limit: maxPerGroup }
      return api().adminGrants.list({ application_id: application ?? '', query, signal })
    },
    { enabled: application !== undefined && search.length > 1, placeholderData: keepPreviousData },
  ).data ?? []

/** Further words that find a page. */
const pageWords: Readonly<Record<string, string>> = { Destinations: 'webhooks channels' }

/** The ids of all operations, listed from the client. */
const operationsOf = (application: string): string[] =>
  Object.entries(api(application)).flatMap(([resource, operations]) =>
    Object.keys(operations as object).map((operation) => `${resource}.${operation}`),
  )

function actionsOf({ application, onShortcuts }: PaletteProps, navigate: (to: string) => void): PaletteEntry[] {
  const at = `/a/${application}`
  const go = (to: string) => () => navigate(to)
  const make: readonly (readonly [text: string, to: string])[] = [
    ...(application === undefined
      ? []
      : ([
          ['Connect an account', `${at}/grants?new=yes`],
          ['New API key', `${at}/api-keys?new=yes`],
          ['New destination', `${at}/webhooks?new=yes`],
          ['New booking page', `${at}/booking-pages/new`],
        ] as const)),
    ['New application', '/applications?new=yes'],
  ]
  const dark = currentTheme() === 'dark'
  return [
    ...make.map(([text, to]): PaletteEntry => ({ id: to, group: 'Actions', text, icon: 'plus', run: go(to) })),
    {
      id: 'theme',
      group: 'Actions',
      text: dark ? 'Light theme' : 'Dark theme',
      words: 'colors appearance',
      icon: 'settings',
      run: () => applyTheme(dark ? 'light' : 'dark'),
    },
    { id: 'shortcuts', group: 'Actions', text: 'Keyboard shortcuts', hint: '?', icon: 'keys', run: onShortcuts },
  ]
}

/** All entries that match the typed text, by group. */
function useEntries(props: PaletteProps, typed: string): PaletteEntry[] {
  const { application, pages } = props
  const { change } = useRights()
  const [, navigate] = useLocation()
  const search = usePaused(typed.trim())
  const grants = useFoundGrants(application, search)
  const applications = useFoundApplications(search)
  const destinations = useDestinations(application).data ?? []
  const found = (entries: readonly PaletteEntry[]): PaletteEntry[] =>
    (typed.trim() === '' ? [...entries] : fuzzyFind(typed, entries, textOf)).slice(0, maxPerGroup * 2)
  const at = `/a/${application}`
  const entry = (group: string, icon: IconName) => (to: string, text: string, hint?: string, words?: string) =>
    ({
      id: `${group} ${to}`,
      group,
      text,
      icon,
      run: () => navigate(to),
      ...(hint ? { hint } : {}),
      ...(words ? { words } : {}),
    }) satisfies PaletteEntry
  const shown = [
    ...found(pages.map(([to, text, icon]) => entry('Pages', icon)(to, text, undefined, pageWords[text]))),
    ...found(actionsOf(props, navigate).filter(({ icon }) => change || icon !== 'plus')),
  ]
  if (typed.trim() === '') return shown
  const destination = entry('Destinations', 'webhooks')
  const operation = entry('Operations', 'explorer')
  return [
    ...shown,
    ...grants.map(({ id, email, name }) => entry('Grants', 'grants')(`${at}/grants/${id}`, email, name ?? undefined)),
    ...(applications.data ?? [])
      .slice(0, maxPerGroup)
      .map(({ application_id, branding }) =>
        entry('Applications', 'applications')(`/a/${application_id}`, branding.name),
      ),
    ...found(
      destinations.map((each) => {
        const words = `${each.description} ${transportNames[each.transport]} ${each.id}`
        return destination(`${at}/webhooks/${each.id}`, placeOf(each), each.description || undefined, words)
      }),
    ).slice(0, maxPerGroup),
    ...(application === undefined || typed.trim().length < 2
      ? []
      : found(operationsOf(application).map((id) => operation(`${at}/explorer?operation=${id}`, id)))
    ).slice(0, maxPerGroup),
  ]
}

export function Palette(props: PaletteProps) {
  const { onClose } = props
  const [typed, setTyped] = useState('')
  const entries = useEntries(props, typed)
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    if (element && !element.open) element.showModal()
    return () => {
      element?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  const combobox = useCombobox({
    label: 'Results',
    length: entries.length,
    isOpen: true,
    onChoose(index) {
      onClose()
      entries[index]?.run()
    },
  })
  const groups = [...new Set(entries.map(({ group }) => group))]
  return (
    <dialog ref={dialog} className="palette" aria-label="Search and commands" onClose={onClose}>
      <div className="palette-field">
        <Icon name="search" />
        <input
          aria-label="Search for pages, applications, grants, destinations, operations and actions"
          placeholder="Search or jump to…"
          spellCheck={false}
          autoComplete="off"
          value={typed}
          onChange={(event) => {
            combobox.first()
            setTyped(event.currentTarget.value)
          }}
          {...combobox.field}
        />
        <kbd>Esc</kbd>
      </div>
      <div className="palette-list" {...combobox.list}>
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options of a list box
          <div key={group} role="group" aria-label={group}>
            <div className="palette-group" aria-hidden="true">
              {group}
            </div>
            {entries.map(
              (entry, index) =>
                entry.group === group && (
                  <div key={entry.id} className="palette-option" {...combobox.option(index)}>
                    <Icon name={entry.icon} />
                    <span className="wrap">{entry.text}</span>
                    {entry.hint && <span className="quiet small wrap">{entry.hint}</span>}
                  </div>
                ),
            )}
          </div>
        ))}
      </div>
      <p className="palette-foot" role="status">
        {entries.length === 0 ? 'No results. Try part of an address, name or ID.' : `${entries.length} results`}
      </p>
    </dialog>
  )
}
