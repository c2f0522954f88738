for (const graph of document.querySelectorAll('.flame')) {
  const frames = [...graph.querySelectorAll('g')];
  const whole = Number(frames[0].dataset.w);
  for (const frame of frames) {
    frame.addEventListener('click', () => {
      const from = Number(frame.dataset.x);
      const scale = whole / Number(frame.dataset.w);
      for (const other of frames) {
        const x = Math.max(0, (Number(other.dataset.x) - from) * scale);
        const end = Math.min(whole, (Number(other.dataset.x) + Number(other.dataset.w) - from) * scale);
        other.style.display = end - x > 0.3 ? '' : 'none';
        for (const part of other.querySelectorAll('rect, svg')) {
          part.setAttribute('x', x);
          part.setAttribute('width', Math.max(0, end - x));
        }
      }
    });
  }
}
