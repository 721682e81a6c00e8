package io.asynq.interop.random;

import java.util.List;

import io.asynq.TaskState;

/**
 * One operation. Tasks are named by the number under which they were enqueued, taken
 * modulo how many there are.
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
	 * Enqueues a task whose id exists, perhaps.
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
	 * Does something to several tasks, each by itself.
	 *
	 * @param action what
	 * @param tasks their numbers
	 */
	record ToMany(Action action, List<Integer> tasks) implements Operation {

	}

	/**
	 * Does something to one task.
	 *
	 * @param action what
	 * @param task its number
	 */
	record ToOne(Action action, int task) implements Operation {

	}

	/**
	 * Does something to all tasks of a state; what refuses the state is left out.
	 *
	 * @param action what
	 * @param state the state
	 */
	record ToAll(Action action, TaskState state) implements Operation {

	}

	/**
	 * Cancels an attempt that works until it is cancelled, if there is one just now.
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
	 * What can be done to tasks.
	 */
	enum Action {

		/** Makes pending. */
		RUN,

		/** Archives. */
		ARCHIVE,

		/** Deletes. */
		DELETE

	}

	/**
	 * Where a task goes.
	 */
	enum Place {

		/** To be run at once. */
		PENDING,

		/** To be run in a second. */
		SOON,

		/** To be run much later. */
		LATER,

		/** To wait in one of two groups. */
		GROUP

	}

}
