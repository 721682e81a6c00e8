package io.asynq.cli;

import java.util.ArrayList;
import java.util.List;

import io.asynq.TaskState;

/** What the shell completes values with. */
final class Candidates {

	private Candidates() {
	}

	static final class States extends ArrayList<String> {

		States() {
			super(TaskState.stored().stream().map(TaskState::wireName).toList());
		}

	}

	static final class Queues extends ArrayList<String> {

		/** No queue's name, and no shell's word: here the script asks Redis. */
		static final String MARK = "asynq-queues";

		Queues() {
			super(List.of(MARK));
		}

	}

	static final class CancelModes extends ArrayList<String> {

		CancelModes() {
			super(List.of("retry", "archive", "delete"));
		}

	}

	static final class Shells extends ArrayList<String> {

		Shells() {
			super(List.of("bash", "zsh"));
		}

	}

}
