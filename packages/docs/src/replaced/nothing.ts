/** In place of parts of Scalar that the page does not show: its search, tools for developers of Scalar, agents. */
import { defineComponent } from 'vue'

export default defineComponent(() => () => null)
