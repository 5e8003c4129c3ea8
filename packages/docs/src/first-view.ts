/** Replaces the first view, which came with the page, by Scalar's once that one is drawn. */

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
      // A reader may have chosen a section of the first view, which Scalar was not ready to hear of.
      if (location.hash !== begun) dispatchEvent(new PopStateEvent('popstate'))
    })
  })
  watch.observe(reference, { childList: true, subtree: true })
}
