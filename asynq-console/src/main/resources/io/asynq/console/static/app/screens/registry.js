/**
 * The screens: `name` is the path below the console's base, `group` the part of the navigation (none: not listed there),
 * `key` what follows g on the keyboard. A screen's module is read when it is first opened.
 * @typedef {{name: string, group: string, key?: string, icon?: string, load: () => Promise<{default: any}>}} ScreenEntry
 */

/** @type {ScreenEntry[]} */
export const screens = [
	{ name: 'overview', group: 'monitor', key: 'o', icon: 'overview', load: () => import('./overview.js') },
	{ name: 'queues', group: 'monitor', key: 'q', icon: 'queues', load: () => import('./queues.js') },
	{ name: 'failures', group: 'monitor', key: 'f', icon: 'failures', load: () => import('./failures.js') },
	{ name: 'periodic', group: 'operate', key: 'p', icon: 'periodic', load: () => import('./periodic.js') },
	{ name: 'servers', group: 'operate', key: 's', icon: 'servers', load: () => import('./servers.js') },
	{ name: 'jobs', group: 'operate', key: 'j', icon: 'jobs', load: () => import('./jobs.js') },
	{ name: 'doctor', group: 'operate', key: 'd', icon: 'doctor', load: () => import('./doctor.js') },
	{ name: 'redis', group: 'system', key: 'r', icon: 'redis', load: () => import('./redis.js') },
	{ name: 'queue', group: '', load: () => import('./queue.js') },
	{ name: 'task', group: '', load: () => import('./task.js') },
];

export const groups = ['monitor', 'operate', 'system'];
