/** Tabs: their strip, their menus, and what is asked before they are closed. */

export const zh = {
  'tab.new.more': '更多打开方式',
  'tab.new.local': '本机终端',
}

export const en: Record<keyof typeof zh, string> = {
  'tab.new.more': 'More ways to open',
  'tab.new.local': 'Terminal on this machine',
}
