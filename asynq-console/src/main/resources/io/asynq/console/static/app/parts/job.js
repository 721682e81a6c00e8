import { get } from '../api.js';
import { stopJob } from '../actions.js';
import { may } from '../config.js';
import { number, percent, t } from '../format.js';
import { html, useEffect, useState } from '../lib.js';
import { liveJob, liveState } from '../live.js';
import { href } from '../router.js';
import { useStore } from '../store.js';
import { Badge, Button } from './ui.js';

/**
 * A job as it is now: pushed while the stream lives, else read every two seconds while it runs.
 * @param {any} job
 */
export function useJob(job) {
	const pushed = useStore(liveJob);
	const { mode } = useStore(liveState);
	const [now, setNow] = useState(job);
	useEffect(() => setNow(job), [job && job.id]);
	useEffect(() => {
		const moved = pushed && (pushed.job || pushed);
		if (moved && job && moved.id === job.id) {
			setNow(moved);
		}
	}, [pushed]);
	useEffect(() => {
		if (!job || now.state !== 'running') {
			return undefined;
		}
		const read = () => get('job', { id: job.id }).then((answer) => setNow(answer.job || answer), () => undefined);
		const timer = setInterval(read, mode === 'live' ? 5000 : 2000);
		return () => clearInterval(timer);
	}, [job && job.id, now && now.state, mode]);
	return now;
}

/**
 * How far a background job is, and the button that stops it.
 * @param {{job: any, onEnd?: () => void, onClose?: () => void}} props
 */
export function JobProgress({ job: given, onEnd, onClose }) {
	const job = useJob(given);
	const running = job.state === 'running';
	useEffect(() => {
		if (!running && onEnd) {
			onEnd();
		}
	}, [running]);
	/** @type {Record<string, string>} */
	const kinds = { running: 'info', done: 'ok', stopped: 'warn', failed: 'bad' };
	const seen = job.scanned || job.done + job.refused;
	return html`<div class="job" role="status">
		<div class="row"><strong>${t('actions.' + job.action.split('-')[0])}</strong><${Badge} kind=${kinds[job.state]}>
			${t('job.' + job.state)}<//>
			<span class="num">${t('job.progress', { done: job.done, refused: job.refused })}</span>
				${job.total > 0 && html`<span class="muted num">
				${t('job.of', { scanned: number(seen), total: number(job.total), share: percent(Math.min(seen, job.total), job.total) })}
				</span>`}
			<span class="job-aside"><a href=${href('jobs', { id: job.id })}>${t('job.details')}</a>
				${running && may('act') && html`<${Button} small onClick=${() => stopJob(job)}>${t('job.stop')}<//>`}
			${!running && onClose && html`<${Button} kind="quiet" small label=${t('common.close')} onClick=${onClose}>×<//>`}</span></div>
		<div class="progress"><i style=${{ width: `${job.total ? Math.min(100, (seen / job.total) * 100) : running ? 5 : 100}%` }}></i>
			</div>
	</div>`;
}
