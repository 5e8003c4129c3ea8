import './styles/tokens.css'
import './styles/base.css'
import './styles/layout.css'
import './styles/controls.css'
import './styles/parts.css'
import './styles/pages.css'
import './styles/lists.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { pageBase } from './api.ts'
import { App } from './app.tsx'
import { Toasts } from './components/toast.tsx'
import { queries } from './queries.ts'
import { applyTheme } from './theme.ts'

applyTheme()
const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <QueryClientProvider client={queries}>
      <Router base={pageBase}>
        <App />
      </Router>
      <Toasts />
    </QueryClientProvider>,
  )
}
