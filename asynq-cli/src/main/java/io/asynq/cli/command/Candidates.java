package io.asynq.cli.command;

import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

import io.asynq.TaskState;
import io.asynq.cli.output.OutputFormat;

/**
 * What the shell completes values with.
 */
public abstract class Candidates implements Iterable<String> {

	private final List<String> values;

	private Candidates(List<String> values) {
		this.values = values;
	}

	@Override
	public Iterator<String> iterator() {
		return this.values.iterator();
	}

	/**
	 * States of tasks.
	 */
	public static final class States extends Candidates {

		States() {
			super(TaskState.stored().stream().map(TaskState::wireName).toList());
		}

	}

	/**
	 * Forms of results.
	 */
	public static final class Formats extends Candidates {

		Formats() {
			super(Stream.of(OutputFormat.values()).map(OutputFormat::word).toList());
		}

	}

	/**
	 * Queues: a mark, for which the script asks Redis.
	 */
	public static final class Queues extends Candidates {

		/** No queue's name, and no shell's word. */
		public static final String MARK = "asynq-queues";

		Queues() {
			super(List.of(MARK));
		}

	}

	/**
	 * What becomes of cancelled tasks.
	 */
	public static final class CancelModes extends Candidates {

		CancelModes() {
			super(List.of("retry", "archive", "delete"));
		}

	}

	/**
	 * Shells.
	 */
	public static final class Shells extends Candidates {

		Shells() {
			super(List.of("bash", "zsh"));
		}

	}

}
