// Before the first paint, so that a dark page never flashes white
(function () {
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
