/** In place of `@scalar/themes`: the colors are those of styles/reference.css. */
export const getThemeStyles = (): string => ''
/** Whether scrollbars take room beside what they scroll. */
export function hasObtrusiveScrollbars(): boolean {
  return window.innerWidth > document.documentElement.clientWidth
}
