/** While a part of the page is on its way. */

export const zh = {
  'script.loading': '正在加载…',
}

export const en: Record<keyof typeof zh, string> = {
  'script.loading': 'Loading…',
}
