/** The script lib/guests.js: what the page draws for other plugins, a pane beside a terminal and a terminal in their element. */
export { MountView } from './MountView.tsx'
export { PaneFrame } from './PaneFrame.tsx'
