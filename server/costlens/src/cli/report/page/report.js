// A filter over the tables of predicates, and columns that sort. Without scripts everything is there, in the order of the files.
const place = document.getElementById('filter');
if (place) {
  place.innerHTML = '<label>Show <input type="search" placeholder="name, file or reason"></label><label><input type="checkbox"> declared call patterns only</label><span role="status"></span>';
  const [search, declared] = place.querySelectorAll('input');
  const status = place.querySelector('[role=status]');
  const classes = [...document.querySelectorAll('details[id^=class-]')].map((details) => ({
    details,
    wasOpen: details.open,
    rows: [...details.querySelectorAll('tbody tr')].map((row) => ({ row, text: row.textContent.toLowerCase() })),
  }));
  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const any = words.length > 0 || declared.checked;
    let shown = 0;
    for (const { details, wasOpen, rows } of classes) {
      let here = 0;
      for (const { row, text } of rows) {
        const fits = words.every((word) => text.includes(word)) && !(declared.checked && text.includes('call pattern guessed'));
        row.hidden = !fits;
        here += fits ? 1 : 0;
      }
      details.hidden = any && here === 0;
      details.open = any ? here > 0 && here <= 200 : wasOpen;
      shown += here;
    }
    status.textContent = any ? `${shown} shown` : '';
  };
  let waiting;
  search.addEventListener('input', () => { clearTimeout(waiting); waiting = setTimeout(apply, 120); });
  declared.addEventListener('change', apply);
}

const UNITS = { ns: 1, 'µs': 1e3, ms: 1e6, s: 1e9 };
// `1.332 µs` as a number; undefined for what is no time.
const nanoseconds = (text) => {
  const time = /^([\d.]+) (ns|µs|ms|s)$/.exec(text);
  return time ? Number(time[1]) * UNITS[time[2]] : undefined;
};

// A link to a class opens it.
const open = () => {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target && target.tagName === 'DETAILS') target.open = true;
};
addEventListener('hashchange', open);
open();

for (const table of document.querySelectorAll('details[id^=class-] table')) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener('click', () => {
      const down = head.getAttribute('aria-sort') === 'ascending';
      const order = new Intl.Collator('en', { numeric: true }).compare;
      const text = (row) => row.cells[column].textContent;
      // Times by what they are, before what is none.
      const compare = (a, b) => {
        const [x, y] = [nanoseconds(text(a)), nanoseconds(text(b))];
        if (x === undefined && y === undefined) return order(text(a), text(b));
        return (x ?? Infinity) - (y ?? Infinity);
      };
      const rows = [...body.rows].sort(compare);
      if (down) rows.reverse();
      body.append(...rows);
      for (const other of heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    });
  });
}
