/** Replaces `@scalar/themes`: styles/reference.css defines the colors. */
export const getThemeStyles = (): string => ''
/** Whether scrollbars take space from the content. */
export function hasObtrusiveScrollbars(): boolean {
  return window.innerWidth > document.documentElement.clientWidth
}
