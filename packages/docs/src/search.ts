/** One search for the guides and the reference. The index is loaded on first use. */
import { docsUrl } from './base.ts'
import { type Entry, rank } from './rank.ts'

let entries: Promise<Entry[]> | undefined
const load = (): Promise<Entry[]> => {
  const address = document.querySelector<HTMLLinkElement>('link[rel="search-index"]')?.href ?? ''
  entries ??= fetch(address).then((answer) => answer.json())
  return entries
}

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  given: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: Node[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), given)
  made.append(...children)
  return made
}

function itemOf(entry: Entry, close: () => void): HTMLLIElement {
  const title = element('span', { className: 'found-title', textContent: entry.title })
  const where = element('span', { className: 'found-where', textContent: entry.where })
  const link = element('a', { href: `${docsUrl}${entry.at}` }, title, where)
  link.addEventListener('click', close)
  return element('li', {}, link)
}

interface Parts {
  dialog: HTMLDialogElement
  input: HTMLInputElement
  list: HTMLUListElement
  status: HTMLParagraphElement
}

function build(): Parts {
  const input = element('input', { type: 'search', placeholder: 'Search guides and reference', autocomplete: 'off' })
  input.setAttribute('aria-label', 'Search guides and reference')
  const list = element('ul', { className: 'found' })
  const status = element('p', { className: 'found-count' })
  status.setAttribute('role', 'status')
  const dialog = element('dialog', { className: 'search' }, input, status, list)
  dialog.setAttribute('aria-label', 'Search')
  document.body.append(dialog)
  return { dialog, input, list, status }
}

/** Arrow keys move through the results and back to the field; Enter in the field opens the first result. */
function withKeys({ dialog, input, list }: Parts): void {
  dialog.addEventListener('keydown', (event) => {
    const links = [...list.querySelectorAll('a')]
    const at = links.indexOf(document.activeElement as HTMLAnchorElement)
    if (event.key === 'Enter' && document.activeElement === input) links[0]?.click()
    else if (event.key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus()
    else if (event.key === 'ArrowUp') (links[at - 1] ?? input).focus()
    else return
    event.preventDefault()
  })
}

export function openSearch(button: HTMLButtonElement): void {
  let parts: Parts | undefined
  const show = async ({ input, list, status, dialog }: Parts): Promise<void> => {
    const wanted = input.value
    const found = wanted.trim() === '' ? [] : rank(await load(), wanted)
    // The text changed while the index was loading.
    if (wanted !== input.value) return
    list.replaceChildren(...found.map((entry) => itemOf(entry, () => dialog.close())))
    if (wanted.trim() === '') status.textContent = ''
    else status.textContent = found.length === 0 ? 'Nothing found' : `${found.length} found`
  }
  const open = (): void => {
    if (!parts) {
      const made = build()
      parts = made
      withKeys(made)
      made.input.addEventListener('input', () => void show(made))
      made.dialog.addEventListener('click', (event) => event.target === made.dialog && made.dialog.close())
    }
    if (!parts.dialog.open) parts.dialog.showModal()
    parts.input.select()
    void load()
  }
  button.addEventListener('click', open)
  document.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    open()
  })
}
