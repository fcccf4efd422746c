/** Every text of the terminal in both languages. `zh` is the source of the key set; `en` is checked against it. */
import type { LinkErrorCode } from './connection/link-error.ts'

/** Dictionary namespace of this plugin. */
export const NS = 'tty'

/** One message per way in which the host or the link can fail, with the error's details in braces. */
const zhErrors = {
  'error.BAD_FRAME': '终端收到了不符合约定的消息，请刷新页面。',
  'error.HELLO_EXPECTED': '终端连接未按约定开始，请刷新页面。',
  'error.PROTOCOL_MISMATCH': '页面与 DSH 的终端版本不一致，请刷新页面；如仍出现，请重启 DSH。',
  'error.FORBIDDEN': 'DSH 拒绝了此页面的终端连接。请从 DSH 自己的地址打开。',
  'error.SESSION_NOT_FOUND': '该会话已不存在。',
  'error.SESSION_EXITED': '程序已结束，无法再输入。',
  'error.SESSION_LIMIT': '已达到终端上限（{limit} 个）。请先关闭一个，或在设置中提高上限。',
  'error.NOT_ATTACHED': '终端尚未就绪，请稍后再输入。',
  'error.INPUT_BACKLOG': '程序没有读取输入，其余内容未发送。',
  'error.INPUT_OUT_OF_ORDER': '部分输入未送达，请检查后重新输入。',
  'error.SHELL_UNUSABLE': '无法启动 shell：{path}。请在设置中检查 shell 路径。',
  'error.CWD_UNUSABLE': '无法进入起始目录：{path}。',
  'error.PTY_UNAVAILABLE': '此机器上无法创建终端：node-pty 未能加载。',
  'error.SPAWN_FAILED': '程序未能启动。',
  'error.SETTINGS_INVALID': '终端设置无效。',
  'error.CANCELLED': '已取消。',
  'error.SHUTTING_DOWN': 'DSH 正在停止，请稍后重试。',
  'error.INTERNAL': '终端内部错误。',
  'error.DISCONNECTED': '连接在得到答复前中断，请重试。',
  'error.NO_REPLY': 'DSH 在 {seconds} 秒内没有答复，请重试。',
  'error.BAD_REPLY': '终端输出不连续，请重试或刷新页面。',
  'error.EMULATOR_NOT_LOADED': '终端界面未能加载：DSH 可能已停止，或刚刚更新。请重试；如仍出现，请刷新页面。',
} satisfies Record<`error.${LinkErrorCode}`, string>

