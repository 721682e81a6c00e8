package io.asynq.cli.dash;

import java.util.Locale;

import io.asynq.TaskState;
import io.asynq.operations.TaskAction;
import org.jspecify.annotations.Nullable;

sealed interface Act {

	String queue();

	/** How many tasks change, as far as one knows. */
	default long count() {
		return 1;
	}

	default String question() {
		if (this instanceof Pause pause) {
			return (pause.pause ? "Pause queue " : "Resume queue ") + queue() + "?";
		}
		if (this instanceof ToTask one) {
			return verb(one.action) + " task " + Figures.shorten(one.id, 40) + "?";
		}
		ToAll all = (ToAll) this;
		return verb(all.action) + " all " + Figures.count(all.count) + " " + all.state.wireName() + " tasks of "
				+ ((all.group != null) ? "group " + Figures.shorten(all.group, 40) + " of " : "") + "queue " + queue()
				+ "?";
	}

	private static String verb(TaskAction action) {
		String name = action.name();
		return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT).replace('_', ' ');
	}

	record ToTask(TaskAction action, String queue, String id) implements Act {
	}

	record ToAll(TaskAction action, String queue, TaskState state, @Nullable String group, long count) implements Act {
	}

	record Pause(String queue, boolean pause) implements Act {
	}

}
