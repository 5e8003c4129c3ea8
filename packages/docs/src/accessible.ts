/**
 * Mends what Scalar leaves in the way of people who do not see the page or do not use a mouse. Its parts come and go as
 * the page is scrolled, so what is added is looked at as it comes.
 */

interface Mending {
  where: string
  mend(element: Element): void
}

const mendings: Mending[] = [
  {
    // A button with a picture alone.
    where: '.scalar-code-block button:not([aria-label])',
    mend: (button) => button.setAttribute('aria-label', 'Copy'),
  },
  {
    // Its name says other words than are seen, so that who speaks to the page cannot press it.
    where: 'button.show-more[aria-label]',
    mend: (button) => button.removeAttribute('aria-label'),
  },
  {
    // One for every operation, all under the same name: no landmark.
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
    // Scrolled by the mouse alone.
    where: 'ul.endpoints:not([tabindex])',
    mend: (list) => list.setAttribute('tabindex', '0'),
  },
]

const mendWithin = (root: Element): void => {
  for (const { where, mend } of mendings) for (const element of root.querySelectorAll(where)) mend(element)
}

/** Looks after the page for as long as it is open. */
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
