// Before the first paint, so that a dark page never flashes white
(function () {
	/** @type {string | null} */
	var theme = null;
	try {
		theme = localStorage.getItem('asynq.theme');
	}
	catch (e) {
		// no storage: the system's theme
	}
	if (theme === 'light' || theme === 'dark') {
		document.documentElement.dataset.theme = theme;
	}
})();