export const zh = {
  ...zhErrors,
  entry: '终端',
  'entry.label': '终端',
  'entry.label.running': '终端 {running}/{total} 运行中',
  'entry.activity': '有新输出',
  panel: '终端面板',
  'panel.resize': '调整终端面板高度',
  'panel.resizeWindow': '调整终端窗口大小；按住 Shift 并用方向键移动窗口',
  'panel.float': '浮动窗口',
  'panel.dock': '停靠到底部',
  'panel.maximise': '最大化',
  'panel.restore': '还原',
  'panel.minimise': '最小化',
  'panel.close': '关闭并结束全部终端',
  'panel.empty': '没有打开的终端',
  'panel.foreign': '此页面嵌在另一个网站中，终端不会启动。请直接打开 DSH。',
  tabs: '终端标签页',
  'tab.new': '新建终端',
  'tab.new.limit': '已达上限：{live} 个运行中，最多 {max} 个',
  'tab.close': '关闭 {title}',
  'tab.rename': '终端名称',
  'tab.untitled': '终端',
  'tab.agent': 'AI',
  'state.starting': '正在启动',
  'state.live': '运行中',
  'state.unresponsive': '无响应',
  'state.disconnected': '未连接',
  'state.done': '已正常退出',
  'state.failed': '出错',
  'state.over': '已结束',
  'cover.connecting': '正在连接…',
  'link.reconnecting': '正在重新连接…',
  'link.unresponsive': 'DSH 没有响应，输入可能会延迟送达。',
  'link.stale.page': '此页面的终端版本较旧，请刷新页面。',
  'link.stale.host': 'DSH 中的终端版本较旧，请重启 DSH。',
  'link.refused.typing': '未连接：输入不会发送。',
  'strip.exited': '已退出，代码 {code}',
  'strip.exited.signal': '已被信号 {signal} 终止',
  'strip.hostRestarted': 'DSH 已重启，此会话已结束',
  'strip.hostStopped': 'DSH 结束了此会话',
  'strip.gone': '此会话在断开期间已结束',
  'strip.closedElsewhere': '此会话已在别处关闭',
  'strip.closedByAgent': 'AI 结束了此会话',
  'strip.survivors': '会话已结束，但仍有 {count} 个进程在运行：{list}',
  'strip.unverified': '会话已结束，但无法确认其全部进程都已退出',
  'strip.lostOutput': '有 {size} 输出已不再保留，未能显示',
  'strip.cwdFallback': '目录不可用：{requested}，已在 {used} 中启动',
  'strip.size': '{cols} × {rows} · 大小由另一个窗口决定',
  'action.restart': '重新启动',
  'action.dismiss': '知道了',
  'action.retry': '重试',
  'notice.dropped.one': '1 个终端已在此期间结束',
  'notice.dropped.other': '{count} 个终端已在此期间结束',
  'notice.limit': '已达到终端上限：{live} 个运行中，最多 {max} 个。',
  'notice.limit.elsewhere': '已达到终端上限：{live} 个运行中（{elsewhere} 个不在此窗口），最多 {max} 个。',
  'notice.closeFailed': '未能结束“{title}”：{reason}',
  'notice.renameFailed': '未能保存名称：{reason}',
  'notice.copyFailed': '浏览器不允许复制到剪贴板。',
  'notice.pasteFailed': '浏览器不允许读取剪贴板，请使用浏览器菜单中的“粘贴”。',
  'notice.dismiss': '关闭提示',
  'confirm.title.one': '结束 1 个运行中的终端？',
  'confirm.title.other': '结束 {count} 个运行中的终端？',
  'confirm.body': '其中的程序会被终止。最小化则让它们继续运行。',
  'confirm.end': '全部结束',
  'confirm.cancel': '取消',
} satisfies Record<string, string>

export type TtyKey = keyof typeof zh

