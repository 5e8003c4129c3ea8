/** Replaces `@scalar/use-toasts`, whose library writes inline styles that violate the policy. */
import { defineComponent, h, ref } from 'vue'

type Level = 'warn' | 'info' | 'error' | 'success'
type ToastFunction = (message: string, level?: Level, options?: { timeout?: number; description?: string }) => void

const shown = ref<{ id: number; text: string; level: Level }[]>([])
let last = 0

const show: ToastFunction = (message, level = 'info', { timeout = 3000, description = '' } = {}) => {
  const id = ++last
  shown.value = [...shown.value, { id, text: [message, description].filter(Boolean).join(': '), level }]
  setTimeout(() => {
    shown.value = shown.value.filter((toast) => toast.id !== id)
  }, timeout)
}

export const initializeToasts = (): void => {}
export const useToasts = (): { initializeToasts: () => void; toast: ToastFunction } => ({
  initializeToasts,
  toast: show,
})

export const ScalarToasts = defineComponent(
  () => () =>
    h(
      'div',
      { class: 'toasts', role: 'status' },
      shown.value.map(({ id, text, level }) => h('p', { key: id, class: level }, text)),
    ),
)
