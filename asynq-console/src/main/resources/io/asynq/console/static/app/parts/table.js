import { language, t } from '../format.js';
import { html, useRef, useState } from '../lib.js';
import { useKeys } from '../shortcuts.js';
import { useSteady } from '../steady.js';

/**
 * @template Row
 * @typedef {object} Column
 * @property {string} key
 * @property {any} title
 * @property {(row: Row) => any} draw
 * @property {string} [class] `num` right-aligned, `wide` takes the rest, `low` hidden when there is little room
 * @property {(row: Row) => string | number} [sort] what the column is sorted by; sorts only the rows that are here
 */

/**
 * A table. On a narrow screen each row becomes a card. Keys j and k or the arrows move a mark, x selects, Enter opens.
 * @param {{columns: Column<any>[], rows: any[], keyOf: (row: any) => string, label: string, empty?: any, onOpen?: (row: any) => void,
 * selected?: Set<string>, onSelect?: (selected: Set<string>) => void, rowClass?: (row: any) => string, keys?: boolean,
 * sorted?: string}} props
 */
export function Table({ columns, rows, keyOf, label, empty, onOpen, selected, onSelect, rowClass, keys = true, sorted: first }) {
	const [sort, setSort] = useState(/** @type {{key: string, down: boolean} | null} */ (first ? { key: first, down: true } : null));
	const [mark, setMark] = useState('');
	const anchor = useRef('');
	const element = useRef(/** @type {HTMLElement | null} */ (null));
	const column = sort && columns.find((one) => one.key === sort.key);
	const by = column && column.sort;
	const sorted = useSteady(by && sort ? [...rows].sort((a, b) => compare(by(a), by(b)) * (sort.down ? -1 : 1)
		|| compare(keyOf(a), keyOf(b))) : [], keyOf, sort ? `${sort.key} ${sort.down}` : '');
	const shown = by ? sorted : rows;
	const state = useRef(/** @type {any} */ (null));
	state.current = { shown, mark, selected };

	/** @param {number} by */
	function move(by) {
		const list = state.current.shown;
		const at = list.findIndex((row) => keyOf(row) === state.current.mark);
		const next = list[Math.max(0, Math.min(list.length - 1, at < 0 ? (by > 0 ? 0 : list.length - 1) : at + by))];
		if (next) {
			setMark(keyOf(next));
			const line = element.current && element.current.querySelectorAll('tbody tr')[list.indexOf(next)];
			if (line) {
				line.scrollIntoView({ block: 'nearest' });
			}
		}
	}
	function marked() {
		return state.current.shown.find((row) => keyOf(row) === state.current.mark);
	}
	/**
	 * @param {any} row
	 * @param {boolean} range
	 */
	function toggle(row, range) {
		if (!onSelect) {
			return;
		}
		const next = new Set(state.current.selected);
		const key = keyOf(row);
		const on = !next.has(key);
		const order = state.current.shown.map(keyOf);
		const from = order.indexOf(anchor.current);
		const to = order.indexOf(key);
		const span = range && from >= 0 ? order.slice(Math.min(from, to), Math.max(from, to) + 1) : [key];
		span.forEach((one) => (on ? next.add(one) : next.delete(one)));
		anchor.current = key;
		onSelect(next);
	}
	useKeys(!keys ? {} : {
		j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1),
		x: () => marked() && toggle(marked(), false),
		Enter(event) {
			const target = /** @type {HTMLElement} */ (event.target);
			if (target.closest('a, button, summary')) {
				target.click();
			}
			else if (marked() && onOpen) {
				onOpen(marked());
			}
		},
	});

	if (rows.length === 0 && empty) {
		return empty;
	}
	const all = Boolean(selected && rows.length > 0 && rows.every((row) => selected.has(keyOf(row))));
	const some = Boolean(selected && rows.some((row) => selected.has(keyOf(row))));
	return html`<div class="table-box" ref=${element}><table class="table" aria-label=${label}>
		<thead><tr>${selected && html`<th class="select" scope="col">
			<input type="checkbox" aria-label=${t('table.selectAll')} checked=${all} indeterminate=${some && !all}
			onChange=${() => onSelect && onSelect(all ? new Set() : new Set(rows.map(keyOf)))} /></th>`}
				${columns.map((one) => html`<th key=${one.key} scope="col" class=${one.class || ''}
			aria-sort=${sort && sort.key === one.key ? (sort.down ? 'descending' : 'ascending') : undefined}>${one.sort
		? html`<button type="button" class="sort" onClick=${() =>
			setSort({ key: one.key, down: sort && sort.key === one.key ? !sort.down : true })}>${one.title}<i aria-hidden="true">
			${sort && sort.key === one.key ? (sort.down ? '↓' : '↑') : ''}</i></button>`
		: one.title}</th>`)}</tr></thead>
		<tbody>${shown.map((row) => {
		const key = keyOf(row);
		const on = Boolean(selected && selected.has(key));
		return html`<tr key=${key} class=${`${key === mark ? 'marked' : ''} ${on ? 'selected' : ''} ${rowClass ? rowClass(row) : ''}`}>
			${selected && html`<td class="select"><input type="checkbox"
				aria-label=${t('table.select', { id: key.slice(0, 80) })} checked=${on} onClick=${(e) => toggle(row, e.shiftKey)} /></td>`}
					${columns.map((one) => html`<td key=${one.key}
				class=${one.class || ''} data-label=${typeof one.title === 'string' ? one.title : ''}>${one.draw(row)}</td>`)}</tr>`;
	})}</tbody></table></div>`;
}

/**
 * @param {string | number} a
 * @param {string | number} b
 */
function compare(a, b) {
	return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), language);
}