export const en = {
  'error.BAD_FRAME': 'The terminal got a message that is not as agreed. Refresh the page.',
  'error.HELLO_EXPECTED': 'The terminal connection did not begin as agreed. Refresh the page.',
  'error.PROTOCOL_MISMATCH':
    'The page and DSH have different versions of the terminal. Refresh the page; if it stays, restart DSH.',
  'error.FORBIDDEN': "DSH refused this page's terminal connection. Open DSH at its own address.",
  'error.SESSION_NOT_FOUND': 'This session no longer exists.',
  'error.SESSION_EXITED': 'The program has ended; nothing can be typed.',
  'error.SESSION_LIMIT': 'The limit of {limit} terminals is reached. Close one, or raise the limit in the settings.',
  'error.NOT_ATTACHED': 'The terminal is not ready yet; type again in a moment.',
  'error.INPUT_BACKLOG': 'The program does not read its input; the rest was not sent.',
  'error.INPUT_OUT_OF_ORDER': 'Some input was not delivered. Check, and type it again.',
  'error.SHELL_UNUSABLE': 'The shell cannot be started: {path}. Check its path in the settings.',
  'error.CWD_UNUSABLE': 'The start directory cannot be entered: {path}.',
  'error.PTY_UNAVAILABLE': 'This machine cannot make a terminal: node-pty did not load.',
  'error.SPAWN_FAILED': 'The program could not be started.',
  'error.SETTINGS_INVALID': 'The terminal settings are not valid.',
  'error.CANCELLED': 'Cancelled.',
  'error.SHUTTING_DOWN': 'DSH is stopping. Try again in a moment.',
  'error.INTERNAL': 'Something in the terminal went wrong.',
  'error.DISCONNECTED': 'The connection broke before an answer came. Try again.',
  'error.NO_REPLY': 'DSH did not answer within {seconds} s. Try again.',
  'error.BAD_REPLY': 'The output does not arrive in order. Try again, or refresh the page.',
  'error.EMULATOR_NOT_LOADED':
    'The terminal could not be loaded: DSH may have stopped, or was just updated. Try again; if it stays, refresh the page.',
  entry: 'Terminal',
  'entry.label': 'Terminal',
  'entry.label.running': 'Terminal {running}/{total} running',
  'entry.activity': 'new output',
  panel: 'Terminal panel',
  'panel.resize': 'Height of the terminal panel',
  'panel.resizeWindow': 'Size of the terminal window; Shift and the arrow keys move it',
  'panel.float': 'Float as a window',
  'panel.dock': 'Dock at the bottom',
  'panel.maximise': 'Maximise',
  'panel.restore': 'Restore',
  'panel.minimise': 'Minimise',
  'panel.close': 'Close and end all terminals',
  'panel.empty': 'No terminal is open',
  'panel.foreign': 'This page is embedded in another site, so the terminal does not start. Open DSH directly.',
  tabs: 'Terminal tabs',
  'tab.new': 'New terminal',
  'tab.new.limit': 'Limit reached: {live} running, at most {max}',
  'tab.close': 'Close {title}',
  'tab.rename': 'Name of the terminal',
  'tab.untitled': 'Terminal',
  'tab.agent': 'AI',
  'state.starting': 'starting',
  'state.live': 'running',
  'state.unresponsive': 'not responding',
  'state.disconnected': 'not connected',
  'state.done': 'exited',
  'state.failed': 'failed',
  'state.over': 'ended',
  'cover.connecting': 'Connecting…',
  'link.reconnecting': 'Reconnecting…',
  'link.unresponsive': 'DSH is not responding; what you type may arrive late.',
  'link.stale.page': 'This page has an older version of the terminal. Refresh the page.',
  'link.stale.host': 'DSH runs an older version of the terminal. Restart DSH.',
  'link.refused.typing': 'Not connected: what you type is not sent.',
  'strip.exited': 'Exited, code {code}',
  'strip.exited.signal': 'Ended by {signal}',
  'strip.hostRestarted': 'DSH restarted, this session ended',
  'strip.hostStopped': 'DSH stopped this session',
  'strip.gone': 'This session ended while the page was not connected',
  'strip.closedElsewhere': 'This session was closed elsewhere',
  'strip.closedByAgent': 'AI ended this session',
  'strip.survivors': 'Ended, but {count} of its processes still run: {list}',
  'strip.unverified': 'Ended, but it could not be confirmed that all its processes are gone',
  'strip.lostOutput': '{size} of output was no longer held and is not shown',
  'strip.cwdFallback': '{requested} is not available; started in {used}',
  'strip.size': '{cols} × {rows} · sized by another window',
  'action.restart': 'Restart',
  'action.dismiss': 'Dismiss',
  'action.retry': 'Retry',
  'notice.dropped.one': '1 terminal ended in the meantime',
  'notice.dropped.other': '{count} terminals ended in the meantime',
  'notice.limit': 'The limit is reached: {live} terminals run, at most {max} may.',
  'notice.limit.elsewhere':
    'The limit is reached: {live} terminals run ({elsewhere} of them not in this window), at most {max} may.',
  'notice.closeFailed': '“{title}” could not be ended: {reason}',
  'notice.renameFailed': 'The name was not saved: {reason}',
  'notice.copyFailed': 'The browser does not allow copying to the clipboard.',
  'notice.pasteFailed': 'The browser does not allow reading the clipboard. Use Paste from the browser’s menu.',
  'notice.dismiss': 'Dismiss the notice',
  'confirm.title.one': 'End 1 running terminal?',
  'confirm.title.other': 'End {count} running terminals?',
  'confirm.body': 'What runs there will be stopped. Minimise keeps it running.',
  'confirm.end': 'End all',
  'confirm.cancel': 'Cancel',
} satisfies Record<TtyKey, string>

/** A text that is not in any language yet: what it says, and the facts in it. */
export interface Message {
  readonly key: TtyKey
  /** A parameter may itself be a message. */
  readonly params?: Readonly<Record<string, string | number | Message>>
}

export type Translate = (key: TtyKey, params?: Record<string, unknown>) => string

/** Put a message into words. */
export function say(t: Translate, { key, params = {} }: Message): string {
  const words = Object.entries(params).map(([name, value]) => [name, typeof value === 'object' ? say(t, value) : value])
  return t(key, Object.fromEntries(words) as Record<string, unknown>)
}

/** Word an error from its code and details. */
export function errorMessage({
  code,
  details,
}: {
  code: LinkErrorCode
  details: Message['params'] | Record<string, unknown>
}): Message {
  const params = Object.entries(details ?? {}).map(([name, value]) => [name, String(value)])
  return { key: `error.${code}`, params: Object.fromEntries(params) as Record<string, string> }
}
