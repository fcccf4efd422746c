/** The script lib/webgl.js: the renderer of visible terminals, a fifth of the emulator. Without it the DOM renderer draws the same. */
export { WebglAddon } from '@xterm/addon-webgl'
