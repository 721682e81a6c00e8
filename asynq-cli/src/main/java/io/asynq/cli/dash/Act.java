package io.asynq.cli.dash;

import java.util.Locale;

import io.asynq.TaskState;
import io.asynq.cli.dash.terminal.Figures;
import io.asynq.cli.dash.terminal.Lines;
import io.asynq.operations.TaskAction;
import org.jspecify.annotations.Nullable;

/**
 * Something to be done once it is confirmed.
 */
sealed interface Act {

	/** Asks for a confirmation. */
	String question();

	/** How many tasks change, as far as one knows. */
	long count();

	/** The queue concerned. */
	String queue();

	/** Something done with one task. */
	record ToTask(TaskAction action, String queue, String id) implements Act {

		@Override
		public String question() {
			return Act.verb(this.action) + " task " + Lines.shorten(this.id, 40) + "?";
		}

		@Override
		public long count() {
			return 1;
		}

	}

	/** Something done with all tasks of a state or group. */
	record ToAll(TaskAction action, String queue, TaskState state, @Nullable String group, long count) implements Act {

		@Override
		public String question() {
			return Act.verb(this.action) + " all " + Figures.count(this.count) + " " + this.state.wireName()
					+ " tasks of " + ((this.group != null) ? "group " + Lines.shorten(this.group, 40) + " of " : "")
					+ "queue " + this.queue + "?";
		}

	}

	/** A queue paused or resumed. */
	record Pause(String queue, boolean pause) implements Act {

		@Override
		public String question() {
			return (this.pause ? "Pause queue " : "Resume queue ") + this.queue + "?";
		}

		@Override
		public long count() {
			return 0;
		}

	}

	private static String verb(TaskAction action) {
		String name = action.name();
		return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT).replace('_', ' ');
	}

}
