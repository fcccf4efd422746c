/** What can go wrong with the connection book and what it is made of. */
export const zh = {
  'error.SETTINGS_NOT_SAVED': '设置未能保存：{reason}',
  'error.BOOK_NAME_TAKEN': '连接簿中已有“{name}”，请换一个名称。',
  'error.BOOK_NAME_UNKNOWN': '连接簿中没有“{name}”。',
  'error.BOOK_ENTRY_NEEDED': '“{name}”是以下连接的跳板：{behind}。请先更改或删除它们。',
  'error.SECRET_OF_ANOTHER': '已存的密码属于另一个账户。请为新账户重新输入，或清除它。',
  'error.CREDENTIALS_FAILED': 'DSH 的凭据存储没有接受密码（{name}）。请检查其文件是否可写，或不使用凭据存储。',
  'error.SSH_RESOLVE': '找不到 {host} 的地址：{reason}',
  'error.SSH_CONNECT': '无法连接 {user}@{host}：{reason}',
  'error.SSH_HANDSHAKE': '与 {host} 的 SSH 握手失败：{reason}',
  'error.SSH_HOST_KEY_CHANGED':
    '{host} 的密钥与已知的不同！出示的是 {offered}，已知的是 {known}。未发送任何内容。如果主机确已重装，请在设置的“主机密钥”中删除旧密钥后重新连接。',
  'error.SSH_HOST_KEY_REFUSED': '未接受 {host} 的密钥（{offered}），未发送任何内容。',
  'error.SSH_HOST_KEY_REVOKED': '{host} 出示的密钥（{offered}）已被吊销，未发送任何内容。',
  'error.SSH_AUTH': '登录 {user}@{host} 失败：{reason}',
  'error.SSH_AGENT': '无法使用 SSH agent 登录 {host}：{reason}',
  'error.SSH_KEY_FILE': '无法用密钥文件登录 {host}：{reason}',
  'error.SSH_PROXY_OFF': '无法连接 {host}：{reason}',
  'error.SSH_CHANNEL': '无法在 {host} 上打开终端：{reason}',
  'error.SSH_TIMEOUT': '{host} 没有及时响应：{reason}',
  'error.SSH_LOST': '与 {host} 的连接已断开：{reason}',
  'error.REQUEST_GONE': '已不再需要这个回答。',
}

export const en: Record<keyof typeof zh, string> = {
  'error.SETTINGS_NOT_SAVED': 'The settings could not be saved: {reason}',
  'error.BOOK_NAME_TAKEN': 'The connection book has “{name}” already. Choose another name.',
  'error.BOOK_NAME_UNKNOWN': 'The connection book has no “{name}”.',
  'error.BOOK_ENTRY_NEEDED': '“{name}” stands before {behind}. Change those first, or remove them.',
  'error.SECRET_OF_ANOTHER': 'What is stored belongs to another account. Enter it again for the new one, or clear it.',
  'error.CREDENTIALS_FAILED':
    'The credential store of DSH did not take it (as {name}). Check that its file can be written, or save without it.',
  'error.SSH_RESOLVE': 'The address of {host} was not found: {reason}.',
  'error.SSH_CONNECT': 'There is no connection to {user}@{host}: {reason}.',
  'error.SSH_HANDSHAKE': 'The SSH handshake with {host} failed: {reason}.',
  'error.SSH_HOST_KEY_CHANGED':
    '{host} shows another key than the one that is known! It shows {offered}, known is {known}. Nothing was sent to it. If it was set up anew, delete its old key under “Host keys” in the settings, and connect again.',
  'error.SSH_HOST_KEY_REFUSED': 'The key of {host} ({offered}) was not accepted. Nothing was sent to it.',
  'error.SSH_HOST_KEY_REVOKED': 'The key that {host} shows ({offered}) is revoked. Nothing was sent to it.',
  'error.SSH_AUTH': 'The login to {user}@{host} failed: {reason}.',
  'error.SSH_AGENT': 'The SSH agent cannot be used for {host}: {reason}.',
  'error.SSH_KEY_FILE': 'The login to {host} failed: {reason}.',
  'error.SSH_PROXY_OFF': 'There is no connection to {host}: {reason}.',
  'error.SSH_CHANNEL': 'No terminal could be opened on {host}: {reason}.',
  'error.SSH_TIMEOUT': '{host} did not answer in time: {reason}.',
  'error.SSH_LOST': 'The connection to {host} was lost: {reason}.',
  'error.REQUEST_GONE': 'Nobody waits for this answer any more.',
}
