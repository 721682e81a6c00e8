package io.asynq.interop.random;

import java.util.List;

import io.asynq.TaskState;

/**
 * One operation. Tasks are identified by the number under which they were enqueued,
 * modulo their count.
 */
sealed interface Operation {

	/**
	 * Enqueues a task.
	 *
	 * @param fate what becomes of its attempts
	 * @param place where it goes
	 * @param unique whether it takes a lock, which few payloads compete for
	 * @param payload a small number
	 * @param maxRetry how often it is retried
	 * @param retained whether it is kept once it is done
	 */
	record Enqueue(Fate fate, Place place, boolean unique, int payload, int maxRetry,
			boolean retained) implements Operation {

	}

	/**
	 * Enqueues a task whose id may exist.
	 *
	 * @param task its number
	 */
	record EnqueueAgain(int task) implements Operation {

	}

	/**
	 * Enqueues tasks in one call.
	 *
	 * @param tasks the tasks
	 */
	record EnqueueTogether(List<Enqueue> tasks) implements Operation {

	}

	/**
	 * Replaces the payload of a task, if it is scheduled.
	 *
	 * @param task its number
	 * @param payload a small number
	 */
	record UpdatePayload(int task, int payload) implements Operation {

	}

	/**
	 * Moves several tasks, each independently.
	 *
	 * @param action the action
	 * @param tasks their numbers
	 */
	record ToMany(Action action, List<Integer> tasks) implements Operation {

	}

	/**
	 * Moves one task.
	 *
	 * @param action the action
	 * @param task its number
	 */
	record ToOne(Action action, int task) implements Operation {

	}

	/**
	 * Moves all tasks of a state, unless the action does not support it.
	 *
	 * @param action the action
	 * @param state the state
	 */
	record ToAll(Action action, TaskState state) implements Operation {

	}

	/**
	 * Cancels an attempt that works until it is cancelled, if there is one.
	 *
	 * @param attempt its number among those
	 */
	record Cancel(int attempt) implements Operation {

	}

	/**
	 * Pauses or resumes the queue.
	 *
	 * @param paused whether it is to be paused
	 */
	record Pause(boolean paused) implements Operation {

	}

	/**
	 * Actions on tasks.
	 */
	enum Action {

		/** Makes it pending. */
		RUN,

		/** Archives it. */
		ARCHIVE,

		/** Deletes it. */
		DELETE

	}

	/**
	 * Where a task is enqueued.
	 */
	enum Place {

		/** Pending. */
		PENDING,

		/** Scheduled in one second. */
		SOON,

		/** Scheduled much later. */
		LATER,

		/** In one of two groups. */
		GROUP

	}

}
