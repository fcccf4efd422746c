/** Words about sessions that outlive the host. */
export const zh = {
  'strip.persist.missing': '未安装 tmux：此终端会随 DSH 结束',
  'strip.persist.too-old': 'tmux 版本低于 3.0：此终端会随 DSH 结束',
  'strip.persist.locked': '另一个 DSH 正在使用同一目录：此终端会随 DSH 结束',
  'strip.persist.failed': '无法运行 tmux：此终端会随 DSH 结束',
  'strip.persist.remote': '尚不能保持其他机器上的会话：此终端会随 DSH 结束',
  'strip.persist.limited': 'tmux {version} 功能有限：输出较慢，且不知道程序因何信号结束',
  'strip.outputLost': 'DSH 停止期间的部分输出已丢失',
  'tab.kept': '由 tmux 保持',
  'plus.leftBehind': '仍在运行',
  'plus.end': '结束',
}

export const en = {
  'strip.persist.missing': 'tmux is not installed: this terminal ends with DSH',
  'strip.persist.too-old': 'tmux is older than 3.0: this terminal ends with DSH',
  'strip.persist.locked': 'Another DSH uses the same directory: this terminal ends with DSH',
  'strip.persist.failed': 'tmux cannot be run: this terminal ends with DSH',
  'strip.persist.remote': 'Sessions on other machines are not kept yet: this terminal ends with DSH',
  'strip.persist.limited': 'tmux {version} cannot tell by which signal a program ended, and its output costs more',
  'strip.outputLost': 'Some output from while DSH was stopped is lost',
  'tab.kept': 'kept by tmux',
  'plus.leftBehind': 'Still running',
  'plus.end': 'End',
}
