package io.asynq.server.work;

import org.jspecify.annotations.Nullable;

/**
 * Has held tasks started in slots that are free or become free. Tasks are held before
 * slots are looked at, and slots are released before held tasks are: so if two threads do
 * this at the same time, one of them sees both. Safe for concurrent use.
 */
final class SlotFiller {

	private final Slots slots;

	private final WorkerThreads threads;

	private final Source source;

	SlotFiller(Slots slots, WorkerThreads threads, Source source) {
		this.slots = slots;
		this.threads = threads;
		this.source = source;
	}

	/**
	 * Called when tasks are held.
	 */
	void fill() {
		while (this.source.any() && this.slots.take()) {
			Runnable next = null;
			try {
				next = this.source.next();
			}
			finally {
				if (next == null) {
					this.slots.started();
					this.slots.release();
				}
			}
			if (next != null) {
				start(next);
			}
		}
	}

	/**
	 * Called when a task has left its slot: the next one gets it at once.
	 */
	void free() {
		Runnable next = null;
		try {
			next = this.source.next();
		}
		finally {
			if (next == null) {
				this.slots.release();
			}
		}
		if (next != null) {
			// No slot is about to be taken, so others may go on looking for theirs
			if (!this.threads.executeHere(next)) {
				this.slots.passOn();
				start(next);
			}
			return;
		}
		fill();
		this.threads.freed();
	}

	private void start(Runnable work) {
		try {
			this.threads.execute(work);
		}
		catch (Throwable ex) {
			this.slots.started();
			this.slots.release();
			this.threads.freed();
			this.source.failed(work);
			throw ex;
		}
	}

	/**
	 * The tasks that are held. Safe for concurrent use.
	 */
	interface Source {

		/**
		 * Returns whether there is one that may start.
		 */
		boolean any();

		/**
		 * Takes the next one out.
		 * @return what its worker does, {@code null} if there is none
		 */
		@Nullable Runnable next();

		/**
		 * Called when no thread can do this work.
		 */
		void failed(Runnable work);

	}

}
