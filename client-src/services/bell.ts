/** A short tone. The browser may refuse it as long as nobody touched the page; then it stays silent. */

const TONE = { hertz: 660, seconds: 0.12, volume: 0.08 }

let context: AudioContext | null = null

export function beep(): void {
  try {
    context ??= new AudioContext()
    const { currentTime } = context
    const tone = context.createOscillator()
    const volume = context.createGain()
    tone.frequency.value = TONE.hertz
    volume.gain.setValueAtTime(TONE.volume, currentTime)
    volume.gain.exponentialRampToValueAtTime(0.001, currentTime + TONE.seconds)
    tone.connect(volume).connect(context.destination)
    tone.start()
    tone.stop(currentTime + TONE.seconds)
  } catch {
    // Without sound the tab's mark says it.
  }
}
