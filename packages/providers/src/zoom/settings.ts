/** Operator settings for Zoom. */
import { baseAddress } from '@waypost/platform/settings/values'
import { defineProviderSettings } from '../provider-settings.ts'

export const zoomSettings = defineProviderSettings({
  kind: 'zoom',
  variables: {
    WAYPOST_ZOOM_URL: baseAddress('http://127.0.0.1:3500').describe(
      'An address in place of zoom.us and api.zoom.us, such as a simulator. `npm run dev` sets it.',
    ),
  },
  setup: (values) => ({ url: values.WAYPOST_ZOOM_URL }),
})
