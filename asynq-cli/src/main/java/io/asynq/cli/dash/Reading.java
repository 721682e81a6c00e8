package io.asynq.cli.dash;

import java.util.List;
import java.util.Set;

import io.asynq.TaskInfo;
import io.asynq.inspect.GroupInfo;
import io.asynq.inspect.QueueInfo;
import org.jspecify.annotations.Nullable;

/**
 * What was read for a screen.
 */
sealed interface Reading {

	/** How many entries can be chosen. */
	int size();

	/** Whether there is a part behind this one. */
	boolean more();

	/**
	 * A queue.
	 *
	 * @param info its numbers
	 * @param memory its memory in bytes, from a sample of up to a minute ago
	 */
	record Line(QueueInfo info, long memory) {

		/** Redis does not tell how much memory there is. */
		static final long UNKNOWN = -1;

	}

	/**
	 * Queues.
	 *
	 * @param lines those of this part
	 * @param served queues whose tasks a live server takes
	 * @param count how many there are
	 * @param unreadable how many cannot be read
	 * @param more whether there are more
	 */
	record Queues(List<Line> lines, Set<String> served, int count, int unreadable, boolean more) implements Reading {

		@Override
		public int size() {
			return this.lines.size();
		}

	}

	/**
	 * Groups of a queue.
	 *
	 * @param queue the queue
	 * @param groups those of this part
	 * @param next the cursor of the next part
	 */
	record Groups(Line queue, List<GroupInfo> groups, @Nullable String next) implements Reading {

		@Override
		public int size() {
			return this.groups.size();
		}

		@Override
		public boolean more() {
			return this.next != null;
		}

	}

	/**
	 * Tasks of a queue.
	 *
	 * @param queue the queue
	 * @param tasks those of this part
	 * @param count how many tasks the state or group has
	 * @param lookedAt how many of them were looked at
	 * @param more whether there are more
	 */
	record Tasks(Line queue, List<TaskInfo> tasks, long count, long lookedAt, boolean more) implements Reading {

		@Override
		public int size() {
			return this.tasks.size();
		}

	}

	/**
	 * One task.
	 *
	 * @param task the task
	 */
	record One(TaskInfo task) implements Reading {

		@Override
		public int size() {
			return 0;
		}

		@Override
		public boolean more() {
			return false;
		}

	}

}
