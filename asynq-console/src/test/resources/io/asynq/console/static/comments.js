const before = 'https://host/*';
/**
 * Several lines, with a * star and 'https://host'.
 */
	call(/** @type {any} */ (before)); // after code
/** @type {any} */ (before).go(1 /* one */);
	// a line
/** one line */
const star = 2 * 3; /* two
lines */
