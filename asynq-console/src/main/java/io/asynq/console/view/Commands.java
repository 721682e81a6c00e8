package io.asynq.console.view;

import io.asynq.TaskInfo;

/**
 * What shows a task in a shell. Whatever its names contain stays text there.
 */
final class Commands {

	private Commands() {
	}

	static String cli(TaskInfo task) {
		return "asynq task inspect --queue=" + quote(task.queue()) + " --id=" + quote(task.id());
	}

	/** Nothing but a quote ends a text in single quotes. */
	private static String quote(String text) {
		return "'" + text.replace("'", "'\\''") + "'";
	}

}
