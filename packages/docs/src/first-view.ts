/** Replaces the prerendered first view by Scalar's view once that is rendered. */

export function leaveFirstView(): void {
  const first = document.querySelector('#first')
  const reference = document.querySelector('#reference')
  if (!first || !reference) return
  const begun = location.hash
  const watch = new MutationObserver(() => {
    if (!reference.querySelector('main h1')) return
    watch.disconnect()
    // One frame later, Scalar's view is on the screen.
    requestAnimationFrame(() => {
      first.remove()
      reference.removeAttribute('inert')
      // The reader may have chosen a section in the first view before Scalar was ready.
      if (location.hash !== begun) dispatchEvent(new PopStateEvent('popstate'))
    })
  })
  watch.observe(reference, { childList: true, subtree: true })
}
