package io.asynq.cli.dash;

/**
 * Where things stand on the screen: a head, the list, a line for messages and one for
 * keys.
 */
final class Layout {

	private static final int FOOT = 2;

	private Layout() {
	}

	/** How many entries fit. */
	static int rows(Place.Kind kind, int height) {
		return Math.max(1, height - head(kind, height) - FOOT);
	}

	/** The first row of the list. */
	static int head(Place.Kind kind, int height) {
		return switch (kind) {
			// Title, legend, bars, names of the columns
			case QUEUES -> 3 + bars(height);
			// Title, two rows of tabs, names of the columns
			case GROUPS, TASKS -> 4;
			case TASK -> 2;
		};
	}

	/** How many queues have a bar. */
	static int bars(int height) {
		return Math.max(0, (height - 5) / 3);
	}

}
