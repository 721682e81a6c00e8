package io.asynq.cli.dash;

import java.util.List;
import java.util.Set;

import io.asynq.TaskInfo;
import io.asynq.inspect.GroupInfo;
import io.asynq.inspect.QueueInfo;
import org.jspecify.annotations.Nullable;

sealed interface Reading {

	default boolean more() {
		return false;
	}

	default int size() {
		return (this instanceof Queues queues) ? queues.lines.size() : (this instanceof Groups groups)
				? groups.groups.size() : (this instanceof Tasks tasks) ? tasks.tasks.size() : 0;
	}

	record Line(QueueInfo info, long memory) {

		/** Redis does not tell how much memory there is. */
		static final long UNKNOWN = -1;

	}

	record Queues(List<Line> lines, Set<String> served, int count, int unreadable, boolean more) implements Reading {
	}

	record Groups(Line queue, List<GroupInfo> groups, @Nullable String next) implements Reading {

		@Override
		public boolean more() {
			return this.next != null;
		}

	}

	record Tasks(Line queue, List<TaskInfo> tasks, long count, long lookedAt, boolean more) implements Reading {
	}

	record One(TaskInfo task) implements Reading {
	}

}
