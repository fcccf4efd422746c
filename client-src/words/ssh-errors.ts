/** What can go wrong with the connection book and what it is made of. */
export const zh = {
  'error.SETTINGS_NOT_SAVED': '设置未能保存：{reason}',
  'error.BOOK_NAME_TAKEN': '连接簿中已有“{name}”，请换一个名称。',
  'error.BOOK_NAME_UNKNOWN': '连接簿中没有“{name}”。',
  'error.BOOK_ENTRY_NEEDED': '“{name}”是以下连接的跳板：{behind}。请先更改或删除它们。',
  'error.SECRET_OF_ANOTHER': '已存的密码属于另一个账户。请为新账户重新输入，或清除它。',
  'error.CREDENTIALS_FAILED': 'DSH 的凭据存储没有接受密码（{name}）。请检查其文件是否可写，或不使用凭据存储。',
}

export const en: Record<keyof typeof zh, string> = {
  'error.SETTINGS_NOT_SAVED': 'The settings could not be saved: {reason}',
  'error.BOOK_NAME_TAKEN': 'The connection book has “{name}” already. Choose another name.',
  'error.BOOK_NAME_UNKNOWN': 'The connection book has no “{name}”.',
  'error.BOOK_ENTRY_NEEDED': '“{name}” stands before {behind}. Change those first, or remove them.',
  'error.SECRET_OF_ANOTHER': 'What is stored belongs to another account. Enter it again for the new one, or clear it.',
  'error.CREDENTIALS_FAILED':
    'The credential store of DSH did not take it (as {name}). Check that its file can be written, or save without it.',
}
