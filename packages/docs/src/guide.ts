/** A guide is readable without this script, which adds search, the theme switch and copy buttons. */
import './styles/guide.css'
import { openSite } from './site.ts'

function addCopyButtons(): void {
  for (const block of document.querySelectorAll('main pre')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '')
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 2000)
    })
    block.parentElement?.append(button)
  }
}

openSite()
addCopyButtons()
