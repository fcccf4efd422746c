/** A terminal that rings lights up its edge once. */
import { useState } from 'react'
import css from './BellFlash.module.css'

export function BellFlash({ bells }: { bells: number }) {
  // Not for what rang before it came into view.
  const [before] = useState(bells)
  return bells === before ? null : <div key={bells} className={css['flash']} data-tty-bell={bells} aria-hidden="true" />
}
