import { html, useEffect, useRef } from '../lib.js';
import { formatTime, number, t, zone } from '../format.js';
import { useStore } from '../store.js';

/** @type {Promise<any> | null} */
let library = null;

/** uPlot is a classic script; it is fetched when the first chart is drawn. */
function uPlot() {
	library = library || new Promise((resolve, reject) => {
		const style = document.createElement('link');
		style.rel = 'stylesheet';
		style.href = new URL('../../vendor/uPlot.css', import.meta.url).href;
		const script = document.createElement('script');
		script.src = new URL('../../vendor/uPlot.js', import.meta.url).href;
		script.onload = () => resolve(/** @type {any} */ (window).uPlot);
		script.onerror = () => reject(new Error(script.src));
		document.head.append(style, script);
	});
	return library;
}

/**
 * Lines over time.
 * @param {{label: string, times: number[], series: {label: string, color: string, values: (number | null)[], bars?: boolean}[],
 * height?: number, format?: (value: number) => string, days?: boolean, window?: number}} props `times` in
 * seconds since 1970; `color` a custom
 * property of the style sheet; `window` how many seconds are shown
 */
export function Chart({ label, times, series, height = 150, format = number, days = false, window: span = 0 }) {
	const box = useRef(/** @type {HTMLElement | null} */ (null));
	const plot = useRef(/** @type {any} */ (null));
	const where = useStore(zone);
	const data = [times, ...series.map((one) => one.values)];
	const latest = useRef(data);
	latest.current = data;
	useEffect(() => {
		const element = /** @type {HTMLElement} */ (box.current);
		let gone = false;
		/** @type {ResizeObserver | undefined} */
		let resize;
		/** @type {any} */
		let colors;
		function draw(/** @type {any} */ UPlot) {
			if (gone) {
				return;
			}
			const css = getComputedStyle(document.documentElement);
			const color = (name) => css.getPropertyValue(name).trim();
			const axis = { stroke: color('--muted'), grid: { stroke: color('--line'), width: 1 }, ticks: { show: false },
				font: '11px system-ui' };
			if (plot.current) {
				plot.current.destroy();
			}
			plot.current = new UPlot({
				width: Math.max(120, element.clientWidth), height, legend: { live: true }, padding: [8, 8, 0, 0],
				cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
				scales: { y: { range: (_, low, high) => [0, Math.max(1, high * 1.1)] },
					x: days ? { range: (_, low, high) => [low - 43200, high + 43200] } : span
						? { range: (_, low, high) => [high - span, high] } : {} },
				series: [{ label: t('chart.time'), value: (_, v) => (v === null || v === undefined ? '–'
					: days ? new Date(v * 1000).toISOString().slice(0, 10) : formatTime(v * 1000, { date: false })) },
				...series.map((one) => ({ label: one.label, stroke: color(one.color), width: one.bars ? 0 : 1.5,
					fill: color(one.color) + (one.bars ? '' : '22'),
					paths: one.bars ? UPlot.paths.bars({ size: [0.7, 40], align: 0 }) : undefined, points: { show: false }, spanGaps: false,
					value: (_, v) => (v === null || v === undefined ? '–' : format(v)) }))],
				axes: [{ ...axis, size: 28, values: (_, splits) => splits.map((s) => (days ? new Date(s * 1000).toISOString().slice(5, 10)
					: formatTime(s * 1000, { date: false, seconds: false }))) },
				{ ...axis, size: 44, values: (_, splits) =>
					splits.map((v) => (v >= 10000 ? `${v / 1000}k` : Number(v.toFixed(2)).toString())) }],
			}, latest.current, element);
		}
		uPlot().then((UPlot) => {
			draw(UPlot);
			resize = new ResizeObserver(() => plot.current && plot.current.setSize({ width: Math.max(120, element.clientWidth), height }));
			resize.observe(element);
			colors = new MutationObserver(() => draw(UPlot));
			colors.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
			media.addEventListener('change', redraw);
		}, () => {});
		const media = matchMedia('(prefers-color-scheme: dark)');
		const redraw = () => uPlot().then(draw, () => {});
		return () => {
			gone = true;
			media.removeEventListener('change', redraw);
			if (resize) {
				resize.disconnect();
			}
			if (colors) {
				colors.disconnect();
			}
			if (plot.current) {
				plot.current.destroy();
				plot.current = null;
			}
		};
	}, [where, days, height, series.map((one) => one.label).join('\n')]);
	useEffect(() => {
		if (plot.current) {
			plot.current.setData(data);
		}
	}, [JSON.stringify(data)]);
	return html`<div class="chart" role="img"
		aria-label=${`${label}: ${series.map((one) => `${one.label} ${format(one.values.reduce((a, b) => (b === null ? a : b), 0) || 0)}`)
		.join(', ')}`}
		ref=${box} style=${{ minHeight: `${height + 24}px` }}></div>`;
}
