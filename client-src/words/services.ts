/** What is said of panes and terminals that other plugins put somewhere. */
export const zh = {
  'pane.resize': '调整“{title}”窗格大小',
  'pane.collapse': '收起“{title}”',
  'pane.expand': '展开“{title}”',
  'pane.close': '关闭“{title}”',
  'mount.label': '终端：{name}',
}

export const en = {
  'pane.resize': 'Resize the pane “{title}”',
  'pane.collapse': 'Collapse “{title}”',
  'pane.expand': 'Expand “{title}”',
  'pane.close': 'Close “{title}”',
  'mount.label': 'Terminal: {name}',
} satisfies Record<keyof typeof zh, string>
