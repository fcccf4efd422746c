/** Says where the link under the pointer leads, as text: its whole address, and above all whose it is. */
import { isMac } from '../keys.ts'
import type { Translate } from '../locales.ts'
import type { HoveredLink } from '../stores/popup-model.ts'
import { joined } from './joined.ts'
import css from './Links.module.css'
import popup from './Popup.module.css'

const GAP_PX = 14
const WIDTH_PX = 420

export function LinkTip({ t, link }: { t: Translate; link: HoveredLink }) {
  const { href, x, y } = link
  const left = Math.max(8, Math.min(x, window.innerWidth - WIDTH_PX - 8))
  const isAbove = y > window.innerHeight / 2
  const place = isAbove ? { left, bottom: window.innerHeight - y + GAP_PX } : { left, top: y + GAP_PX }
  return (
    <div className={joined(popup['popup'], css['tip'])} style={place} role="tooltip" data-tty-link="">
      <Address href={href} />
      <div className={css['hint']}>{t(isMac() ? 'link.open.mac' : 'link.open')}</div>
    </div>
  )
}

/** An address with the part that says whose it is set off: what comes before an "@" is not. */
export function Address({ href }: { href: string }) {
  const { host } = new URL(href)
  const path = href.indexOf('/', 'https://'.length)
  const at = href.lastIndexOf(host, path)
  return (
    <span className={css['address']}>
      {href.slice(0, at)}
      <strong>{host}</strong>
      {href.slice(at + host.length)}
    </span>
  )
}
