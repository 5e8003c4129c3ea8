/**
 * Fixes accessibility problems of Scalar for screen readers and keyboards. Scalar adds and removes parts while the
 * page is scrolled, so new parts are checked as they appear.
 */

interface Mending {
  where: string
  mend(element: Element): void
}

const mendings: Mending[] = [
  {
    // A button with only an icon.
    where: '.scalar-code-block button:not([aria-label])',
    mend: (button) => button.setAttribute('aria-label', 'Copy'),
  },
  {
    // Its accessible name differs from its visible text, so voice control cannot press it.
    where: 'button.show-more[aria-label]',
    mend: (button) => button.removeAttribute('aria-label'),
  },
  {
    // Repeated for every operation with the same name, so it must not be a landmark.
    where: '[role="region"].response-card',
    mend: (card) => card.setAttribute('role', 'group'),
  },
  {
    // On phones, a second banner below that of the page.
    where: '#reference header:not([role])',
    mend(header) {
      header.setAttribute('role', 'region')
      header.setAttribute('aria-label', 'Where this is')
    },
  },
  {
    // Scrollable by mouse only.
    where: 'ul.endpoints:not([tabindex])',
    mend: (list) => list.setAttribute('tabindex', '0'),
  },
]

const mendWithin = (root: Element): void => {
  for (const { where, mend } of mendings) for (const element of root.querySelectorAll(where)) mend(element)
}

/** Watches the page while it is open. */
export function keepAccessible(root: Element): void {
  let isDue = false
  const soon = (): void => {
    if (isDue) return
    isDue = true
    requestAnimationFrame(() => {
      isDue = false
      mendWithin(root)
    })
  }
  new MutationObserver(soon).observe(root, { childList: true, subtree: true })
  soon()
}
