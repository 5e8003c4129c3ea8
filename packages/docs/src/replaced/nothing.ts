/** Replaces parts of Scalar that the page does not show: its search, developer tools and agents. */
import { defineComponent } from 'vue'

export default defineComponent(() => () => null)
