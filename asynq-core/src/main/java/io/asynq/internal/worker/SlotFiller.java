package io.asynq.internal.worker;

import org.jspecify.annotations.Nullable;

/**
 * Tasks are added before slots are looked at, and slots are released before the buffer is
 * looked at, so if two threads do this at the same time, one of them sees both.
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

	interface Source {

		boolean any();

		@Nullable Runnable next();

		void failed(Runnable work);

	}

}
